import { pathToFileURL } from 'node:url';
import { Random } from '../../src/core/base/random.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import type { LadderSide } from '../../src/core/book/ladder-side.ts';
import { RingSide } from '../../src/core/book/ring-side.ts';
import { SortedSide } from '../../src/core/book/sorted-side.ts';
import type { Lots, Ticks } from '../../src/core/model/instrument.ts';

const updates = 400_000;

export interface BookFigure {
  readonly name: string;
  readonly nanosPerUpdate: number;
}

/** A stream like a busy market: distance from the touch exponential with mean 12 ticks, 3 % uniform, 31 % deletes. */
function stream(depth: number): { prices: Float64Array; sizes: Float64Array } {
  const random = new Random('book bench');
  const prices = new Float64Array(updates);
  const sizes = new Float64Array(updates);
  let touch = 1_000_000;
  for (let i = 0; i < updates; i++) {
    if (random.chance(0.05)) touch += random.between(-2, 2);
    const away = random.chance(0.03) ? random.between(0, depth) : Math.floor(random.exponential(12));
    prices[i] = touch - away;
    sizes[i] = random.chance(0.31) ? 0 : random.between(1, 100_000);
  }
  return { prices, sizes };
}

function measure(side: LadderSide, depth: number): number {
  const clock = new SystemClock();
  const { prices, sizes } = stream(depth);
  const rounds: number[] = [];
  let seen = 0;
  for (let round = 0; round < 9; round++) {
    side.clear();
    for (let i = 0; i < depth; i++) side.set((1_000_000 - i) as Ticks, 1 as Lots);
    const start = clock.uptime();
    for (let i = 0; i < updates; i++) {
      side.set(prices[i] as Ticks, sizes[i] as Lots);
      seen += side.best ?? 0;
      seen += side.bestQuantity;
    }
    rounds.push(clock.uptime() - start);
  }
  if (!Number.isFinite(seen)) throw new Error('the bench read no prices');
  rounds.sort((a, b) => a - b);
  return ((rounds[4] as number) * 1_000) / updates;
}

/** Nanoseconds per update with best price and quantity read each time, per ladder and depth. */
export function benchBook(): readonly BookFigure[] {
  return [1_000, 5_000].flatMap((depth) => [
    { name: `sorted side, depth ${depth}`, nanosPerUpdate: measure(new SortedSide('bid'), depth) },
    { name: `ring side, depth ${depth}`, nanosPerUpdate: measure(new RingSide('bid'), depth) },
  ]);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const figure of benchBook()) {
    process.stdout.write(`${figure.name}: ${figure.nanosPerUpdate.toFixed(1)} ns per update\n`);
  }
}
