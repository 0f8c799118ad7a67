import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';

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
  'tables.js',
  'charts.js',
  'acts.js',
  'explain.js',
  'journal.js',
  'params.js',
];
/** The chart library as it is installed. */
const library = { 'uplot.js': 'uplot/dist/uPlot.iife.min.js', 'uplot.css': 'uplot/dist/uPlot.min.css' };

/** Serves the dashboard: it needs no token to load, and shows nothing without one. */
export function servePage(app: FastifyInstance): void {
  const { resolve } = createRequire(import.meta.url);
  const files: readonly (readonly [string, string | URL])[] = [
    ...own.map((name) => [name, new URL(`./page/${name}`, import.meta.url)] as const),
    ['colours.css', new URL('../core/base/colours.css', import.meta.url)],
    ...Object.entries(library).map(([name, path]) => [name, resolve(path)] as const),
  ];
  for (const [name, place] of files) {
    const type = types[name.slice(name.lastIndexOf('.') + 1) as keyof typeof types];
    const body = readFileSync(place);
    app.get(name === 'index.html' ? '/' : `/page/${name}`, (_, reply) => reply.type(type).send(body));
  }
}
