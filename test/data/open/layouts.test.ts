import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { layouts } from '../../../src/data/open/layouts.ts';
import { openData, seriesIn } from '../../../src/data/open/market-data.ts';
import { newFolder } from '../formats/support/files.ts';
import { refusedLayouts } from '../../../src/data/open/refused-layouts.ts';
import { barSamples } from './layout-samples/bars.ts';
import { refusedSamples } from './layout-samples/refused.ts';
import type { LayoutSample } from './layout-samples/sample.ts';
import { saidBy, saidBySeries } from './layout-samples/sample.ts';
import { tradeSamples } from './layout-samples/trades.ts';
import { venueSamples } from './layout-samples/venues.ts';
import { pageWithLayouts } from './layouts-page.ts';

const folder = newFolder();
const samples = { ...barSamples, ...tradeSamples, ...venueSamples };

test('docs/import.md lists every format, every layout that is read and every one that is refused', () => {
  const { made, written } = pageWithLayouts();
  expect(written, 'run: npx node test/data/open/layouts-page.ts --write').toBe(made);
});

test('every layout has a sample, and every sample is a layout', () => {
  const names = layouts.map(({ name }) => name);
  expect(Object.keys(samples).toSorted()).toEqual(names.toSorted());
});

/** A sample under the name that its program gives to it. */
function writeSample(name: string, file: string, { content, pack }: LayoutSample): string {
  const path = join(folder, name, file);
  mkdirSync(join(folder, name));
  writeFileSync(path, pack === undefined ? content : pack(content));
  return path;
}

describe('a layout is read without a flag that it does not name', () => {
  test.each(layouts.map((layout) => [layout.name, layout] as const))('%s', async (name, layout) => {
    const sample = samples[name];
    if (sample === undefined) throw new Error('no sample');
    const { symbol, first, count, options = {} } = sample;
    const path = writeSample(name, layout.file, sample);
    const flags = Object.keys(options).map((option) => `--${option}`);
    const without = await openData(path).then(() => '', String);
    for (const flag of flags) {
      expect(layout.flags).toContain(flag);
      expect(without).toContain(flag);
    }
    const { format } = layout;
    const series = await seriesIn([path], options);
    if (series !== undefined) {
      const said = await saidBySeries(series, path);
      expect({ format: series.name, ...said }).toEqual({ format, symbol, first, count });
      return;
    }
    const recording = await openData(path, options);
    expect({ format: recording.format, ...(await saidBy(recording)) }).toEqual({
      format,
      symbol,
      first,
      count,
    });
  });
});

describe('a layout that is refused says what it is, and what to do', () => {
  test.each(refusedLayouts.map((layout) => [layout.name, layout] as const))(
    '%s',
    async (name, { instead }) => {
      const path = join(folder, `${name}.data`);
      writeFileSync(path, refusedSamples[name] ?? '');
      await expect(openData(path)).rejects.toThrow(instead);
    },
  );
});
