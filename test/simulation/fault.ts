import { zero } from '../../src/core/base/amount.ts';
import type { InstrumentId, Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { ClientOrderId, Side } from '../../src/core/model/order.ts';
import type { TroubleName, TroubleTerms } from '../../src/exchange/chaos/index.ts';
import { beginTrouble } from '../../src/exchange/chaos/index.ts';
import type { AccountId } from '../../src/exchange/matching/accounts/command.ts';
import type { CounterRandom } from '../../src/app/virtual/counter-random.ts';
import type { SimulatedSystem } from './system.ts';

/** What a fault may touch. */
export interface FaultStage {
  readonly system: SimulatedSystem;
  /** Of this fault alone. */
  readonly random: CounterRandom;
  readonly forMs: number;
  /** From 0 to 1. */
  readonly force: number;
  /** Runs `task` so much later, by true time. */
  after(ms: number, task: () => void): void;
  /** The fault took effect. */
  mark(): void;
}

/** Begins a fault; what it returns ends it when its time is over. */
export type Fault = (stage: FaultStage) => (() => void) | void;

/** The rows of the catalogue a kind stands for. Source: faults, section 3. */
export interface FaultRow {
  readonly rows: string;
  readonly begin: Fault;
  /** It stands in the way of nothing but what it is about: reads and cancels go on. */
  readonly isNarrow?: boolean;
  /** It is of seeds that trade on margin. */
  readonly isOnMargin?: boolean;
  /** It is drawn apart from the others. */
  readonly isOfMoney?: boolean;
  /** It is an act of the operator, drawn apart too. */
  readonly isOfOperator?: boolean;
  /** It is of what strategies ask for, drawn apart too. */
  readonly isOfWorkload?: boolean;
  /** It is of the seeds with odd faults, drawn apart too. */
  readonly isOfOddity?: boolean;
  /** It is of drills alone, where it has so long for itself, ms. */
  readonly drillMs?: number;
}

/** Has `end` run so much later, whatever the time of the fault, or when all faults end. */
export function lasting(stage: FaultStage, ms: number, end: () => void): void {
  const { endings } = stage.system;
  endings.add(end);
  stage.after(ms, () => {
    if (endings.delete(end)) end();
  });
}

/** Begins a trouble of the table that the product has, by its name; what it returns ends it. */
export function trouble(stage: FaultStage, name: TroubleName, terms: Partial<TroubleTerms> = {}): () => void {
  const { system } = stage;
  const { exchange } = system;
  const setStatus = (symbol: string, status: 'suspended' | 'working'): void =>
    system.command({ kind: 'setStatus', instrument: exchange.world.core.instruments.get(symbol).id, status });
  // Of the account that the trader has alone: others go on.
  const cancelAll = (): void =>
    system.command({ kind: 'cancelAll', account: exchange.account, instrument: undefined });
  return beginTrouble(
    name,
    { faults: exchange.faults, symbols: () => [], setStatus, cancelAll },
    { times: 1, ...terms },
  );
}

/** A limit order that somebody else than the trader places. */
export interface VenueOrderTerms {
  readonly clientOrderId: ClientOrderId;
  readonly instrument: InstrumentId;
  readonly side: Side;
  readonly timeInForce: 'GTC' | 'IOC';
  readonly lots: number;
  readonly price: Ticks;
}

/** Places a limit order of an account at the exchange, past the trader. */
export function placeAtVenue(
  system: SimulatedSystem,
  account: AccountId,
  { lots, ...terms }: VenueOrderTerms,
): void {
  system.command({
    kind: 'place',
    account,
    takeMarkup: zero,
    makeMarkup: zero,
    request: {
      ...terms,
      type: 'limit',
      quantity: lots as Lots,
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
    },
  });
}
