import { millis } from '../../src/core/base/clock.ts';
import type { HttpAnswer } from '../../src/exchange/http/http.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import type { FaultRow, FaultStage } from './fault.ts';
import { placeAtVenue } from './fault.ts';
import type { Meddler, Tamper } from '../../src/app/virtual/weather.ts';

/** Faults that wait for one order and then meet it alone. They leave reads and cancels of others in peace. */
export const aimedFaults = {
  /** A replacement is refused, the original is gone, and no report says so. */
  replaceEndsOriginal: row('X11', (stage) => {
    const { system } = stage;
    let left = 4;
    onOrder(stage, ({ method, params }) => {
      const original = params['client_order_id'] ?? '';
      const { exchange } = system;
      if (method !== 'spot_replace_order' || !exchange.isActive(original)) return false;
      stage.mark();
      loseReports(stage, original, () => true);
      system.command({ kind: 'cancel', account: exchange.account, clientOrderId: original as ClientOrderId });
      left -= 1;
      return left === 0;
    });
  }),
  /** A cancel is refused though the order lives. */
  refuseCancel: row('X10', (stage) => {
    const { system, random } = stage;
    let left = random.between(1, 6);
    const meddler: Meddler = {
      instead: (request) => {
        const id = /^DELETE \/api\/3\/spot\/order\/([^?/]+)$/.exec(request)?.[1];
        if (id === undefined || !system.exchange.isActive(id)) return undefined;
        stage.mark();
        left -= 1;
        if (left === 0) system.network.weather.meddlers.delete(meddler);
        return refusal;
      },
    };
    system.network.weather.meddlers.add(meddler);
    return () => system.network.weather.meddlers.delete(meddler);
  }),
  /** An order whose answer was lost rests at the exchange, and for two minutes no list shows it; balances do. */
  hiddenOrder: row('X9', (stage) => {
    onOrder(stage, ({ method, params }) => {
      const id = params['client_order_id'] ?? '';
      if (method !== 'spot_new_order' || !isFar(stage, params)) return false;
      stage.mark();
      hide(stage, id, 130_000);
      return true;
    });
  }),
  /** The report of a trade is lost, and the history shows it only 50 s later. */
  lateTrade: row('X6 X9', (stage) => {
    const { system } = stage;
    const { weather } = system.network;
    let trade = '';
    const lost: Tamper = (road, text) => {
      const id = /"client_order_id":"gw-.*"trade_id":(\d+)/.exec(text)?.[1];
      if (road !== 'trading' || id === undefined || (trade !== '' && id !== trade)) return undefined;
      if (trade === '') {
        trade = id;
        stage.mark();
        stage.after(50_000, () => {
          weather.tampers.delete(lost);
          weather.meddlers.delete(unseen);
        });
      }
      return [];
    };
    const unseen: Meddler = {
      changed: (request, answer) => {
        if (trade === '' || !request.startsWith('GET /api/3/spot/history/trade?')) return answer;
        const rows = JSON.parse(answer.text) as unknown;
        if (!Array.isArray(rows)) return answer;
        return {
          ...answer,
          text: JSON.stringify(rows.filter((row: { id?: number }) => String(row.id) !== trade)),
        };
      },
    };
    weather.tampers.add(lost);
    weather.meddlers.add(unseen);
    // Without a trade in its time there is nothing to hide.
    return () => {
      if (trade !== '') return;
      weather.tampers.delete(lost);
      weather.meddlers.delete(unseen);
    };
  }),
  /** The second of some orders is answered, and nothing tells of the others for a while. */
  scatteredSilence: row('N3', (stage) => {
    let count = 0;
    onOrder(stage, ({ method, params }) => {
      const id = params[method === 'spot_new_order' ? 'client_order_id' : 'new_client_order_id'] ?? '';
      count += 1;
      if (count !== 2) {
        stage.mark();
        const { meddlers } = stage.system.network.weather;
        const end = loseReports(stage, id, () => true, true);
        const meddler: Meddler = {
          changed: (request, answer) =>
            request.startsWith('GET /api/3/spot/') ? without(id, answer) : answer,
        };
        meddlers.add(meddler);
        withhold(stage, id, 12_000);
        stage.after(12_000, () => {
          end();
          meddlers.delete(meddler);
        });
      }
      return count > 5;
    });
  }),
  /** Some replacements are never answered or reported; in half of the cases a new process takes them up. Drawn apart. */
  unheardReplacement: {
    ...row('N3 P1', (stage) => {
      const { system, random } = stage;
      const isCrashing = random.chance(0.5);
      let left = 3;
      onOrder(stage, ({ method, params }) => {
        if (!method.endsWith('_replace_order')) return false;
        stage.mark();
        stage.after(
          30_000,
          loseReports(stage, params['new_client_order_id'] ?? '', () => true, true),
        );
        left -= 1;
        if (left === 0 && isCrashing)
          stage.after(random.between(20, 2_000), () => {
            if (system.crash()) stage.after(500, () => system.trader ?? system.start());
          });
        return left === 0;
      });
    }),
    isOfWorkload: true,
  },
  /** The account trades with itself: somebody takes an own order by hand. */
  ownTrade: row('X20', (stage) => {
    const { system, random } = stage;
    const { exchange } = system;
    const active = exchange.world.core.exchange
      .activeOrders(exchange.account)
      .filter(({ clientOrderId, price }) => clientOrderId.startsWith('gw-') && price !== undefined);
    const best = active[random.between(0, Math.max(0, active.length - 1))];
    if (best?.price === undefined) return;
    stage.mark();
    placeAtVenue(system, exchange.account, {
      clientOrderId: `byhand-${system.elapsedMs}-${random.uint32()}` as ClientOrderId,
      instrument: best.instrument,
      side: best.side === 'buy' ? 'sell' : 'buy',
      timeInForce: 'IOC',
      lots: random.between(300, 900),
      price: best.price,
    });
  }),
  /** The market goes while an order waits for the disk. */
  cutWhileWaiting: row('D7 W11', (stage) => {
    const { system, random } = stage;
    const { diskWeather, tower, network } = system;
    diskWeather.syncMin = 120_000;
    let left = 4;
    const hook = (kind: string): void => {
      if (kind !== 'orderPending' || !random.chance(0.5)) return;
      stage.mark();
      left -= 1;
      if (left === 0) tower.eventHooks.delete(hook);
      stage.after(random.between(1, 90), () => network.cut('market'));
    };
    tower.eventHooks.add(hook);
    return () => {
      tower.eventHooks.delete(hook);
      diskWeather.syncMin = 200;
    };
  }),
} satisfies Record<string, FaultRow>;

export const refusal: HttpAnswer = {
  status: 400,
  text: '{"error":{"code":20002,"message":"Order not found","description":""}}',
  reason: undefined,
};

function row(rows: string, begin: FaultRow['begin']): FaultRow {
  return { rows, begin, isNarrow: true };
}

interface OrderFrame {
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Shows each order as its bytes leave, until `take` has taken one or the faults are over. */
export function onOrder({ system }: FaultStage, take: (frame: OrderFrame) => boolean): void {
  const { orderHooks } = system.tower;
  const hook = (text: string): void => {
    if (take(JSON.parse(text) as OrderFrame)) orderHooks.delete(hook);
  };
  orderHooks.add(hook);
}

/** For so long no answer, report or list tells of an order, nor does a cancel find it; its trades are reported. */
function hide(stage: FaultStage, id: string, ms: number): void {
  const { system } = stage;
  let begun = false;
  let isOver = false;
  const hidden = (): boolean => {
    // It may have lived and ended while nobody asked.
    begun ||= system.exchange.isActive(id) || system.exchange.has(id);
    // A trade of it reported that it lives, or it has ended.
    const state = system.trader?.trader.view.order(id as ClientOrderId)?.state;
    isOver ||= (begun && !system.exchange.isActive(id)) || state === 'new' || state === 'partiallyFilled';
    return !isOver;
  };
  const end = loseReports(stage, id, hidden);
  const meddler: Meddler = {
    instead: (request) => (begun && hidden() && request.endsWith(`/spot/order/${id}`) ? refusal : undefined),
    changed: (request, answer) =>
      hidden() && /^GET \/api\/3\/spot\/(history\/)?order(\?|$)/.test(request) ? without(id, answer) : answer,
  };
  system.network.weather.meddlers.add(meddler);
  withhold(stage, id, ms);
  stage.after(ms, () => {
    end();
    system.network.weather.meddlers.delete(meddler);
  });
}

/** For so long no read shows an order, whatever becomes of it. */
export function withhold({ system }: FaultStage, id: string, ms: number): void {
  system.tower.withheld.set(id, system.time.now() + millis(ms));
}

/** Whether an order will rest for long. */
export function isFar({ system }: FaultStage, params: OrderFrame['params']): boolean {
  const { core } = system.exchange.world;
  const instrument = core.instruments.all.find(({ symbol }) => symbol === params['symbol']);
  if (instrument === undefined || params['time_in_force'] !== 'GTC') return false;
  const touch = core.market(instrument.id).book.best(params['side'] === 'buy' ? 'buy' : 'sell');
  if (touch === undefined) return false;
  return Math.abs(instrument.ticks(params['price'] ?? '') / touch.price - 1) > 0.003;
}

/** What the trading socket says of an order is lost while `lost()`, but for its trades unless `isWhole`. Returns what ends it. */
export function loseReports(
  { system }: FaultStage,
  id: string,
  lost: () => boolean,
  isWhole = false,
): () => void {
  const { tampers } = system.network.weather;
  const tamper: Tamper = (road, text) => {
    if (
      road !== 'trading' ||
      !text.includes(`"${id}"`) ||
      (!isWhole && text.includes('"trade_id"')) ||
      !lost()
    )
      return undefined;
    const frame = JSON.parse(text) as { params?: unknown };
    if (!Array.isArray(frame.params)) return [];
    return [
      { text: JSON.stringify({ ...frame, params: frame.params.filter((row) => !tells(row, id)) }), later: 0 },
    ];
  };
  tampers.add(tamper);
  return () => tampers.delete(tamper);
}

/** An answer without the rows of an order. */
export function without(id: string, answer: HttpAnswer): HttpAnswer {
  const rows = JSON.parse(answer.text) as unknown;
  if (!Array.isArray(rows)) return answer;
  return { ...answer, text: JSON.stringify(rows.filter((row) => !tells(row, id))) };
}

function tells(row: unknown, id: string): boolean {
  return (row as { client_order_id?: string }).client_order_id === id;
}
