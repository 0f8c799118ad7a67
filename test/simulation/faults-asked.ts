import type { Amount } from '../../src/core/base/amount.ts';
import { negate, parseAmount, zero } from '../../src/core/base/amount.ts';
import type { HttpAnswer } from '../../src/exchange/http/http.ts';
import type { FaultRow, FaultStage } from './fault.ts';
import { lasting } from './fault.ts';
import { onOrder } from './faults-aimed.ts';
import { drill, refusingCancels, rest, silence } from './faults-drills.ts';
import { accountsOf, place } from './faults-margin.ts';
import { isReply, isReplyAbout, replyId } from './faults-odd.ts';
import { atFullPace } from './faults-waits.ts';
import { spareCurrency } from './sim-exchange.ts';
import type { Meddler, Tamper } from '../../src/app/virtual/weather.ts';

/** Faults of drills of what is asked for: by strategies beyond what rules let out, and of the account while it changes. */
export const askedFaults = {
  /** Strategies ask in every turn for what no rule lets out. */
  oddInPeace: drill('I19', 14_000, (stage) => {
    const { hand } = stage.system;
    stage.mark();
    atFullPace(stage, 12_000);
    hand.odd = true;
    lasting(stage, 12_000, () => {
      hand.odd = false;
    });
  }),
  /** Strategies ask for as much as limits and funds leave, and a little more. */
  greedyInPeace: drill('I19', 16_000, (stage) => {
    stage.mark();
    greedily(stage, 14_000);
  }),
  /** An order executes in part as its replacement leaves, whose answer takes a while; strategies ask for what is left. */
  executedWhileReplaced: drill('I19 N6', 24_000, (stage) => {
    const { system } = stage;
    const { exchange, network } = system;
    const { core } = exchange.world;
    greedily(stage, 20_000);
    let left = 4;
    onOrder(stage, ({ method, params }) => {
      if (method !== 'spot_replace_order') return false;
      const id = params['client_order_id'] ?? '';
      const own = core.exchange.activeOrders(exchange.account).find((one) => one.clientOrderId === id);
      if (own?.price === undefined) return false;
      const { instrument, price, side, quantity, cumulative } = own;
      const before = core
        .market(instrument)
        .book.liveLevels(side, 1_000)
        .filter((level) => (side === 'buy' ? level.price >= price : level.price <= price))
        .reduce((sum, level) => sum + level.quantity, 0);
      stage.mark();
      const late: Tamper = (road, text) =>
        road === 'trading' && text.includes(`"${params['new_client_order_id'] ?? ''}"`)
          ? [{ text, later: 2_500_000 }]
          : undefined;
      network.weather.tampers.add(late);
      lasting(stage, 3_000, () => network.weather.tampers.delete(late));
      // What stands at the price beside it came first.
      const lots = before - Math.ceil((quantity - cumulative) / 2);
      const other = side === 'buy' ? 'sell' : 'buy';
      if (lots > 0) place(stage, { instrument, price, side: other, lots, timeInForce: 'IOC' });
      left -= 1;
      return left === 0;
    });
  }),
  /** Money goes as balances are read, of which no notification comes, and comes back while the answer is on its way. */
  repeatedBalance: drill('X8 N6', 32_000, (stage) => {
    let left = 4;
    let isLost = false;
    const lost: Tamper = (road, text) =>
      isLost && road === 'trading' && isBalance(text, 'USDT') ? [] : undefined;
    const meddler: Meddler = {
      instead: (request) => {
        if (left === 0 || request !== balancesRead) return undefined;
        left -= 1;
        stage.mark();
        rest(stage, 3_000, 1);
        isLost = true;
        adjust(stage, 'USDT', negate(cent));
        stage.after(200, () => {
          isLost = false;
          adjust(stage, 'USDT', cent);
        });
        return undefined;
      },
      laterMs: (request) => (request === balancesRead ? 1_500 : 0),
    };
    met(stage, { meddler, tamper: lost, ms: 30_000 });
    lasting(stage, 30_000, refusingCancels(stage, 1));
  }),
  /** All money of a currency that nobody trades goes for a while: no notification tells of it, and lists leave out what is nothing. */
  emptiedCurrency: drill('X8 X20', 40_000, (stage) => {
    const { system } = stage;
    const { exchange } = system;
    const all = exchange.world.core.exchange
      .balances(exchange.account)
      .find(({ currency }) => currency === spareCurrency)?.available;
    if (all === undefined || all === zero) return;
    let isLost = true;
    const lost: Tamper = (road, text) =>
      isLost && road === 'trading' && isBalance(text, spareCurrency) ? [] : undefined;
    const meddler: Meddler = {
      changed: (request, answer) => (request === balancesRead ? withoutZeros(answer) : answer),
    };
    const change = (by: Amount): void => {
      adjust(stage, spareCurrency, by);
      system.moved({ wallet: 'spot', currency: spareCurrency, amount: by });
    };
    met(stage, { meddler, tamper: lost, ms: 38_000 });
    stage.mark();
    change(negate(all));
    stage.after(1_000, () => {
      isLost = false;
    });
    lasting(stage, 36_000, () => change(all));
    lasting(stage, 34_000, refusingCancels(stage, 1));
  }),
  /** The answer to a change of a margin account is late, and somebody changes the account meanwhile. */
  lateMarginAnswer: {
    ...drill('X8 X20 M', 30_000, (stage) => {
      const { system, random } = stage;
      let left = 3;
      atFullPace(stage, 24_000);
      const meddler: Meddler = {
        laterMs: (request) => {
          if (left === 0 || !/^(PUT|POST) \/api\/3\/(margin|futures)\/account/.test(request)) return 0;
          left -= 1;
          stage.after(400, () => {
            for (const { account, owner } of accountsOf(stage)) {
              const { mode, instrument, currency, balance } = account;
              const more = parseAmount(`0.${random.between(1, 9)}`);
              stage.mark();
              system.command({
                kind: 'setMargin',
                account: owner,
                mode,
                instrument,
                currency,
                balance: (balance + more) as Amount,
                leverage: undefined,
              });
            }
          });
          return 1_500;
        },
      };
      met(stage, { meddler, ms: 28_000 });
    }),
    isOnMargin: true,
  },
  /** What answers two orders is about another one, nothing else tells of them, and strategies then ask for nothing: their age alone does. */
  answersOfAnother: drill('W9 N3', 62_000, (stage) => {
    const { time, network } = stage.system;
    const { tampers } = network.weather;
    let before: string | undefined;
    const noted: Tamper = (road, text) => {
      if (road === 'trading' && isReply(text)) before = text;
      return undefined;
    };
    tampers.add(noted);
    lasting(stage, 10_000, () => tampers.delete(noted));
    atFullPace(stage, 8_000);
    let count = 0;
    let lastAt = 0;
    onOrder(stage, ({ method, params }) => {
      const other = before;
      if (method !== 'spot_new_order' || other === undefined || lastAt === time.now()) return false;
      lastAt = time.now();
      count += 1;
      stage.mark();
      const id = params['client_order_id'] ?? '';
      const changed: Tamper = (road, text) =>
        road === 'trading' && isReplyAbout(text, id)
          ? [{ text: other.replace(/"id":\d+\}$/, `"id":${replyId(text)}}`), later: 0 }]
          : undefined;
      tampers.add(changed);
      lasting(stage, 45_000, () => tampers.delete(changed));
      silence(stage, id, 45_000);
      if (count === 2) rest(stage, 52_000, 1);
      return count === 2;
    });
  }),
} satisfies Record<string, FaultRow>;

const balancesRead = 'GET /api/3/spot/balance';
const cent = parseAmount('0.01');

/** Strategies ask for as much as limits and funds leave for so long. */
function greedily(stage: FaultStage, ms: number): void {
  const { hand } = stage.system;
  atFullPace(stage, ms);
  hand.greedy = true;
  lasting(stage, ms, () => {
    hand.greedy = false;
  });
}

/** Has requests and frames meet these for so long. */
function met(
  { system, ...stage }: FaultStage,
  { meddler, tamper, ms }: { readonly meddler: Meddler; readonly tamper?: Tamper; readonly ms: number },
): void {
  const { meddlers, tampers } = system.network.weather;
  meddlers.add(meddler);
  if (tamper !== undefined) tampers.add(tamper);
  lasting({ system, ...stage }, ms, () => {
    meddlers.delete(meddler);
    if (tamper !== undefined) tampers.delete(tamper);
  });
}

/** Money comes into the wallet of spot, or leaves it, by hand. */
function adjust({ system }: FaultStage, currency: string, change: Amount): void {
  system.command({ kind: 'adjustBalance', account: system.exchange.account, currency, change });
}

/** Whether a frame tells of the balance of a currency. */
function isBalance(text: string, currency: string): boolean {
  return text.includes('"method":"spot_balance"') && text.includes(`"${currency}"`);
}

/** An answer without the currencies of which there is nothing. */
function withoutZeros(answer: HttpAnswer): HttpAnswer {
  const rows = JSON.parse(answer.text) as unknown;
  if (!Array.isArray(rows)) return answer;
  const isAny = ({ available, reserved }: { available: string; reserved: string }): boolean =>
    Number(available) !== 0 || Number(reserved) !== 0;
  return { ...answer, text: JSON.stringify(rows.filter(isAny)) };
}
