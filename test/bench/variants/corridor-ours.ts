import { fileURLToPath } from 'node:url';
import { runBacktest } from '../../../src/app/backtest.ts';
import type { Config } from '../../../src/config/schema.ts';
import { configSchema } from '../../../src/config/schema.ts';
import { openPack } from '../../../src/feed/event-pack.ts';
import type { Recording } from '../../../src/feed/recording.ts';
import { openRecording } from '../../../src/feed/recording.ts';
import type { Event } from '../../../src/model/event.ts';
import { cpuMicros, median, nowMicros, print } from '../support/print.ts';

// The whole corridor as `godwit backtest` runs it: simulated venue, bus, state, strategy, orders, gate, matching,
// journal digest, summary. `resident`: events decoded before; `pack`: read from the compressed file, decoded and run.
// Usage: node corridor-ours.ts resident|pack touch-maker|market-maker PACK...

const [source = 'resident', strategy = 'touch-maker', ...packs] = process.argv.slice(2);
const strategies = {
  'touch-maker': fileURLToPath(new URL('../strategies/touch-maker.ts', import.meta.url)),
  'market-maker': fileURLToPath(new URL('../../../strategies/market-maker/index.ts', import.meta.url)),
};
const microsMin = 3_000_000;
const passesMin = 4;

function configFor(recording: Recording): Config {
  const [instrument] = recording.instruments.all;
  if (instrument === undefined) throw new Error('the pack names no instrument');
  const { symbol, spec } = instrument;
  const quantity = instrument.quantityText(50 as never);
  const own =
    strategy === 'market-maker' ? { quantity, positionMax: instrument.quantityText(500 as never) } : {};
  return configSchema.parse({
    run: { seed: 7 },
    state: { ladder: 'ring' },
    backtest: { balances: { [spec.baseCurrency]: '100000000', [spec.quoteCurrency]: '1000000000000' } },
    strategies: [{ name: 'maker', path: strategies[strategy as 'touch-maker'], params: { symbol, ...own } }],
  });
}

/** The recording with its events in memory. */
function resident(recording: Recording, path: string): Recording {
  const pack = openPack(path);
  const batches: (readonly Event[])[] = [...pack.batches()];
  pack.close();
  return {
    ...recording,
    events: async function* () {
      yield* batches;
    },
  };
}

const runs: { recording: Recording; config: Config }[] = [];
for (const path of packs) {
  const recording = await openRecording(path);
  runs.push({
    recording: source === 'resident' ? resident(recording, path) : recording,
    config: configFor(recording),
  });
}
const cpus: number[] = [];
const walls: number[] = [];
let digest = '';
let changes = 0;
let orders = 0;
for (let total = 0; cpus.length < passesMin || total < microsMin;) {
  const wall = nowMicros();
  const cpu = cpuMicros();
  const digests: string[] = [];
  changes = 0;
  orders = 0;
  for (const run of runs) {
    const result = await runBacktest(run);
    changes += result.levelChanges;
    orders += result.report.orders.placed;
    digests.push(result.digest.slice(0, 12));
  }
  const used = cpuMicros() - cpu;
  cpus.push(used);
  walls.push(nowMicros() - wall);
  total += used;
  if (digest !== '' && digest !== digests.join(' ')) throw new Error('two runs came out differently');
  digest = digests.join(' ');
}
if (orders === 0) throw new Error('the strategy placed no order');
print({
  value: changes / median(cpus.slice(1)),
  bestOfProcessorTime: changes / Math.min(...cpus.slice(1)),
  ofWallTime: changes / median(walls.slice(1)),
  levelChanges: changes,
  orders,
  digest,
});
