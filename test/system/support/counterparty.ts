import { parseAmount, zero } from '../../../src/core/base/amount.ts';
import type { AccountId } from '../../../src/exchange/matching/accounts/command.ts';
import type { Instrument, Lots, Ticks } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, Side, TimeInForce } from '../../../src/core/model/order.ts';
import type { ExchangeServer } from '../../../src/exchange/server/server.ts';

/** Another participant of the embedded exchange, in the hand of the test: it makes the market. */
export class Counterparty {
  readonly instrument: Instrument;
  readonly #exchange: ExchangeServer;
  readonly #account: AccountId;
  readonly #name: string;
  #orders = 0;

  constructor(exchange: ExchangeServer, symbol = 'ETHUSDT', name = 'house', currencies?: readonly string[]) {
    this.#exchange = exchange;
    this.#name = name;
    this.#account = exchange.accounts.open(name).id;
    this.instrument = exchange.instruments.get(symbol);
    const { baseCurrency, quoteCurrency } = this.instrument.spec;
    for (const currency of currencies ?? [baseCurrency, quoteCurrency]) {
      const change = parseAmount('1000000000');
      exchange.core.handle({ kind: 'adjustBalance', account: this.#account, currency, change });
    }
    this.rest('buy', 299_000, 100_000);
    this.rest('sell', 301_000, 100_000);
    // A last trade, without which the price collar has nothing to compare with.
    this.rest('sell', 300_000, 10);
    this.take('buy', 300_000, 10);
  }

  /** Rests an order; returns its id. */
  rest(side: Side, price: number, lots: number): string {
    return this.#place(side, price, lots, 'GTC');
  }

  /** Takes what rests on the other side up to a price. */
  take(side: Side, price: number, lots: number): void {
    this.#place(side, price, lots, 'IOC');
  }

  cancel(clientOrderId: string): void {
    this.#exchange.core.handle({ kind: 'cancel', account: this.#account, clientOrderId });
  }

  #place(side: Side, price: number, lots: number, timeInForce: TimeInForce): string {
    this.#orders += 1;
    const clientOrderId = `${this.#name}-${String(this.#orders).padStart(8, '0')}` as ClientOrderId;
    const outcomes = this.#exchange.core.handle({
      kind: 'place',
      account: this.#account,
      takeMarkup: zero,
      makeMarkup: zero,
      request: {
        clientOrderId,
        instrument: this.instrument.id,
        side,
        type: 'limit',
        timeInForce,
        quantity: lots as Lots,
        price: price as Ticks,
        stopPrice: undefined,
        expireTime: undefined,
        postOnly: false,
      },
    });
    const refused = outcomes.find((outcome) => outcome.kind === 'refused');
    if (refused !== undefined) throw new Error(`the counterparty was refused: ${JSON.stringify(refused)}`);
    return clientOrderId;
  }
}
