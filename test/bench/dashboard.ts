import { setTimeout as sleep } from 'node:timers/promises';
import { Browser, hasBrowser } from '../operate/browser.ts';
import { toolOptions } from '../support/tool-options.ts';
import { startChild } from './support/child.ts';
import { benchToken } from './support/operated.ts';

const usage = `npx node --no-warnings --conditions=godwit-source test/bench/dashboard.ts [options]

The dashboard in a real Chromium at a daemon with many books: time to the first figures, frames, script and long tasks of the page, and the
event loop of the daemon with the page open and without it. The longest list is chosen, whose rows change with each state.

  --books N      (500)
  --changes N    changes of books a second, in all (100)
  --seconds N    (20)
  --width N      of the page in pixels (1280)
  --picture FILE where to put a picture of the page at the end
`;

const options = toolOptions(usage, {
  options: {
    books: { type: 'string', default: '500' },
    changes: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '20' },
    width: { type: 'string', default: '1280' },
    picture: { type: 'string' },
  },
});
if (!hasBrowser) throw new Error('there is no Chromium here');

interface Frames {
  /** Milliseconds between two frames. */
  readonly frames: readonly number[];
  /** Milliseconds of script of each drawing. */
  readonly draws: readonly number[];
  /** Milliseconds of every task above 50. */
  readonly tasks: readonly number[];
}

/** Each drawing of the page is a callback of a frame: this measures the script of each, before any of the page runs. */
const measuring = `
  window.draws_ = [];
  const real = window.requestAnimationFrame.bind(window);
  window.frame_ = real;
  window.requestAnimationFrame = (draw) => real((now) => {
    const begun = performance.now();
    draw(now);
    window.draws_.push(performance.now() - begun);
  });
`;

const watching = `
  window.frames_ = []; window.tasks_ = []; window.draws_ = [];
  new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) window.tasks_.push(duration); })
    .observe({ type: 'longtask' });
  let last = performance.now();
  window.frame_(function frame(now) { window.frames_.push(now - last); last = now; window.frame_(frame); });
`;

const ms = Number(options.seconds) * 1_000;
const daemon = await startChild('many-books.ts', [options.books, options.changes]);
const { url } = daemon.said as { url: string };
await sleep(3_000);
await daemon.ask({ lag: true });
await sleep(ms / 2);
const alone = await daemon.ask({ lag: true });
const browser = await Browser.start();
try {
  const page = await browser.page(Number(options.width), 900);
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source: measuring });
  await page.open(`${url}/#token=${benchToken}`);
  await page.shows('#trading', 'Trading is active');
  const paint = await page.value<Readonly<Record<string, number>>>(
    'Object.fromEntries(performance.getEntriesByType("paint").map(({ name, startTime }) => [name, startTime]))',
  );
  const figures = await page.value<number>('performance.now()');
  // The longest list: its rows change with each state.
  await page.click('#feeds-title');
  await page.shows('#feeds', 'live');
  await sleep(3_000);
  await page.value(watching);
  await page.send('Performance.enable');
  /** Seconds that the page has taken since it began, of all tasks and of script alone. */
  const used = async (): Promise<readonly [tasks: number, script: number]> => {
    const { metrics } = (await page.send('Performance.getMetrics')) as {
      metrics: { name: string; value: number }[];
    };
    const of = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? 0;
    return [of('TaskDuration'), of('ScriptDuration')];
  };
  const usedBefore = await used();
  await daemon.ask({ lag: true });
  await sleep(ms);
  const watched = await daemon.ask({ lag: true });
  const { frames, draws, tasks } = await page.value<Frames>(
    '({ frames: window.frames_, draws: window.draws_, tasks: window.tasks_ })',
  );
  const usedAfter = await used();
  const [busy = 0, script = 0] = usedAfter.map((value, at) => (value - (usedBefore[at] ?? 0)) / (ms / 1_000));
  const feeds = await page.value<number>('document.querySelectorAll("#feeds tbody tr").length');
  const elements = await page.value<number>('document.querySelectorAll("*").length');
  if (options.picture !== undefined) await page.picture(options.picture);
  const result = {
    firstPaintMs: paint['first-contentful-paint'],
    figuresMs: figures,
    frames: frames.length,
    frameP50Ms: quantile(frames, 0.5),
    frameP95Ms: quantile(frames, 0.95),
    frameP99Ms: quantile(frames, 0.99),
    draws: draws.length,
    scriptOfDrawP50Ms: quantile(draws, 0.5),
    scriptOfDrawP99Ms: quantile(draws, 0.99),
    scriptOfDrawMaxMs: Math.max(0, ...draws),
    longTasks: tasks.length,
    longestTaskMs: Math.max(0, ...tasks),
    pageBusyShare: busy,
    pageScriptShare: script,
    rowsOfFeeds: feeds,
    elements,
    daemonAlone: alone,
    daemonWatched: watched,
  };
  process.stdout.write(
    `${JSON.stringify(result, (_, value) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value), 2)}\n`,
  );
} finally {
  await browser.close();
  daemon.close();
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
