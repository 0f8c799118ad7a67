import type { Ticks } from '../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import type { HttpAnswer } from '../../src/exchange/http/http.ts';
import { isFar, loseReports, onOrder, refusal, withhold, without } from './faults-aimed.ts';
import type { FaultRow, FaultStage } from './fault.ts';
import { lasting, placeAtVenue } from './fault.ts';
import { place } from './faults-margin.ts';
import { moneyFaults } from './faults-money.ts';
import type { Meddler } from '../../src/app/virtual/weather.ts';

/** Faults of drills: each makes one situation that chance hardly ever makes, and has a while for itself. */
export const drillFaults = {
  /** A list of active orders arrives late, and for a while the same list is the answer; somebody cancels one that it shows. */
  oldLists: drill('X7', 32_000, (stage) => {
    const { system, random } = stage;
    let kept: { readonly at: number; readonly answer: HttpAnswer } | undefined;
    const isList = (request: string): boolean => /^GET \/api\/3\/spot\/order(\?|$)/.test(request);
    const isFresh = (): boolean =>
      kept !== undefined && kept.at < system.time.now() && system.time.now() - kept.at < 4_000_000;
    const meddler: Meddler = {
      changed: (request, answer) => {
        if (!isList(request) || answer.status !== 200) return answer;
        if (isFresh() && kept !== undefined) return kept.answer;
        stage.mark();
        kept = { at: system.time.now(), answer };
        const rows = JSON.parse(answer.text) as readonly { readonly client_order_id: string }[];
        const one = rows[random.between(0, Math.max(0, rows.length - 1))];
        if (one !== undefined)
          stage.after(500, () => cancelAtVenue(stage, one.client_order_id as ClientOrderId));
        return answer;
      },
      laterMs: (request) => (isList(request) && !isFresh() ? 2_000 : 0),
    };
    system.network.weather.meddlers.add(meddler);
    const end = refusingCancels(stage, 0.3);
    lasting(stage, 30_000, () => {
      end();
      system.network.weather.meddlers.delete(meddler);
    });
  }),
  /** The account trades with itself: somebody takes the first of the own orders by hand, and what stands before it is gone. */
  ownTradeAtTouch: drill('X20', 5_000, (stage) => {
    const { system } = stage;
    const { exchange } = system;
    const { core } = exchange.world;
    onOrder(stage, ({ method, params }) => {
      const id = params['client_order_id'] ?? '';
      if (method !== 'spot_new_order' || params['time_in_force'] !== 'GTC') return false;
      stage.after(300, () => {
        const own = core.exchange.activeOrders(exchange.account).find((one) => one.clientOrderId === id);
        if (own?.price === undefined) return;
        const { instrument, price, side, quantity } = own;
        const levels = core.market(instrument).book.liveLevels(side, 1_000);
        const isBefore = (level: { readonly price: number }): boolean =>
          side === 'buy' ? level.price > price : level.price < price;
        const before = levels.filter(isBefore).reduce((sum, level) => sum + level.quantity, 0);
        const other = side === 'buy' ? 'sell' : 'buy';
        const shared = { instrument, side: other, timeInForce: 'IOC' } as const;
        const next = (price + (side === 'buy' ? 1 : -1)) as Ticks;
        if (before > 0) place(stage, { ...shared, price: next, lots: before });
        const here = levels.find((level) => level.price === price)?.quantity ?? quantity;
        stage.mark();
        placeAtVenue(system, exchange.account, {
          ...shared,
          clientOrderId: `taken-${system.elapsedMs}` as ClientOrderId,
          lots: here,
          price,
        });
      });
      return true;
    });
  }),
  /** A symbol is suspended for longer than looks at its status are apart. */
  longSuspension: drill('X18', 50_000, (stage) => {
    const { system, random } = stage;
    stage.mark();
    const spot = system.exchange.world.core.instruments.all.filter(({ spec }) => spec.type === 'spot');
    const { id } = random.pick(spot);
    system.command({ kind: 'setStatus', instrument: id, status: 'suspended' });
    lasting(stage, 48_000, () => system.command({ kind: 'setStatus', instrument: id, status: 'working' }));
  }),
  /** Of four orders the second alone is answered; nothing tells of the others until they are unknown, and strategies rest. */
  scatteredLoss: drill('N3 X2', 72_000, (stage) => {
    let count = 0;
    onOrder(stage, ({ method, params }) => {
      if (!/^spot_(new|replace)_order$/.test(method)) return false;
      const id = params[method === 'spot_new_order' ? 'client_order_id' : 'new_client_order_id'] ?? '';
      count += 1;
      if (count === 1) rest(stage, 70_000, 3_000);
      if (count !== 2) {
        stage.mark();
        silence(stage, id, 22_000);
      }
      return count === 4;
    });
  }),
  /** A message about an own order cannot be read while a look is under way, which ends; the next one has to wait. */
  garbleInLook: drill('W10 M6', 16_000, (stage) => {
    const { system } = stage;
    const { weather } = system.network;
    let garbled = false;
    let isLate = false;
    const isOwn = (request: string): boolean => /^GET \/api\/3\/(?!public)/.test(request);
    const slow: Meddler = {
      instead: (request) => (garbled && isOwn(request) ? unavailable : undefined),
      laterMs: (request) => {
        if (!isOwn(request) || isLate) return 0;
        isLate = true;
        weather.tampers.add(garble);
        return 2_500;
      },
    };
    const garble = (road: string, text: string) => {
      if (road !== 'trading' || garbled || !text.includes('"method":"spot_order"')) return undefined;
      garbled = true;
      stage.mark();
      system.tower.garbled = true;
      system.disturb(12_000);
      lasting(stage, 6_000, () => weather.meddlers.delete(slow));
      return [{ text: text.replace('"quantity":', '"quantitee":'), later: 0 }];
    };
    weather.meddlers.add(slow);
    const end = refusingCancels(stage, 1);
    lasting(stage, 8_000, () => {
      end();
      weather.tampers.delete(garble);
      if (!garbled) weather.meddlers.delete(slow);
    });
  }),
  /** Market data begin to come late while orders wait for the disk. */
  lateAtGate: drill('D7 N7', 16_000, (stage) => {
    const { system } = stage;
    const { market } = system.network.weather.roads;
    const { diskWeather } = system;
    stage.mark();
    system.disturb(16_000);
    market.delayMin += 4_000_000;
    diskWeather.syncMin = 700_000;
    lasting(stage, 6_000, () => {
      market.delayMin -= 4_000_000;
      diskWeather.syncMin = 200;
    });
  }),
  /** The trading session goes while an order waits for the disk. */
  cutAtGate: drill('D7 N4', 12_000, (stage) => {
    whileWaiting(stage, 500_000, () => {
      stage.system.disturb(6_000);
      stage.system.network.cut('trading');
    });
  }),
  /** The disk takes longer than an order may wait. */
  diskBeyondDeadline: drill('D7', 10_000, (stage) => {
    const { diskWeather } = stage.system;
    stage.mark();
    diskWeather.syncMin = 1_700_000;
    lasting(stage, 5_000, () => {
      diskWeather.syncMin = 200;
    });
  }),
  /** A new process begins while a strategy is stopped. */
  stopOverRestart: drill('O5 P1', 14_000, (stage) => {
    const { system, random } = stage;
    const { name } = random.pick(system.roles);
    if (system.trader?.trader.started !== true) return;
    stage.mark();
    system.act({ act: 'stopStrategy', strategy: name });
    stage.after(random.between(1_000, 2_000), () => crashAndStart(stage));
    lasting(stage, 10_000, () => system.startStrategy(name));
  }),
  /** The operator has it reduce while orders rest, and strategies leave them alone. */
  reduceAtRest: drill('O5', 14_000, (stage) => {
    const { system } = stage;
    onOrder(stage, ({ method, params }) => {
      if (method !== 'spot_new_order' || !isFar(stage, params)) return false;
      rest(stage, 9_000, 100);
      stage.after(1_500, () => {
        if (system.trader?.trader.started !== true) return;
        stage.mark();
        system.act({ act: 'reduce' });
        lasting(stage, 7_000, () => system.act({ act: 'clear' }));
      });
      return true;
    });
  }),
  /** An order that somebody placed by hand is canceled by hand, and no report tells of its end. */
  lostEndOfOther: drill('X6 X20', 3_000, (stage) => {
    const { system, random } = stage;
    const { core } = system.exchange.world;
    const instrument = random.pick(core.instruments.all.filter(({ spec }) => spec.type === 'spot'));
    const touch = core.market(instrument.id).book.best('buy');
    if (touch === undefined) return;
    const id = `resting-${system.elapsedMs}` as ClientOrderId;
    placeAtVenue(system, system.exchange.account, {
      clientOrderId: id,
      instrument: instrument.id,
      side: 'buy',
      timeInForce: 'GTC',
      lots: 10,
      price: Math.round(touch.price * 0.97) as Ticks,
    });
    stage.after(2_000, () => {
      if (!system.exchange.isActive(id)) return;
      stage.mark();
      const end = loseReports(stage, id, () => true, true);
      cancelAtVenue(stage, id);
      stage.after(2_000, end);
    });
  }),
  /** As `phantomFill`, with nothing else in the way. */
  phantomInPeace: drill('I18 X27', 8_000, (stage) => moneyFaults.phantomFill.begin(stage)),
  /** A replacement has no answer when the process dies, and the next one takes it up. */
  replacementOverRestart: drill('N3 P1', 40_000, (stage) => {
    onOrder(stage, ({ method, params }) => {
      if (method !== 'spot_replace_order') return false;
      stage.mark();
      silence(stage, params['new_client_order_id'] ?? '', 20_000);
      stage.after(stage.random.between(20, 400), () => crashAndStart(stage));
      return true;
    });
  }),
} satisfies Record<string, FaultRow>;

const unavailable: HttpAnswer = {
  status: 503,
  text: '{"error":{"code":503,"message":"Service Unavailable","description":""}}',
  reason: undefined,
};

/** A row of a drill that has so long for itself. */
export function drill(rows: string, drillMs: number, begin: (stage: FaultStage) => void): FaultRow {
  return { rows, begin, isNarrow: true, drillMs };
}

function cancelAtVenue({ system }: FaultStage, clientOrderId: ClientOrderId): void {
  const { exchange } = system;
  if (exchange.isActive(clientOrderId))
    system.command({ kind: 'cancel', account: exchange.account, clientOrderId });
}

/** Some cancels of orders that live are refused, each of which brings a look. Returns what ends it. */
export function refusingCancels({ system, random }: FaultStage, share: number): () => void {
  const { meddlers } = system.network.weather;
  const meddler: Meddler = {
    instead: (request) => {
      const id = /^DELETE \/api\/3\/spot\/order\/([^?/]+)$/.exec(request)?.[1];
      return id !== undefined && system.exchange.isActive(id) && random.chance(share) ? refusal : undefined;
    },
  };
  meddlers.add(meddler);
  return () => meddlers.delete(meddler);
}

/** For so long no answer, report or read tells of an order. */
export function silence(stage: FaultStage, id: string, ms: number): void {
  const { meddlers } = stage.system.network.weather;
  const end = loseReports(stage, id, () => true, true);
  const meddler: Meddler = {
    changed: (request, answer) => (request.startsWith('GET /api/3/spot/') ? without(id, answer) : answer),
  };
  meddlers.add(meddler);
  withhold(stage, id, ms);
  lasting(stage, ms, () => {
    end();
    meddlers.delete(meddler);
  });
}

/** Strategies wish for nothing for so long, from a while later on. */
export function rest(stage: FaultStage, ms: number, afterMs: number): void {
  const { hand } = stage.system;
  stage.after(afterMs, () => {
    hand.idle = true;
    lasting(stage, ms, () => {
      hand.idle = false;
    });
  });
}

/** Once an order waits for a disk that takes so long (µs). */
function whileWaiting(stage: FaultStage, syncMin: number, task: () => void): void {
  const { system } = stage;
  const { diskWeather, tower } = system;
  diskWeather.syncMin = syncMin;
  const hook = (kind: string): void => {
    if (kind !== 'orderPending') return;
    tower.eventHooks.delete(hook);
    stage.mark();
    stage.after(stage.random.between(1, 300), task);
  };
  tower.eventHooks.add(hook);
  lasting(stage, 6_000, () => {
    tower.eventHooks.delete(hook);
    diskWeather.syncMin = 200;
  });
}

function crashAndStart(stage: FaultStage): void {
  const { system } = stage;
  if (system.crash()) stage.after(600, () => system.trader ?? system.start());
}
