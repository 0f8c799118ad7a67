import type { Ticks } from '../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import type { TroubleName, TroubleTerms } from '../../src/exchange/chaos/index.ts';
import type { FaultRow, FaultStage } from './fault.ts';
import { placeAtVenue, trouble } from './fault.ts';

const refusals = [20_001, 20_003, 20_010, 2_022, 600, 20_080] as const;

/** Faults of what the exchange does. */
export const exchangeFaults = {
  timeoutAccepted: meets('X1', 'timeout-accepted', 4),
  timeoutRefused: meets('X2', 'timeout-refused', 4),
  timeoutLate: row('X3', (stage) => {
    stage.mark();
    const ms = 3_000 + Math.round(stage.force * 22_000);
    trouble(stage, 'late-order', { ms, times: times(stage, 2) });
  }),
  keepOriginal: meets('X12', 'kept-original', 4),
  refuseOrders: row('X15', (stage) => {
    stage.mark();
    stage.system.exchange.faults.refuseOrders(stage.random.pick(refusals), times(stage, 3));
  }),
  limited: row('X16', (stage) => {
    stage.mark();
    stage.system.tower.limitedOnPurpose = true;
    trouble(stage, 'rate-limited', { times: times(stage, 5) });
  }),
  limitedBurst: row('X16', (stage) => {
    stage.mark();
    const { system } = stage;
    const ms = 20_000 + stage.force * 20_000;
    system.tower.limitedOnPurpose = true;
    system.tower.wire.isLimited = true;
    system.disturb(ms + 6_000);
    stage.after(ms, trouble(stage, 'rate-limited', { times: 100_000 }));
  }),
  unavailable: meets('X17', 'unavailable', 12),
  down: row('X17', (stage) => {
    const { system, forMs } = stage;
    stage.mark();
    const until = system.time.now() + forMs * 1_000;
    for (const road of Object.values(system.network.weather.roads)) road.refusedTo = until;
    return trouble(stage, stage.random.chance(0.5) ? 'restart-without-orders' : 'restart');
  }),
  lag: lasts('X7 X9', 'not-found', ({ force }) => ({ ms: Math.round(force * 60_000) })),
  holdReplies: lasts('X4', 'late-replies', ({ force }) => ({ ms: Math.round(force * 7_000) })),
  dropReplies: lasts('N3', 'lost-replies', (stage) => ({ times: times(stage, 6) })),
  fillAtOnce: narrow('X10 X13', (stage) => {
    const { system, random } = stage;
    const { exchange } = system;
    const [first] = exchange.world.core.exchange
      .activeOrders(exchange.account)
      .filter(() => random.chance(0.6));
    if (first === undefined || first.price === undefined) return;
    stage.mark();
    const other = exchange.world.accounts.get('other').id;
    const lots = random.chance(0.5) ? first.quantity - first.cumulative : 1;
    placeAtVenue(system, other, {
      clientOrderId: `other-${system.elapsedMs}-${random.uint32()}` as ClientOrderId,
      instrument: first.instrument,
      side: first.side === 'buy' ? 'sell' : 'buy',
      timeInForce: 'IOC',
      lots: Math.max(1, lots),
      price: first.price,
    });
  }),
  manualOrder: narrow('X20', (stage) => {
    const { system, random } = stage;
    const { core } = system.exchange.world;
    // No margin account pays for it, and a contract takes no other order.
    const instrument = random.pick(core.instruments.all.filter(({ spec }) => spec.type === 'spot'));
    const side = random.pick(['buy', 'sell'] as const);
    const touch = core.market(instrument.id).book.best(side);
    if (touch === undefined) return;
    stage.mark();
    placeAtVenue(system, system.exchange.account, {
      clientOrderId: `manual-${system.elapsedMs}-${random.uint32()}` as ClientOrderId,
      instrument: instrument.id,
      side,
      timeInForce: 'GTC',
      lots: random.between(10, 100),
      price: (touch.price + random.between(-20, 20)) as Ticks,
    });
  }),
  manualCancel: narrow('X20 X19', (stage) => {
    const { system, random } = stage;
    const { exchange } = system;
    const active = exchange.world.core.exchange.activeOrders(exchange.account);
    if (active.length === 0) return;
    stage.mark();
    if (random.chance(0.3))
      system.command({ kind: 'cancelAll', account: exchange.account, instrument: undefined });
    else {
      const { clientOrderId } = random.pick(active);
      system.command({ kind: 'cancel', account: exchange.account, clientOrderId });
    }
  }),
  suspend: lasts('X18', 'suspended-symbol', ({ system, random }) => ({
    symbols: [random.pick(system.exchange.world.core.instruments.all).symbol],
  })),
  // The core's time must not go back, so a clock that was ahead only waits.
  exchangeClock: lasts('C3', 'clock-off', ({ force }) => ({ ms: (force - 0.5) * 10_000 })),
} satisfies Record<string, FaultRow>;

function row(rows: string, begin: FaultRow['begin']): FaultRow {
  return { rows, begin };
}

/** Is met by requests one by one, however long that takes. */
function meets(rows: string, name: TroubleName, most: number): FaultRow {
  return row(rows, (stage) => {
    stage.mark();
    trouble(stage, name, { times: times(stage, most) });
  });
}

/** Ends with the time of the fault. */
function lasts(
  rows: string,
  name: TroubleName,
  terms: (stage: FaultStage) => Partial<TroubleTerms>,
): FaultRow {
  return row(rows, (stage) => {
    stage.mark();
    return trouble(stage, name, terms(stage));
  });
}

function narrow(rows: string, begin: FaultRow['begin']): FaultRow {
  return { rows, begin, isNarrow: true };
}

function times({ force }: FaultStage, most: number): number {
  return 1 + Math.floor(force * most);
}
