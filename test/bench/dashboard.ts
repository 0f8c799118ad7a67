import { setTimeout as sleep } from 'node:timers/promises';
import { Browser, hasBrowser } from '../operate/browser.ts';
import { toolOptions } from '../support/tool-options.ts';
import { startChild } from './support/child.ts';
import { benchToken } from './support/operated.ts';

const usage = `npx node --no-warnings --conditions=godwit-source test/bench/dashboard.ts [options]

The dashboard in a real Chromium at a daemon with many books: time to the first figures, frames and long tasks of the page, and the
event loop of the daemon with the page open and without it.

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
  /** Milliseconds of every task above 50. */
  readonly tasks: readonly number[];
}

const watching = `
  window.frames_ = []; window.tasks_ = [];
  new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) window.tasks_.push(duration); })
    .observe({ type: 'longtask' });
  let last = performance.now();
  requestAnimationFrame(function frame(now) { window.frames_.push(now - last); last = now; requestAnimationFrame(frame); });
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
  const used = async (): Promise<number> => {
    const { metrics } = (await page.send('Performance.getMetrics')) as {
      metrics: { name: string; value: number }[];
    };
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  };
  const usedBefore = await used();
  await daemon.ask({ lag: true });
  await sleep(ms);
  const watched = await daemon.ask({ lag: true });
  const { frames, tasks } = await page.value<Frames>('({ frames: window.frames_, tasks: window.tasks_ })');
  const busy = ((await used()) - usedBefore) / (ms / 1_000);
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  const feeds = await page.value<number>('document.querySelectorAll("#feeds tbody tr").length');
  const elements = await page.value<number>('document.querySelectorAll("*").length');
  if (options.picture !== undefined) await page.picture(options.picture);
  const result = {
    firstPaintMs: paint['first-contentful-paint'],
    figuresMs: figures,
    frames: frames.length,
    frameP50Ms: at(0.5),
    frameP95Ms: at(0.95),
    frameP99Ms: at(0.99),
    longTasks: tasks.length,
    longestTaskMs: Math.max(0, ...tasks),
    pageBusyShare: busy,
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
