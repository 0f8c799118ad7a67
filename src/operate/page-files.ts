import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { ActButton } from './act-rows.ts';
import { everyAct } from './act-rows.ts';
import { chartPeriods } from './history/index.ts';

/** The page runs its own modules and styles, asks its own server, and nothing else. No text becomes markup. */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const types = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const;

const own = [
  'index.html',
  'page.css',
  'icon.svg',
  'main.js',
  'connection.js',
  'views.js',
  'first.js',
  'book.js',
  'tabs.js',
  'tables.js',
  'charts.js',
  'candles.js',
  'acts.js',
  'explain.js',
  'journal.js',
  'params.js',
];
/** The chart libraries as they are installed: package and path in it. */
const libraries = {
  'uplot.js': ['uplot', 'dist/uPlot.iife.min.js'],
  'uplot.css': ['uplot', 'dist/uPlot.min.css'],
  'lightweight-charts.js': ['lightweight-charts', 'dist/lightweight-charts.standalone.production.js'],
} as const;

/** Places of the page where buttons of acts stand. */
const buttonPlaces: Readonly<Record<string, (button: ActButton) => string | undefined>> = {
  '<!-- red act -->': ({ all, isRed = false }) => (isRed ? all : undefined),
  '<!-- acts on all -->': ({ all, isRed = false }) => (isRed ? undefined : all),
  '<!-- acts on each -->': ({ each }) => each,
};

/** The page with the buttons of `act-rows.ts` and the periods of charts: they are there before anything is read. */
function withChoices(html: string): string {
  const periods = chartPeriods.map((period) => `<option>${period}</option>`);
  return Object.entries(buttonPlaces).reduce(
    (page, [place, labelOf]) => {
      const buttons = everyAct.flatMap(([act, { button, command, asks }]) => {
        const label = button === undefined ? undefined : labelOf(button);
        if (button === undefined || label === undefined) return [];
        const isEach = label === button.each;
        const attributes = {
          ...(!isEach && { id: act }),
          ...(button.isRed === true && { class: 'red' }),
          'data-act': act,
          'data-command': command?.name ?? asks,
          'data-question': isEach ? button.question : (button.questionOfAll ?? button.question),
          'data-explains': button.explains,
          'data-second': button.second,
        };
        const written = Object.entries(attributes).map(([name, value]) =>
          value === undefined ? '' : ` ${name}="${escaped(value)}"`,
        );
        return [`<button type="button"${written.join('')}>${escaped(label)}</button>`];
      });
      return page.replace(place, () => buttons.join('\n'));
    },
    html.replace('<!-- periods -->', () => periods.join('\n')),
  );
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Serves the dashboard: it needs no token to load, and shows nothing without one. */
export function servePage(app: FastifyInstance): void {
  const { resolve } = createRequire(import.meta.url);
  const files: readonly (readonly [string, string | URL])[] = [
    ...own.map((name) => [name, new URL(`./page/${name}`, import.meta.url)] as const),
    ['colours.css', new URL('../core/base/colours.css', import.meta.url)],
    ...Object.entries(libraries).map(
      ([name, [of, path]]) => [name, resolve(`${of}/package.json`).replace(/package\.json$/, path)] as const,
    ),
  ];
  for (const [name, place] of files) {
    const type = types[name.slice(name.lastIndexOf('.') + 1) as keyof typeof types];
    const file = readFileSync(place);
    const body = name === 'index.html' ? Buffer.from(withChoices(file.toString())) : file;
    const packed = gzipSync(body, { level: 9 });
    app.get(name === 'index.html' ? '/' : `/page/${name}`, (request, reply) => {
      reply.type(type).header('vary', 'accept-encoding');
      return takesGzip(request.headers['accept-encoding'])
        ? reply.header('content-encoding', 'gzip').send(packed)
        : reply.send(body);
    });
  }
}

function takesGzip(encodings: string | string[] | undefined): boolean {
  return /(?:^|[\s,])gzip(?!\s*;\s*q=0(?:\.0*)?(?:[\s,]|$))/i.test(String(encodings ?? ''));
}
