import type { Ticks } from '../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import type { FaultRow, FaultStage } from './fault.ts';
import { placeAtVenue } from './fault.ts';

const refusals = [20_001, 20_003, 20_010, 2_022, 600, 20_080] as const;

/** Faults of what the exchange does. */
export const exchangeFaults = {
  timeoutAccepted: row('X1', (stage) => {
    stage.mark();
    stage.system.exchange.faults.answer504('afterAccept', times(stage, 4));
  }),
  timeoutRefused: row('X2', (stage) => {
    stage.mark();
    stage.system.exchange.faults.answer504('beforeAccept', times(stage, 4));
  }),
  timeoutLate: row('X3', (stage) => {
    stage.mark();
    stage.system.exchange.faults.landLate(3_000 + Math.round(stage.force * 22_000), times(stage, 2));
  }),
  keepOriginal: row('X12', (stage) => {
    stage.mark();
    stage.system.exchange.faults.keepOriginals(times(stage, 4));
  }),
  refuseOrders: row('X15', (stage) => {
    stage.mark();
    stage.system.exchange.faults.refuseOrders(stage.random.pick(refusals), times(stage, 3));
  }),
  limited: row('X16', (stage) => {
    stage.mark();
    stage.system.tower.limitedOnPurpose = true;
    stage.system.exchange.faults.answer429(times(stage, 5));
  }),
  limitedBurst: row('X16', (stage) => {
    stage.mark();
    const { system } = stage;
    const ms = 20_000 + stage.force * 20_000;
    system.tower.limitedOnPurpose = true;
    system.tower.wire.isLimited = true;
    system.disturb(ms + 6_000);
    system.exchange.faults.answer429(100_000);
    stage.after(ms, () => system.exchange.faults.answer429(0));
  }),
  unavailable: row('X17', (stage) => {
    stage.mark();
    stage.system.exchange.faults.answer503(times(stage, 12));
  }),
  down: row('X17', (stage) => {
    const { system, forMs } = stage;
    stage.mark();
    const until = system.time.now() + forMs * 1_000;
    for (const road of Object.values(system.network.weather.roads)) road.refusedTo = until;
    system.exchange.faults.closeSockets(1_012, 'restart');
    system.exchange.faults.answer503(1_000);
    if (stage.random.chance(0.5))
      system.command({ kind: 'cancelAll', account: system.exchange.account, instrument: undefined });
    return () => system.exchange.faults.answer503(0);
  }),
  lag: row('X7 X9', (stage) => {
    stage.mark();
    stage.system.exchange.faults.lagHistory(Math.round(stage.force * 60_000));
    return () => stage.system.exchange.faults.lagHistory(0);
  }),
  holdReplies: row('X4', (stage) => {
    stage.mark();
    stage.system.exchange.faults.holdReplies(Math.round(stage.force * 7_000));
    return () => stage.system.exchange.faults.holdReplies(0);
  }),
  dropReplies: row('N3', (stage) => {
    stage.mark();
    stage.system.exchange.faults.dropReplies(times(stage, 6));
    return () => stage.system.exchange.faults.dropReplies(0);
  }),
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
  suspend: row('X18', (stage) => {
    const { system, random } = stage;
    stage.mark();
    const { id } = random.pick(system.exchange.world.core.instruments.all);
    system.command({ kind: 'setStatus', instrument: id, status: 'suspended' });
    return () => system.command({ kind: 'setStatus', instrument: id, status: 'working' });
  }),
  exchangeClock: row('C3', (stage) => {
    stage.mark();
    const { error } = stage.system.exchangeClock;
    // The core's time must not go back, so a clock that was ahead only waits.
    error.offset = (stage.force - 0.5) * 10_000_000;
    return () => {
      error.offset = 0;
    };
  }),
} satisfies Record<string, FaultRow>;

function row(rows: string, begin: FaultRow['begin']): FaultRow {
  return { rows, begin };
}

function narrow(rows: string, begin: FaultRow['begin']): FaultRow {
  return { rows, begin, isNarrow: true };
}

function times({ force }: FaultStage, most: number): number {
  return 1 + Math.floor(force * most);
}
