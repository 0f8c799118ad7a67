import { expect, test } from 'vitest';
import { openData } from '../../../src/data/open/market-data.ts';
import { loadScenario } from '../../../src/research/scenario/load.ts';
import { notesOfData } from '../../../src/research/scenario/recording-notes.ts';
import { openScenarioData } from '../../../src/research/scenario/recording.ts';
import { captureSamples } from '../../data/formats/support/capture-samples.ts';
import { eventsOf, newFolder, writeLines } from '../../data/formats/support/files.ts';
import type { Sample, SampleRow } from '../../data/formats/support/sample.ts';
import { textSamples } from '../../data/formats/support/samples.ts';

const folder = newFolder();
const rows = ['ETHBTC', 'XRPUSD'].flatMap((symbol) =>
  [0, 1, 2].map((second): SampleRow => ({ second, symbol, price: '5.25' })),
);
function written(sample: Sample): string {
  const inOrder = rows.toSorted((a, b) => a.second - b.second);
  const lines = inOrder.map((row, index) => sample.row(row, index));
  return writeLines(folder, sample.name, [...sample.head, ...lines]);
}

const captures = captureSamples.filter(({ format }) => !['capture-text', 'binance-raw'].includes(format));
test.each(captures.map((sample) => [sample.format, sample] as const))(
  'rows of %s that are left out because other instruments were named are noted',
  async (_, sample) => {
    const path = written(sample);
    const [first, second] = (await openData(path)).instruments.all;
    if (first === undefined || second === undefined) throw new Error('expected two symbols');
    const one = await openData(path, { instruments: [first.spec], partial: true });
    const events = await eventsOf(one);
    expect(events.map((event) => 'instrument' in event && event.instrument)).toEqual([0, 0, 0]);
    expect(one.notes).toContain(`rows of ${second.symbol} are left out: only ${first.symbol} is wanted`);
  },
);

test.each(['bars-csv', 'trades-csv'])(
  'two symbols of %s are not taken for the one that was named',
  async (format) => {
    const sample = textSamples.find((one) => one.format === format);
    if (sample === undefined) throw new Error('expected a sample');
    const path = written(sample);
    const [first] = (await openData(path)).instruments.all;
    if (first === undefined) throw new Error('expected a symbol');
    await expect(openData(path, { instruments: [first.spec] })).rejects.toThrow(
      `${path}: expected rows of one symbol for ETHBTC, found ETHBTC and XRPUSD; say which is wanted`,
    );
  },
);

test('a scenario that describes a whole instrument leaves out no other symbol of our own captures', async () => {
  const sample = captureSamples.find(({ format }) => format === 'capture-text');
  if (sample === undefined) throw new Error('expected a sample');
  const path = written(sample);
  const received = 'symbol: ETHBTC, base: ETH, quote: BTC, tick: "0.05", lot: "1"';
  const file = writeLines(folder, 'own.yaml', [
    'name: own',
    `data: [${path}]`,
    `instrument: { ${received}, fees: { maker: "0", taker: "0" } }`,
    'strategy: { path: imbalance, params: { symbol: ETHBTC } }',
  ]);
  const { recording } = await openScenarioData(loadScenario(file));
  const specs = recording.instruments.all.map(({ spec }) => [spec.symbol, spec.tickSize, spec.takeRate]);
  expect(specs).toEqual([
    ['ETHBTC', '0.05', '0'],
    ['XRPUSD', '0.01', '0.0025'],
  ]);
  expect(await eventsOf(recording)).toHaveLength(6);
  expect(notesOfData(recording)).toEqual([]);
});
