import type { OperatorAct } from '../../src/core/model/operator.ts';
import type { HttpAnswer } from '../../src/exchange/http/http.ts';
import type { Ticks } from '../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import { encodeReport } from '../../src/venues/hitbtc/wire/resources/order-model.ts';
import type { FaultRow, FaultStage } from './fault.ts';
import { lasting } from './fault.ts';
import { loseReports, onOrder } from './faults-aimed.ts';
import { place } from './faults-margin.ts';
import { symbols } from './traded.ts';
import type { Meddler, Refuser, Tamper } from '../../src/app/virtual/weather.ts';

/** Faults of few seeds, each aimed at one thing that chance hardly meets. They are drawn apart: other faults of a seed are the same without them. */
export const oddFaults = {
  /** Strategies ask for what no rule lets out, and for market orders. */
  oddOrders: row('I19', (stage) => {
    const { hand } = stage.system;
    stage.mark();
    hand.odd = true;
    lasting(stage, 20_000 + stage.force * 20_000, () => {
      hand.odd = false;
    });
  }),
  /** Somebody takes a side of a book away to more than a percent from the other, while strategies send market orders. */
  wideSpread: row('I19', (stage) => {
    const { system, random } = stage;
    const { core } = system.exchange.world;
    const symbol = random.pick(symbols);
    const found = core.instruments.all.find((one) => one.symbol === symbol);
    if (found === undefined) return;
    system.hand.odd = true;
    const quotes = new Set<ClientOrderId>();
    const sweep = (): void => {
      const ask = core.market(found.id).book.best('sell');
      if (ask === undefined) return;
      const price = Math.round(ask.price * wideBy) as Ticks;
      const lots = core
        .market(found.id)
        .book.liveLevels('sell', 1_000)
        .filter((level) => level.price < price)
        .reduce((sum, { quantity }) => sum + quantity, 0);
      if (lots === 0) return;
      stage.mark();
      // What stands at the new price is somebody's, so that the side is not empty.
      quotes.add(
        place(stage, { instrument: found.id, price, side: 'sell', lots: 20_000, timeInForce: 'GTC' }),
      );
      place(stage, { instrument: found.id, price, side: 'buy', lots, timeInForce: 'IOC' });
    };
    sweep();
    for (const ms of [1_500, 3_000, 4_500, 6_000]) stage.after(ms, sweep);
    lasting(stage, 8_000, () => {
      system.hand.odd = false;
      const account = system.exchange.world.accounts.get('other').id;
      for (const clientOrderId of quotes) system.command({ kind: 'cancel', account, clientOrderId });
    });
  }),
  /** The exchange takes an order, and what answers it has a code of a kind that no document knows; nothing else tells of it for a while. */
  unknownError: row('X15', (stage) => {
    const { system, random } = stage;
    let left = 3;
    onOrder(stage, ({ method, params }) => {
      const id = params['client_order_id'] ?? '';
      if (method !== 'spot_new_order') return false;
      stage.mark();
      const code = random.pick([550, 25_001]);
      const changed: Tamper = (road, text) => {
        if (road !== 'trading' || !isReplyAbout(text, id)) return undefined;
        const error = { code, message: 'Something went wrong', description: 'simulated' };
        return [{ text: JSON.stringify({ jsonrpc: '2.0', error, id: replyId(text) }), later: 0 }];
      };
      const { tampers } = system.network.weather;
      tampers.add(changed);
      const end = loseReports(stage, id, () => true, true);
      lasting(stage, 8_000, () => {
        tampers.delete(changed);
        end();
      });
      left -= 1;
      return left === 0;
    });
  }),
  /** What was asked for is done, and a proxy answers with a page of its own, or says that it was kept waiting. */
  proxyAnswers: row('X15 X1', (stage) => {
    const { system, random } = stage;
    let left = 4;
    const meddler: Meddler = {
      changed: (request, answer) => {
        if (left === 0 || !/^(DELETE|PUT|POST) /.test(request)) return answer;
        left -= 1;
        stage.mark();
        system.disturb(6_000);
        return random.pick(pages);
      },
    };
    const { meddlers } = system.network.weather;
    meddlers.add(meddler);
    lasting(stage, 20_000, () => meddlers.delete(meddler));
  }),
  /** The trading socket comes back, and the exchange does not take a subscription of reports at first. */
  refuseReports: row('W14', (stage) => {
    const { system, random } = stage;
    let left = random.between(1, 2);
    const refuser: Refuser = (road, text) => {
      if (road !== 'trading' || left === 0 || !/^\{"method":"\w+_subscribe"/.test(text)) return undefined;
      left -= 1;
      stage.mark();
      const { id } = JSON.parse(text) as { readonly id: string };
      const error = { code: 10_001, message: 'Validation error', description: 'simulated' };
      return JSON.stringify({ jsonrpc: '2.0', error, id });
    };
    const { refusers } = system.network.weather;
    refusers.add(refuser);
    system.disturb(12_000);
    system.network.cut('trading');
    lasting(stage, 10_000, () => refusers.delete(refuser));
  }),
  /** A strategy is paused, and then all are let go on. */
  pauseOneResumeAll: row('O5', (stage) => {
    const { system, random } = stage;
    const { name } = random.pick(system.roles);
    act(stage, { act: 'pause', strategy: name });
    lasting(stage, 2_000 + stage.force * 4_000, () => act(stage, { act: 'resume', strategy: undefined }));
  }),
  /** The operator lets only orders out that reduce, stops in good order and starts anew. */
  reduceOverStop: row('O5 P2', (stage) => {
    const { system } = stage;
    const { trader } = system;
    if (trader?.trader.started !== true || !act(stage, { act: 'reduce' })) return;
    stage.after(2_000, () => {
      if (system.trader !== trader) return;
      system.touch();
      trader.trader.stop('stopped');
      stage.after(1_500, () => {
        if (system.trader === trader && system.crash())
          stage.after(500, () => system.trader ?? system.start());
      });
    });
    lasting(stage, 15_000, () => act(stage, { act: 'clear' }));
  }),
  /** A symbol is suspended at the moment at which the status of symbols is asked for. */
  suspendSeen: row('X18', (stage) => {
    const { system, random } = stage;
    const { id } = random.pick(system.instruments.all);
    let isOver = false;
    const meddler: Meddler = {
      instead: (request) => {
        if (isOver || !request.startsWith('GET /api/3/public/symbol')) return undefined;
        isOver = true;
        stage.mark();
        system.disturb(40_000);
        system.command({ kind: 'setStatus', instrument: id, status: 'suspended' });
        lasting(stage, 20_000, () =>
          system.command({ kind: 'setStatus', instrument: id, status: 'working' }),
        );
        return undefined;
      },
    };
    const { meddlers } = system.network.weather;
    meddlers.add(meddler);
    lasting(stage, 60_000, () => meddlers.delete(meddler));
  }),
  /** A replacement cannot be placed: the reply is its original, canceled. Nothing else tells of either. */
  replyOfOriginal: row('X11', (stage) => {
    const { system } = stage;
    const { tampers } = system.network.weather;
    let left = 3;
    onOrder(stage, ({ id: number, method, params }) => {
      const original = params['client_order_id'] ?? '';
      const { exchange } = system;
      if (method !== 'spot_replace_order' || !exchange.isActive(original)) return false;
      stage.mark();
      const ends = new Set<() => void>([loseReports(stage, original, () => true)]);
      const changed: Tamper = (road, text) => {
        const isRefused = road === 'trading' && text.startsWith('{"jsonrpc":"2.0","error"');
        const order = exchange.records.findLast(({ order: one }) => one.clientOrderId === original)?.order;
        if (!isRefused || replyId(text) !== number || order === undefined) return undefined;
        const report = { reportType: 'canceled', order, fill: undefined } as const;
        const result = encodeReport('v3', report, system.instruments.at(order.instrument));
        return [{ text: JSON.stringify({ jsonrpc: '2.0', result, id: number }), later: 0 }];
      };
      tampers.add(changed);
      ends.add(() => tampers.delete(changed));
      system.command({ kind: 'cancel', account: exchange.account, clientOrderId: original as ClientOrderId });
      lasting(stage, 8_000, () => {
        for (const end of ends) end();
      });
      left -= 1;
      return left === 0;
    });
  }),
  /** What answers an order is about another one, and nothing else tells of it for a while. */
  replyOfAnother: row('W9', (stage) => {
    const { system } = stage;
    const { tampers } = system.network.weather;
    let left = 3;
    let before: string | undefined;
    const noted: Tamper = (road, text) => {
      if (road === 'trading' && isReply(text)) before = text;
      return undefined;
    };
    tampers.add(noted);
    onOrder(stage, ({ method, params }) => {
      const id = params['client_order_id'] ?? '';
      const other = before;
      if (method !== 'spot_new_order' || other === undefined) return false;
      stage.mark();
      const changed: Tamper = (road, text) => {
        if (road !== 'trading' || !isReplyAbout(text, id)) return undefined;
        return [{ text: other.replace(/"id":\d+\}$/, `"id":${replyId(text)}}`), later: 0 }];
      };
      tampers.add(changed);
      const end = loseReports(stage, id, () => true, true);
      // No read shows it either: only that nothing has answered it tells that it is unknown.
      lasting(stage, 30_000, () => {
        tampers.delete(changed);
        end();
      });
      left -= 1;
      return left === 0;
    });
    lasting(stage, 40_000, () => tampers.delete(noted));
  }),
  /** All orders are to be cancelled together, and the exchange does not: its answer names none. */
  cancelsNone: row('X10 O5', (stage) => {
    const { system } = stage;
    let left = 2;
    const meddler: Meddler = {
      instead: (request) => {
        if (left === 0 || request !== 'DELETE /api/3/spot/order') return undefined;
        left -= 1;
        stage.mark();
        return { status: 200, text: '[]', reason: undefined };
      },
    };
    const { meddlers } = system.network.weather;
    meddlers.add(meddler);
    const { eventHooks } = system.tower;
    const hook = (kind: string): void => {
      if (kind !== 'orderReport' || !hasMany(stage)) return;
      eventHooks.delete(hook);
      stage.after(1, () => act(stage, { act: 'halt' }));
      lasting(stage, 9_000, () => act(stage, { act: 'clear' }));
    };
    eventHooks.add(hook);
    lasting(stage, 40_000, () => {
      eventHooks.delete(hook);
      meddlers.delete(meddler);
    });
  }),
} satisfies Record<string, FaultRow>;

/** A side of a book is taken away to so many times its price. */
const wideBy = 1.013;
const resultStart = '{"jsonrpc":"2.0","result":{';

const pages: readonly HttpAnswer[] = [
  { status: 403, text: '<html><body>Forbidden</body></html>', reason: undefined },
  { status: 404, text: '{}', reason: undefined },
  {
    status: 504,
    text: '{"error":{"code":10001,"message":"The upstream server did not answer","description":""}}',
    reason: undefined,
  },
];

function row(rows: string, begin: FaultRow['begin']): FaultRow {
  return { rows, begin, isNarrow: true, isOfOddity: true };
}

/** The operator acts, where a trader runs. Returns whether one does. */
function act(stage: FaultStage, asked: OperatorAct): boolean {
  if (stage.system.trader?.trader.started !== true) return false;
  stage.mark();
  stage.system.act(asked);
  return true;
}

/** Whether one symbol of spot has several orders of ours that rest. */
function hasMany({ system }: FaultStage): boolean {
  const view = system.trader?.trader.view;
  return system.instruments.all.some(
    ({ id }) =>
      (view?.openOrders(undefined, id) ?? []).filter(
        ({ state, margin, strategy }) => state === 'new' && margin === undefined && strategy !== 'external',
      ).length > 2,
  );
}

/** Whether a frame is a reply that shows something. */
export function isReply(text: string): boolean {
  return text.startsWith(resultStart);
}

/** Whether a frame is the reply that shows an order. */
export function isReplyAbout(text: string, id: string): boolean {
  return isReply(text) && text.includes(`"client_order_id":"${id}"`);
}

/** Number of the request that a reply answers. */
export function replyId(text: string): number | undefined {
  const id = /"id":(\d+)\}$/.exec(text)?.[1];
  return id === undefined ? undefined : Number(id);
}
