import type { Amount } from '../../base/amount.ts';
import { add, formatAmount, multiply, negate, parseAmount, zero } from '../../base/amount.ts';
import { divide } from '../../model/margin-math.ts';
import type { MovedMoney } from '../../model/difference.ts';
import type { StateView } from '../../state/index.ts';
import type { Cancels } from '../base/cancels.ts';
import type { Candidate, Rule } from '../base/candidate.ts';
import { deny } from '../base/candidate.ts';
import { reducingDenial } from './trading-status.ts';
import type { Differences } from '../base/differences.ts';
import type { Memory } from '../base/memory.ts';
import { reducesPosition } from './needs.ts';
import type { Outbox } from '../base/outbox.ts';
import type { Price } from '../base/equity.ts';
import { equityIn, pricesOf } from '../base/equity.ts';

/** Reads in a row from which on money that is open to doubt counts. */
const readsNeeded = 2;
const hundred = parseAmount('100');
/** So many times what reduces, halts. */
const haltFactor = parseAmount('10');

interface UnexplainedDeps {
  readonly view: StateView;
  readonly memory: Memory;
  readonly outbox: Outbox;
  readonly cancels: Cancels;
  readonly differences: Differences;
}

/**
 * Money that nothing explains, against the equity: beyond `orders.reconcile.unexplainedMax` only orders that reduce leave, beyond ten
 * times as much none does. It counts what was booked as unexplained where money is missing on the whole, and what two complete reads show and
 * no entry explains yet, be it missing or too much: until it is booked, our books may be wrong. It ends when entries explain it, when
 * what came in is booked, or when an operator clears it.
 */
export class UnexplainedMoney {
  readonly #parts: UnexplainedDeps;

  constructor(parts: UnexplainedDeps) {
    this.#parts = parts;
  }

  /** A complete look was had, and what it shows is booked. */
  settle(): void {
    const { view, memory, differences } = this.#parts;
    const most = parseAmount(String(memory.options.reconcile.unexplainedMax));
    const found = [...this.#sums()].filter(([, { percent }]) => percent > most);
    const keys = new Set(found.map(([currency]) => keyOf(currency)));
    const why = `what is left is within orders.reconcile.unexplainedMax (${formatAmount(most)} %)`;
    differences.endOthers('money', ({ key }) => keys.has(key), why);
    for (const [currency, { amount, equity, percent }] of found) {
      const holds = percent > multiply(most, haltFactor) ? 'halted' : 'reducing';
      const before = view.differences.find(keyOf(currency))?.holds;
      differences.seen({
        key: keyOf(currency),
        kind: 'money',
        product: 'spot',
        currency,
        amount,
        unit: currency,
        holds,
        cause: `${formatAmount(amount)} ${currency} are unexplained, of an equity of ${formatAmount(equity)} ${currency}: ${holds === 'halted' ? 'no order leaves' : 'only orders that reduce leave'}${amount > 0n ? '; what came in counts until it is booked' : ''}`,
      });
      if (before !== holds) this.#cancel(holds);
    }
  }

  /** An operator clears what holds: money that was unexplained until now counts as moved by him. `cleared`: by whom, and why. */
  clear(cleared: string): void {
    const { view, outbox, differences } = this.#parts;
    if (!view.differences.all.some(({ kind }) => kind === 'money')) return;
    const time = view.time;
    for (const { wallet, currency, unexplained } of view.movedMoney.all()) {
      if (unexplained === zero) continue;
      const moved = (entry: MovedMoney['entry'], amount: Amount): MovedMoney => ({
        entry,
        wallet,
        currency,
        amount,
        time,
        why: `${formatAmount(unexplained)} ${currency} that were unexplained are accepted: ${cleared}`,
      });
      outbox.moneyMoved(moved('unexplained', negate(unexplained)));
      outbox.moneyMoved(moved('transfer', unexplained));
    }
    differences.endOthers('money', () => false, cleared);
  }

  #cancel(holds: 'reducing' | 'halted'): void {
    const { view, memory, cancels } = this.#parts;
    cancels.requestThose((order) => holds === 'halted' || !reducesPosition(order, view, memory));
  }

  /** Unexplained money and equity, by the currency in which both can be valued. Nothing where all is explained. */
  #sums(): ReadonlyMap<string, UnexplainedSum> {
    const { view } = this.#parts;
    const sums = new Map<string, UnexplainedSum>();
    const booked = view.movedMoney.all().filter(({ unexplained }) => unexplained !== zero);
    const open = view.differences.all.filter(({ kind, reads }) => kind === 'balance' && reads >= readsNeeded);
    if (booked.length === 0 && open.length === 0) return sums;
    const prices = pricesOf(view);
    const values = new Map<string, Amount>();
    // What is booked and came in is not missing.
    for (const [quote, value] of valuesOf(
      booked.map((one) => [one.currency, one.unexplained]),
      prices,
    ))
      if (value < 0n) values.set(quote, value);
    const doubted = open.flatMap(({ currency, amount }) =>
      currency === undefined || amount === undefined ? [] : [[currency, amount] as const],
    );
    for (const [quote, value] of valuesOf(doubted, prices))
      values.set(quote, add(values.get(quote) ?? zero, value));
    for (const [currency, amount] of values) {
      const equity = equityIn(currency, prices, view);
      const size = amount < 0n ? negate(amount) : amount;
      if (size === zero) continue;
      const percent = equity <= 0n ? hundred : divide(multiply(size, hundred), equity);
      sums.set(currency, { amount, equity, percent });
    }
    return sums;
  }
}

/** The sum of money in each currency that it can be valued in, both wallets together: what went from one into the other is none. */
function valuesOf(
  money: readonly (readonly [currency: string, amount: Amount])[],
  prices: ReadonlyMap<string, Price>,
): ReadonlyMap<string, Amount> {
  const values = new Map<string, Amount>();
  for (const [currency, amount] of money) {
    const { quote = currency, price } = prices.get(currency) ?? {};
    const value = price === undefined ? amount : multiply(amount, price);
    values.set(quote, add(values.get(quote) ?? zero, value));
  }
  return values;
}

interface UnexplainedSum {
  readonly amount: Amount;
  readonly equity: Amount;
  readonly percent: Amount;
}

/** While money is unexplained beyond the limit, nothing or only what reduces leaves. */
export const unexplainedMoney = {
  code: 'UNEXPLAINED_MONEY',
  control: (candidate: Candidate, view, memory) => {
    const rows = view.differences.all;
    if (rows.length === 0) return undefined;
    const row = rows.find(({ holds }) => holds === 'halted') ?? rows.find(({ holds }) => holds !== undefined);
    if (row === undefined) return undefined;
    if (row.holds === 'halted') return deny('UNEXPLAINED_MONEY', row.cause);
    return reducingDenial(candidate, view, memory, { code: 'UNEXPLAINED_MONEY', why: row.cause });
  },
} satisfies Rule;

function keyOf(currency: string): string {
  return `money ${currency}`;
}
