import { fileURLToPath } from 'node:url';
import { openTickRun } from '../../../src/app/backtest/tick-run.ts';
import { recordedScenario } from '../../../src/app/run/scenario-config.ts';
import { openPack } from '../../../src/data/pack/event.ts';
import type { Recording } from '../../../src/data/recording/contract.ts';
import '../../support/registered-venues.ts';
import { openRecording } from '../../../src/data/open/own-formats.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { makerConfig } from '../support/maker-config.ts';
import { steady, timed } from '../support/steady.ts';

// The whole corridor as `godwit backtest` runs it: simulated venue, bus, state, strategy, orders, gate, matching,
// journal digest, summary. `resident`: events decoded before; `pack`: read from the compressed file, decoded and run;
// `driven`: as `resident`, and what is timed is the way from the first event to the last, without what is made before
// and the report after. `perpetual`: as `resident`, the first symbol as a contract on cross margin.
// Usage: node corridor-ours.ts resident|pack|driven|perpetual touch-maker|market-maker PACK...

const [source = 'resident', strategy = 'touch-maker', ...packs] = process.argv.slice(2);
const strategies = {
  'touch-maker': fileURLToPath(new URL('../strategies/touch-maker.ts', import.meta.url)),
  'market-maker': fileURLToPath(new URL('../../../strategies/market-maker/index.ts', import.meta.url)),
};

/** The same market, traded as contracts. */
function asContracts(recording: Recording): Recording {
  const specs = recording.instruments.all.map(({ spec }) => ({
    ...spec,
    type: 'futures' as const,
    marginTrading: true,
    maxInitialLeverage: '20',
  }));
  return { ...recording, instruments: new Instruments(specs) };
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

const runs: { recording: Recording; config: ReturnType<typeof makerConfig> }[] = [];
for (const path of packs) {
  const opened = await openRecording(path);
  const recording = source === 'perpetual' ? asContracts(opened) : opened;
  runs.push({
    recording: source === 'pack' ? recording : resident(recording, path),
    config: makerConfig(recording, strategies[strategy as 'touch-maker']),
  });
}
await steady(async () => {
  const digests: string[] = [];
  let changes = 0;
  let orders = 0;
  const driven = { cpu: 0, wall: 0 };
  for (const run of runs) {
    const { recording } = run;
    const open = await openTickRun({
      loaded: recordedScenario(run.config),
      data: { recording, prepared: 0 },
    });
    const { cpu, wall } = await timed(() => open.drive());
    const result = await open.finish();
    driven.cpu += cpu;
    driven.wall += wall;
    changes += result.changes ?? 0;
    orders += result.report?.orders.placed ?? 0;
    digests.push(result.digest.slice(0, 12));
  }
  return { changes, orders, digest: digests.join(' '), took: source === 'driven' ? driven : undefined };
});
