import { instrumentsOfHeader } from '../../../src/app/run/journal-header.ts';
import { readHeader } from '../../../src/core/journal/index.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';
import { State } from '../../../src/core/state/state.ts';
import { troubles } from '../support/observer.ts';
import type { World, WorldSetup } from './world.ts';
import { World as Worlds } from './world.ts';

/** One row of the catalogue of faults, played on real processes. */
export interface Scenario {
  /** Id of the row. */
  readonly row: string;
  readonly figure: { readonly name: string; readonly unit: string; readonly atMost: number };
  /** A world of its own, where one of the others would not do. */
  readonly setup?: Partial<WorldSetup>;
  /** The share of CI has it, in seconds. */
  readonly isShort?: boolean;
  /** Plays the fault; what the row counts. Throws where something else than that went wrong. */
  readonly run: (world: World) => Promise<number>;
}

/** What came of a scenario. */
export interface Outcome {
  readonly row: string;
  readonly value: number;
  /** Orders lost, doubled, larger than intended or unknown, executions, balances and positions that differ: 0. */
  readonly trouble: number;
  readonly convergeMs: number;
  readonly resumedMs: number;
  /** Sentences on what was not as it shall be. */
  readonly differences: readonly string[];
}

export interface Playing {
  readonly seed: number;
  readonly tell: (line: string) => void;
  readonly stopped: AbortSignal;
}

/** Plays scenarios one after another on one world, and on a new one where the last is broken or another is asked for. */
export async function play(
  scenarios: readonly Scenario[],
  { seed, tell, stopped }: Playing,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let world: World | undefined;
  /** Ends the world in good order: what its audit and its summary say belongs to the last scenario. */
  const end = async (): Promise<void> => {
    const last = outcomes.at(-1);
    if (world === undefined || last === undefined) return;
    const differences = await world.end();
    outcomes.splice(-1, 1, {
      ...last,
      trouble: last.trouble + differences.length,
      differences: [...last.differences, ...differences.map((one) => `at the end: ${one}`)],
    });
    await world.close();
    world = undefined;
  };
  try {
    for (const { row, run, setup } of scenarios) {
      stopped.throwIfAborted();
      if (setup !== undefined) await end();
      world ??= await Worlds.open({ seed, ...setup });
      try {
        const value = await run(world);
        const { findings, convergeMs, resumedMs } = await world.settle();
        const trouble = troubles.reduce((sum, name) => sum + findings[name], 0);
        outcomes.push({ row, value, trouble, convergeMs, resumedMs, differences: findings.differences });
      } catch (error) {
        const why = error instanceof Error ? [error.message, causeOf(error)].join(' ') : String(error);
        outcomes.push({
          row,
          value: Number.NaN,
          trouble: 1,
          convergeMs: 0,
          resumedMs: 0,
          differences: [why],
        });
        await world.close();
        world = undefined;
      }
      const said = outcomes.at(-1);
      tell(
        `${row} ${said?.value} converge ${said?.convergeMs} ms, resumed ${said?.resumedMs} ms ${said?.differences.join('; ')}`,
      );
      if (setup !== undefined) await end();
    }
    await end();
    return outcomes;
  } finally {
    await world?.close();
  }
}

function causeOf({ cause }: Error): string {
  return cause instanceof Error ? cause.message : '';
}

/** How long each order was in doubt since then, ms: until a report or a read said what became of it. */
export function doubtsMs(world: World, sinceMs: number): readonly number[] {
  const { instruments } = instrumentsOfHeader(readHeader(world.directory));
  const state = new State({ instruments });
  const since = new Map<string, number>();
  const doubts: number[] = [];
  for (const event of world.events(0)) {
    state.fold(event);
    if (event.kind === 'orderUnknown' && event.receiveTime >= sinceMs * 1_000)
      since.set(event.clientOrderId, event.receiveTime);
    for (const [id, begun] of since) {
      if (state.order(id as ClientOrderId)?.state === 'unknown') continue;
      since.delete(id);
      doubts.push((event.receiveTime - begun) / 1_000);
    }
  }
  return [...doubts, ...[...since].map(() => Number.NaN)];
}

/** The largest, and 0 where there is none. */
export function most(values: readonly number[]): number {
  return values.some(Number.isNaN) ? Number.NaN : Math.round(Math.max(0, ...values));
}

/** How many levels of a book differ from those of the exchange, once nobody trades. */
export async function bookDifferences(world: World, symbol = 'ETHUSDT'): Promise<number> {
  await world.venue.act('calm');
  let left = Number.NaN;
  for (let look = 0; look < 40 && left !== 0; look++) {
    await world.pause(250);
    const theirs = (await world.venue.account.ask(`public/orderbook/${symbol}?depth=50`)) as Sides;
    const ours = (await world.ask(`/api/books/${symbol}`)) as Record<'bids' | 'asks', readonly Level[]>;
    left = differing(ours.bids, theirs.bid) + differing(ours.asks, theirs.ask);
  }
  await world.venue.act('stir');
  return left;
}

type Level = readonly [price: string, quantity: string];
type Sides = Readonly<Record<'bid' | 'ask', readonly Level[]>>;

function differing(ours: readonly Level[], theirs: readonly Level[]): number {
  const text = ([price, quantity]: Level): string => `${Number(price)} ${Number(quantity)}`;
  const mine = new Set(ours.map(text));
  return theirs.slice(0, 20).filter((level) => !mine.has(text(level))).length;
}
