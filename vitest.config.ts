import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { defineConfig } from 'vitest/config';
import { bundleOfCheckout, makeBundle } from './bin/bundle.js';
import { ClosingLine } from './test/support/closing-line.ts';

const cores = availableParallelism();
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Files that leave in their thread what others would meet (modules of venues, a strategy that throws once its run has ended), and those that
 * meet what others leave: daemons, and signals of the process.
 */
const apart = ['app/cli/module-recordings', 'app/second-venue', 'app/operate/{logs,watch}', 'system/*'].map(
  (name) => `test/${name}.test.ts`,
);
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

// Threads that load this much fill a small young generation over and over: a larger one takes a tenth off the processor time of all.
setFlagsFromString('--min-semi-space-size=16');

export default defineConfig({
  resolve: { alias: [...alias, started] },
  test: {
    pool: 'threads',
    // Left to itself vitest keeps one core for its own. A quarter of the time is waiting for a process or a clock: of as many as there are
    // cores, and two more, that leaves hardly a core idle.
    maxWorkers: cores + 2,
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
      // These wait half of their time.
      {
        extends: true,
        test: {
          name: 'apart',
          include: apart,
          exclude: never,
          maxWorkers: 3 * cores + 1,
          sequence: { groupOrder: 1 },
        },
      },
      // The others share threads and what these have loaded: a third of the time of short ones went into loading it again.
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
