import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { bundleOfCheckout, makeBundle } from './bin/bundle.js';
import { ClosingLine } from './test/support/closing-line.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Folders of tests that start processes, workers or daemons. */
const folders = [
  'app/*',
  'app/!(backtest)/**/*',
  'core/journal/**/*',
  'core/strategy/**/*',
  'strategies/**/*',
  'system/**/*',
];
/** Files of those folders that start none. */
const startsNone = [
  'app/{bar-books,check-bars,fee-currencies,joined-bars,kept-news,left-accounts,loss-limits,margin-accounts}',
  'app/{market-tap,missing-feeds,opening,pack-digest,pages-commands,paper-clock,peer-fills,refusals}',
  'app/{report-settings,rounding-loss,run-directory,same-grade,scenario-import,scenario-report,sparse-data}',
  'app/{strategy-path,tick-doubts,wide-characters}',
  'app/{audit/{before-opening,compare},config/{compare,load},data/*,documents/*,download/{fetch,progress}}',
  'app/cli/{bar-denials,data-import,forebears,poor-data,scenario-codes,span-options,unknown-symbol}',
  'app/live/{incidents,series-feed,session-fold,subscriptions}',
  'app/{package/data/index,replay/unrepeatable,run/series}',
  'core/journal/records/canonical',
  'core/strategy/{candle-watch,faults,handed,inbox,log,margin-api,series-request,slips,watchdog,worker-lists}',
  'strategies/{bracket,carry,golden,grid,imbalance,market-maker,market-maker-session,spread}',
  'strategies/{trend,triangle,twap,reference/page}',
  'system/{backtest,others,chaos/frames}',
];
const named = (files: readonly string[]): readonly string[] => files.map((name) => `test/${name}.test.ts`);
/** Each has a thread to itself. */
const apart = globSync(named(folders), { cwd: here('.'), exclude: named(startsNone) });
const never = ['test/clients/**', 'test/package/**', '**/node_modules/**'];

const { exports } = JSON.parse(readFileSync(here('package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
};
/** The exports of the package mean the sources of this checkout, from wherever a strategy imports them: each by its whole name. */
const alias = Object.entries(exports).flatMap(([name, { 'godwit-source': source }]) =>
  source === undefined ? [] : [{ find: new RegExp(`^godwit${name.slice(1)}$`), replacement: here(source) }],
);

/** A run of a few files takes the bundle that is there: to make one takes as long as they do. */
const isWhole = process.argv.slice(2).every((word) => word === 'run' || word.startsWith('-'));
const made = bundleOfCheckout();
const bundle = isWhole ? await makeBundle() : made?.isMade === true ? made.folder : undefined;
if (bundle !== undefined) process.env['BUNDLE_OF_TESTS'] = bundle;
/** What tests start, processes and threads, loads the bundle. */
const started = {
  find: /^\.{1,2}\/(?:.*\/)?module-url\.ts$/,
  replacement: here('test/support/started-modules.ts'),
};

export default defineConfig({
  resolve: { alias: [...alias, started] },
  test: {
    pool: 'threads',
    // Left to itself vitest keeps one core for its own. A quarter of the time is waiting for a process or a clock: of as many as there are
    // cores, and two more, that leaves hardly a core idle.
    maxWorkers: availableParallelism() + 2,
    globalSetup: [here('test/support/run-folder.ts')],
    setupFiles: [here('test/support/compiled-once.ts'), here('test/support/registered-venues.ts')],
    // Everything that is asked is on loopback, and a machine may name a proxy for it.
    env: { http_proxy: '', https_proxy: '' },
    reporters: ['default', new ClosingLine()],
    // What a test waits for comes soon on an idle machine, and late on one that has other work: a hook may take as long as a test.
    testTimeout: 240_000,
    // Of `expect.poll`, as long as `waitMax`.
    expect: { poll: { timeout: 120_000 } },
    hookTimeout: 240_000,
    projects: [
      { extends: true, test: { name: 'apart', include: apart, exclude: never } },
      // The others share threads and what these have loaded: half of the time went into loading it again.
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...apart, ...never],
          isolate: false,
        },
      },
    ],
  },
});
