import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadScenario } from '../../../src/research/scenario/load.ts';
import { pathBeside } from '../../../src/research/scenario/read-text.ts';
import { duration, pointInTime } from '../../../src/core/config/time.ts';

const folder = mkdtempSync(join(tmpdir(), 'scenario-'));
const least = 'name: one\ndata: [a.gz]\nstrategy: { path: maker.ts }\n';

function load(text: string) {
  const file = join(folder, 'one.yaml');
  writeFileSync(file, text);
  return loadScenario(file);
}

describe('a scenario file', () => {
  test('needs a name, data and a strategy; the rest has defaults', () => {
    const { scenario, file } = load(least);
    expect(scenario).toMatchObject({
      data: [{ path: 'a.gz', role: 'run' }],
      fills: { model: 'shadow', queue: 'conservative' },
      latency: { feed: 'recorded', entry: { kind: 'constant', micros: 15_000 } },
      import: { sequence: 'proven', snapshots: 'whole', reorder: 5_000_000 },
      seed: 1,
      outages: [],
    });
    expect(pathBeside(file, 'a.gz')).toBe(join(folder, 'a.gz'));
    expect(pathBeside(file, '/a.gz')).toBe('/a.gz');
  });

  test.each([
    [
      'fees of everything that is traded',
      `${least}instrument: { symbol: A, fees: { maker: "0", taker: "1" } }\n`,
      /instrument\.fees\.taker: expected a rate between -1 and 1 as text, such as "0\.001" for 0\.1 %, found "1"/,
    ],
    [
      'fees on bars that are told in percent',
      `${least}fills: { model: bars, fees: { rate: "1.5" } }\n`,
      /fills\.fees\.rate: expected a rate of 0 or more, below 1, as text/,
    ],
    [
      'tiers of fees that do not ascend',
      `${least}fills: { model: queue }\ninstrument: { symbol: A, fees: { maker: "0", taker: "0", tiers: [{ volume: "100", maker: "0", taker: "0" }, { volume: "50", maker: "0", taker: "0" }] } }\n`,
      /instrument\.fees\.tiers\.1\.volume: expected more than the volume of the tier before, 100, found "50"/,
    ],
    [
      'a latency of the configuration',
      `${least}config: { sim: { entryLatency: { kind: constant, micros: 1 } } }\n`,
      /config\.sim\.entryLatency: expected latency\.entry in its place, because a scenario says it there/,
    ],
    [
      'a queue model of the configuration',
      `${least}config: { sim: { queueModel: proportional } }\n`,
      /config\.sim\.queueModel: expected fills\.queue in its place/,
    ],
    [
      'what only the matching core heeds',
      `${least}fills: { model: queue }\nconfig: { sim: { fatFingerFraction: 0.1 } }\n`,
      /config\.sim\.fatFingerFraction: expected fills: \{model: shadow\} with it/,
    ],
    [
      'an unknown key',
      `${least}fill: { model: queue }\n`,
      /one\.yaml: fill is not a known setting; did you mean "fills"\?/,
    ],
    ['an unknown model', `${least}fills: { model: luck }\n`, /fills.*model/],
    [
      'an unknown key of a model',
      `${least}fills: { model: queue, queu: fifo }\n`,
      /fills\.queu is not a known setting/,
    ],
    [
      'a length of time without a unit',
      `${least}latency: { entry: 10 }\n`,
      /latency\.entry: expected a length of time such as 10ms/,
    ],
    [
      'a time without a zone',
      `${least}clock: { start: "2024-07-19T00:00:00" }\n`,
      /clock\.start: expected an ISO time with its zone/,
    ],
    [
      'a price that is no text',
      `${least}instrument: { symbol: A, tick: 0.1 }\n`,
      /instrument\.tick: expected text in quotes, found 0\.1/,
    ],
    [
      'an outage that ends first',
      `${least}outages: [{ from: "2024-07-19T00:00:01Z", to: "2024-07-19T00:00:00Z" }]\n`,
      /outages\.0: expected an outage to end after it begins/,
    ],
    ['a column nobody knows', `${least}sample: { every: 1s, columns: [middle] }\n`, /sample\.columns\.0/],
    ['no data', 'name: one\ndata: []\nstrategy: { path: maker.ts }\n', /one\.yaml: data: /],
    ['no YAML', 'name: [\n', /one\.yaml/],
  ])('%s is one sentence', (_what, text, sentence) => {
    expect(() => load(text)).toThrow(sentence);
    expect(() => load(text)).toThrow(/^[^\n]*$/);
  });

  test('a file that is not there is named', () => {
    expect(() => loadScenario(join(folder, 'none.yaml'))).toThrow(/none\.yaml: expected a scenario file/);
  });
});

describe('times', () => {
  test.each([
    ['1721347201', 1_721_347_201_000_000],
    ['1721347201533', 1_721_347_201_533_000],
    ['1721347201533001', 1_721_347_201_533_001],
    ['1721347201533001000', 1_721_347_201_533_001],
    ['1721347201533001001', 1_721_347_201_533_002],
    ['2024-07-19T00:00:01.533001Z', 1_721_347_201_533_001],
    ['2024-07-19T02:00:01.5+02:00', 1_721_347_201_500_000],
  ])('%s is a point in microseconds, nanoseconds rounded up', (text, micros) => {
    expect(pointInTime.parse(text)).toBe(micros);
  });

  test('a length has a unit', () => {
    expect(['250us', '10ms', '1s', '5m', '1h', '1d'].map((text) => duration.parse(text))).toEqual([
      250, 10_000, 1_000_000, 300_000_000, 3_600_000_000, 86_400_000_000,
    ]);
    expect(duration.safeParse('10').success).toBe(false);
  });
});
