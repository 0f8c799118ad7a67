import { fileURLToPath } from 'node:url';
import { Random } from '../../../src/core/base/random.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import { runScenario } from '../../../src/app/backtest/scenario-run.ts';
import { recordedScenario } from '../../../src/app/run/scenario-config.ts';
import type { EventPack } from '../../../src/data/pack/event.ts';
import { openPack } from '../../../src/data/pack/event.ts';
import type { Recording } from '../../../src/data/recording/contract.ts';
import '../../support/registered-venues.ts';
import { openRecording } from '../../../src/data/open/own-formats.ts';
import { MarketHash } from '../../../src/core/journal/records/market-hash.ts';
import type { Event, MarketEvent } from '../../../src/core/model/event.ts';
import { levelStride } from '../../../src/core/model/level-buffer.ts';
import { openShadowEngine } from '../../../src/sim/fill-models/fifo/shadow-engine.ts';
import { simOptions } from '../../../src/sim/options.ts';
import { SimVenue } from '../../../src/sim/venue.ts';
import { State } from '../../../src/core/state/state.ts';
import { makerConfig } from './maker-config.ts';
import { cpuMicros } from './print.ts';

// One step of `account.ts`: prints the nanoseconds of processor time a level change takes once the code is compiled.
// Usage: node account-step.ts STEP PACK...

type Take = (event: MarketEvent) => void;
/** A pack that stands open, its events in memory where the step does not decode them itself. */
interface Held {
  readonly pack: EventPack;
  readonly recording: Recording;
  readonly batches: readonly (readonly Event[])[];
}

const [step = '', ...paths] = process.argv.slice(2);
const passes = 24;
const strategies: Readonly<Record<string, string>> = {
  deaf: '../strategies/deaf.ts',
  reader: '../strategies/touch-reader.ts',
  'touch-maker': '../strategies/touch-maker.ts',
  'market-maker': '../../../strategies/market-maker/index.ts',
};
let sum = 0;

function takerOf(pack: EventPack, start: Event): Take {
  const { instruments } = pack;
  if (step === 'iterate') return iterate;
  if (step === 'decode') return () => undefined;
  const state = new State({ instruments, options: { ladder: 'ring' } });
  if (step === 'book') return (event) => state.fold(event);
  if (step === 'hash') {
    const hash = new MarketHash();
    let sequence = 0;
    return (event) => hash.add(event as never, sequence++);
  }
  const clock = new VirtualClock(start.exchangeTime);
  const random = new Random('account');
  const venue = new SimVenue({
    openEngine: openShadowEngine,
    clock,
    instruments,
    options: simOptions.parse({}),
    random,
    balances: [],
  });
  if (step === 'venue-book') venue.events.subscribe((event) => state.fold(event));
  return (event) => {
    clock.advanceTo(event.exchangeTime);
    venue.accept(event);
  };
}

function iterate(event: MarketEvent): void {
  if (event.kind !== 'bookUpdate' && event.kind !== 'bookSnapshot') return;
  const { levels, start, end } = event;
  // Begun with a whole number it would be added to as one, with conversions and checks that take three times the reading.
  let part = 0.5;
  for (let at = start; at < end; at += levelStride) part += (levels[at + 1] ?? 0) * (levels[at + 2] ?? 0);
  sum += part;
}

function changesIn(event: Event): number {
  if (event.kind === 'trades') return event.trades.length;
  const hasLevels = event.kind === 'bookUpdate' || event.kind === 'bookSnapshot';
  return hasLevels ? (event.end - event.start) / levelStride : 0;
}

/** Rooms alone. */
function pass(packs: readonly Held[]): number {
  let changes = 0;
  for (const { pack, batches } of packs) {
    const first = batches[0]?.[0];
    if (first === undefined) throw new Error('the pack holds no events');
    const take = takerOf(pack, first);
    for (const batch of step === 'decode' ? pack.batches() : batches) {
      for (const event of batch) {
        take(event as MarketEvent);
        changes += changesIn(event);
      }
    }
  }
  return changes;
}

/** The whole corridor. */
async function run(packs: readonly Held[]): Promise<number> {
  const name = step.replace('pack-', '');
  let changes = 0;
  for (const { recording, batches } of packs) {
    const events = async function* (): AsyncGenerator<readonly Event[], void, undefined> {
      yield* batches;
    };
    const file = fileURLToPath(new URL(strategies[name] ?? '', import.meta.url));
    const source = step === name ? { ...recording, events } : recording;
    const result = await runScenario({
      loaded: recordedScenario(makerConfig(recording, file)),
      data: { recording: source, prepared: 0 },
    });
    changes += result.changes ?? 0;
  }
  return changes;
}

const isWhole = step.replace('pack-', '') in strategies;
const packs: Held[] = [];
for (const path of paths) {
  const pack = openPack(path);
  const batches = step.startsWith('pack-') ? [] : [...pack.batches()];
  packs.push({ pack, recording: await openRecording(path), batches });
}
let best = Number.POSITIVE_INFINITY;
for (let i = 0; i < passes; i++) {
  const start = cpuMicros();
  const changes = isWhole ? await run(packs) : pass(packs);
  best = Math.min(best, ((cpuMicros() - start) * 1_000) / changes);
}
if (Number.isNaN(sum)) throw new Error('the levels were no numbers');
process.stdout.write(`${best.toFixed(2)}\n`);
