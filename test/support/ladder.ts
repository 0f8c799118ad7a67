import { expect } from 'vitest';
import { parseAmount, zero } from '../../src/core/base/amount.ts';
import { micros } from '../../src/core/base/clock.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import type { AccountId, ExchangeCommand } from '../../src/exchange/matching/accounts/command.ts';
import type { MatchingOptions } from '../../src/exchange/matching/state/options.ts';
import { Exchange } from '../../src/exchange/matching/exchange.ts';
import type { Outcome } from '../../src/exchange/matching/accounts/outcome.ts';
import type { InstrumentId, InstrumentSpec, Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderType, Side, TimeInForce } from '../../src/core/model/order.ts';
import { defaultTimeInForce } from '../../src/core/model/order.ts';
import { oneMarket } from './markets.ts';

/** Who stands in the picture, and who acts. */
export const others = 1 as AccountId;
export const us = 2 as AccountId;

export interface LadderOrder {
  readonly quantity: number;
  readonly price?: number;
  readonly stopPrice?: number;
  readonly type?: OrderType;
  readonly timeInForce?: TimeInForce;
  readonly expireTime?: number;
  readonly postOnly?: boolean;
  readonly id?: string;
  readonly account?: AccountId;
}

export interface LadderSetup {
  readonly spec?: Partial<InstrumentSpec>;
  readonly options?: Partial<MatchingOptions>;
  /** What both accounts have of AAA and BBB. */
  readonly funds?: string;
}

const instrument = 0 as InstrumentId;

/**
 * An exchange with one market, drawn as a ladder: bid lots, price, ask lots, highest price first.
 *
 *       | 101 | 5
 *     4 | 100 |
 */
export class Ladder {
  readonly exchange: Exchange;
  now: Micros = micros(0);
  /** Everything that came of the last action. */
  outcomes: readonly Outcome[] = [];
  #number = 0;

  constructor(setup: LadderSetup) {
    const options = setup.options ?? {};
    this.exchange = new Exchange({ instruments: oneMarket(setup.spec), options });
    for (const account of [others, us]) {
      for (const currency of ['AAA', 'BBB'])
        this.do({ kind: 'adjustBalance', account, currency, change: parseAmount(setup.funds ?? '1000000') });
    }
  }

  /** Executes any command; answers what our account hears, see `received`. */
  do(command: ExchangeCommand): string[] {
    this.outcomes = this.exchange.handle(command, this.now);
    return this.received(us);
  }

  buy(order: LadderOrder): string[] {
    return this.#place('buy', order);
  }

  sell(order: LadderOrder): string[] {
    return this.#place('sell', order);
  }

  cancel(id: string): string[] {
    return this.do({ kind: 'cancel', account: us, clientOrderId: id });
  }

  replace(
    id: string,
    change: { id: string; quantity: number; price?: number; stopPrice?: number },
  ): string[] {
    return this.do({
      kind: 'replace',
      account: us,
      clientOrderId: id,
      newClientOrderId: change.id,
      quantity: change.quantity as Lots,
      price: change.price as Ticks | undefined,
      stopPrice: change.stopPrice as Ticks | undefined,
    });
  }

  /** Reports to an account in short: `new`, `trade 2@101`, `trade 1@101 filled`, `refused NOT_CHANGED`. */
  received(account: AccountId): string[] {
    return this.outcomes.flatMap((outcome) => {
      if (outcome.kind === 'refused' && outcome.account === account) return [`refused ${outcome.code}`];
      if (outcome.kind !== 'report' || outcome.account !== account) return [];
      const { reportType, order, fill } = outcome;
      if (fill === undefined) return [reportType];
      return [`trade ${fill.quantity}@${fill.price}${order.state === 'filled' ? ' filled' : ''}`];
    });
  }

  /** Available and reserved amounts of ours, as text. */
  funds(currency: string): { available: bigint; reserved: bigint } {
    const { available, reserved } = this.exchange.balance(us, currency);
    return { available, reserved };
  }

  /** The ladder as it is now, in the form that `picture` gives a drawn one. */
  draw(): string {
    const rows = [
      ...this.exchange
        .levels(instrument, 'sell')
        .map(({ price, quantity }) => `| ${price} | ${quantity}`)
        .reverse(),
      ...this.exchange.levels(instrument, 'buy').map(({ price, quantity }) => `${quantity} | ${price} |`),
    ];
    return rows.join('\n');
  }

  #place(side: Side, order: LadderOrder): string[] {
    const type = order.type ?? 'limit';
    const account = order.account ?? us;
    this.#number += 1;
    this.outcomes = this.exchange.handle(
      {
        kind: 'place',
        account,
        takeMarkup: zero,
        makeMarkup: zero,
        request: {
          clientOrderId: (order.id ?? `ladder-${this.#number}`) as ClientOrderId,
          instrument,
          side,
          type,
          timeInForce: order.timeInForce ?? defaultTimeInForce(type),
          quantity: order.quantity as Lots,
          price: order.price as Ticks | undefined,
          stopPrice: order.stopPrice as Ticks | undefined,
          expireTime: order.expireTime as Micros | undefined,
          postOnly: order.postOnly ?? false,
        },
      },
      this.now,
    );
    return this.received(account);
  }
}

/** A market in which others stand as drawn. */
export function ladder(drawn: string, setup: LadderSetup = {}): Ladder {
  const market = new Ladder(setup);
  for (const row of picture(drawn)
    .split('\n')
    .filter((line) => line !== '')) {
    const [bid, price, ask] = row.split('|').map((cell) => Number(cell.trim()));
    const at = { price: price ?? Number.NaN, account: others };
    if (bid !== undefined && bid > 0) market.buy({ ...at, quantity: bid });
    if (ask !== undefined && ask > 0) market.sell({ ...at, quantity: ask });
  }
  return market;
}

/** A drawn ladder with its spaces evened out. */
function picture(drawn: string): string {
  return drawn
    .split('\n')
    .map((row) => row.trim().replaceAll(/\s+/g, ' '))
    .filter((row) => row !== '')
    .join('\n');
}

expect.extend({
  toLookLike(received: Ladder, drawn: string) {
    const [is, should] = [received.draw(), picture(drawn)];
    return {
      pass: is === should,
      message: () => `expected\n${should}\nfound\n${is}`,
      actual: is,
      expected: should,
    };
  },
});

declare module 'vitest' {
  // The parameters are those of the original: an interface only merges with its like.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** Whether a ladder's levels are as drawn. */
    toLookLike(drawn: string): T extends Ladder ? R : never;
  }
}
