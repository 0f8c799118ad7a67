import type { Amount } from '../../src/core/base/amount.ts';
import { parseAmount } from '../../src/core/base/amount.ts';
import type { AccountId } from '../../src/exchange/matching/accounts/command.ts';
import type { Outcome } from '../../src/exchange/matching/accounts/outcome.ts';
import type { InstrumentId, Instruments } from '../../src/core/model/instrument.ts';
import type { NaiveOrder } from './naive-order.ts';

interface NaiveBalance {
  readonly account: AccountId;
  readonly currency: string;
  available: bigint;
  reserved: bigint;
}

const one = 10n ** 24n;

/** Balances of the naive exchange: every amount computed from the decimal texts of the instrument, each time anew. */
export class NaiveMoney {
  readonly #instruments: Instruments;
  readonly #balances = new Map<string, NaiveBalance>();
  readonly fees = new Map<string, bigint>();

  constructor(instruments: Instruments) {
    this.#instruments = instruments;
  }

  of(account: AccountId, currency: string): NaiveBalance {
    const name = `${account} ${currency}`;
    const balance = this.#balances.get(name) ?? { account, currency, available: 0n, reserved: 0n };
    this.#balances.set(name, balance);
    return balance;
  }

  adjust(account: AccountId, currency: string, change: bigint): boolean {
    const balance = this.of(account, currency);
    if (balance.available + change < 0n) return false;
    balance.available += change;
    return true;
  }

  lots(instrument: InstrumentId, lots: number): bigint {
    return BigInt(lots) * parseAmount(this.#spec(instrument).quantityIncrement);
  }

  volume(instrument: InstrumentId, price: number, lots: number): bigint {
    const tick: bigint = parseAmount(this.#spec(instrument).tickSize);
    return (BigInt(price) * tick * this.lots(instrument, lots)) / one;
  }

  /** Volume and the worst fee. */
  cost(order: NaiveOrder, price: number, lots: number): bigint {
    const volume = this.volume(order.order.instrument, price, lots);
    const [take, make] = [this.#rate(order, true), this.#rate(order, false)];
    const worst = [take, make, 0n].reduce((a, b) => (a > b ? a : b));
    return volume + (volume * worst) / one;
  }

  /** Orders that exclude each other reserve together what one of them needs at most. */
  hold(order: NaiveOrder, amount: bigint): boolean {
    const balance = this.#wallet(order);
    const sharing = order.list?.exclusive === true ? order.list.orders : [];
    const others = sharing
      .filter((other) => other !== order && this.#wallet(other) === balance)
      .reduce((most, { held }) => (held > most ? held : most), 0n);
    const before = order.held > others ? order.held : others;
    const more = (amount > others ? amount : others) - before;
    if (more > 0n && balance.available < more) return false;
    balance.available -= more;
    balance.reserved += more;
    order.held = amount;
    return true;
  }

  free(order: NaiveOrder): void {
    this.hold(order, 0n);
  }

  /** Books an execution for one party; its fee. */
  pay(order: NaiveOrder, price: number, lots: number, taker: boolean): bigint {
    const { instrument, side } = order.order;
    const { baseCurrency, quoteCurrency } = this.#spec(instrument);
    const volume = this.volume(instrument, price, lots);
    const fee = (volume * this.#rate(order, taker)) / one;
    const paid = side === 'buy' ? volume + fee : this.lots(instrument, lots);
    order.held -= paid;
    this.#wallet(order).reserved -= paid;
    const received = side === 'buy' ? this.lots(instrument, lots) : volume - fee;
    this.of(order.account, side === 'buy' ? baseCurrency : quoteCurrency).available += received;
    this.fees.set(quoteCurrency, (this.fees.get(quoteCurrency) ?? 0n) + fee);
    return fee;
  }

  /** Keeps for what is left of an order only what that needs. */
  shrink(order: NaiveOrder): void {
    const { instrument, side, price, quantity, cumulative } = order.order;
    const left = quantity - cumulative;
    if (left === 0) return this.free(order);
    if (price === undefined) return;
    const needed = side === 'sell' ? this.lots(instrument, left) : this.cost(order, price, left);
    this.free(order);
    this.hold(order, needed);
  }

  snapshot(): Map<string, { available: bigint; reserved: bigint }> {
    return new Map(
      [...this.#balances].map(([name, { available, reserved }]) => [name, { available, reserved }]),
    );
  }

  changedSince(before: ReturnType<NaiveMoney['snapshot']>): Outcome[] {
    return [...this.#balances].flatMap(([name, { account, currency, available, reserved }]) => {
      const old = before.get(name) ?? { available: 0n, reserved: 0n };
      if (old.available === available && old.reserved === reserved) return [];
      const amounts = { available: available as Amount, reserved: reserved as Amount };
      return [{ kind: 'balance', account, currency, ...amounts } satisfies Outcome];
    });
  }

  #wallet({ account, order }: NaiveOrder): NaiveBalance {
    const { baseCurrency, quoteCurrency } = this.#spec(order.instrument);
    return this.of(account, order.side === 'buy' ? quoteCurrency : baseCurrency);
  }

  #rate(order: NaiveOrder, taker: boolean): bigint {
    const { takeRate, makeRate } = this.#spec(order.order.instrument);
    const markup = taker ? order.takeMarkup : order.makeMarkup;
    const rate: bigint = parseAmount(taker ? takeRate : makeRate) + (markup > 0n ? markup : 0n);
    const all: bigint = parseAmount('1');
    return rate > all ? all : rate;
  }

  #spec(instrument: InstrumentId) {
    return this.#instruments.at(instrument).spec;
  }
}
