import { pathToFileURL } from 'node:url';
import { bundledModule } from '../../bin/bundle.js';
// By another ending: the one of sources is this module in tests.
import type * as ofSources from '../../src/core/base/module-url.js';

const { BUNDLE_OF_TESTS: bundle } = process.env;
const place =
  bundle === undefined
    ? '../../src/core/base/module-url.js'
    : pathToFileURL(bundledModule(bundle, 'core/base/module-url.ts')).href;

/** What stands for `src/core/base/module-url.ts` in tests: threads and processes that they start load the bundle, where the run has one. */
export const { moduleUrl } = (await import(place)) as typeof ofSources;
