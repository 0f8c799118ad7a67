import { zero } from '../../../../core/base/amount.ts';
import type { InstrumentId, Instruments } from '../../../../core/model/instrument.ts';
import type { MarginAccountKey, MarginAccountView, PositionView } from '../../../../core/model/margin.ts';
import { isAccountClosed, isOfBefore } from '../../../../core/model/margin.ts';
import type { MarginProductName } from '../../../../core/model/product.ts';
import type { AccountReport, PositionReport } from '../../wire/resources/index.ts';
import type { Micros } from '../../../../core/base/clock.ts';
import type { Balance } from '../../../../core/model/market.ts';

type Key = Pick<MarginAccountKey, 'mode' | 'instrument' | 'currency'>;

/**
 * Margin accounts as the trading socket reported them last on the present connection. A report of one position is told as
 * its whole account, and an answer that is older than a report says nothing new.
 */
export class KnownAccounts {
  readonly #instruments: Instruments;
  readonly #accounts = new Map<string, MarginAccountView>();
  /** The same without what answers say: the answer to a change may overtake reports of charges. */
  readonly #reported = new Map<string, MarginAccountView>();

  constructor(instruments: Instruments) {
    this.#instruments = instruments;
  }

  /** The account as it was reported last; `undefined` when it was not, or was closed. */
  find(product: MarginProductName, key: Key): MarginAccountView | undefined {
    return this.#accounts.get(nameOf(product, key));
  }

  /** An account was reported, or is what an answer says. */
  keep(product: MarginProductName, report: AccountReport, isAnswer: boolean): void {
    const { account } = report;
    const name = nameOf(product, account);
    const isClosed = isAccountClosed(report, this.#accounts.get(name));
    for (const accounts of isAnswer && !isClosed ? [this.#accounts] : [this.#accounts, this.#reported]) {
      const known = accounts.get(name);
      // An answer may show the next account of the name before reports tell how this one ended.
      if (known !== undefined && isOfBefore(account, known)) continue;
      if (isClosed) accounts.delete(name);
      else accounts.set(name, account);
    }
  }

  /** The account with a position as it was reported; `undefined` when nothing else is known of it, or nothing changes. */
  withPosition(
    product: MarginProductName,
    { position: reported, reportType }: PositionReport,
  ): MarginAccountView | undefined {
    const { mode, instrument, updatedAt } = reported;
    const { quoteCurrency: currency } = this.#instruments.at(instrument).spec;
    const account = this.find(product, { mode, instrument, currency });
    if (account === undefined || updatedAt < account.updatedAt) return undefined;
    // A position may be reported without its leverage, which is then that of the account.
    const leverage = reported.leverage === zero ? (account.leverage ?? zero) : reported.leverage;
    const position = { ...reported, leverage };
    const at = account.positions.findIndex(({ id }) => id === position.id);
    const before = account.positions[at];
    if (reportType === 'closed' || position.quantity === 0n) {
      if (before === undefined) return undefined;
      return { ...account, updatedAt, positions: account.positions.filter((one) => one !== before) };
    }
    if (before !== undefined && isSame(before, position)) return undefined;
    const positions =
      before === undefined ? [...account.positions, position] : account.positions.with(at, position);
    return { ...account, updatedAt, positions };
  }

  /** The instrument of the only position that funding or interest can have been taken for: its time changed with the account's. */
  chargedOf(product: MarginProductName, account: MarginAccountView): InstrumentId | undefined {
    const before = this.#reported.get(nameOf(product, account))?.positions ?? [];
    const changed = account.positions.filter(
      ({ id, updatedAt }) =>
        updatedAt === account.updatedAt && before.find((one) => one.id === id)?.updatedAt !== updatedAt,
    );
    const [only] = account.positions.length === 1 ? account.positions : changed;
    return changed.length > 1 ? undefined : only?.instrument;
  }

  /** Whether an answer to a request says more than the reports did. */
  isNews(product: MarginProductName, account: MarginAccountView): boolean {
    const known = this.find(product, account);
    return known === undefined || known.updatedAt < account.updatedAt;
  }

  /** The connection went: what it would have reported is unknown. */
  forget(): void {
    this.#accounts.clear();
    this.#reported.clear();
  }
}

function nameOf(product: MarginProductName, { mode, instrument, currency }: Key): string {
  return mode === 'isolated' ? `${product} ${String(instrument)}` : `${product} ${currency}`;
}

function isSame(before: PositionView, after: PositionView): boolean {
  const names = Object.keys(after) as (keyof PositionView)[];
  return names.every((name) => before[name] === after[name]);
}

interface Known {
  readonly balance: Balance;
  /** When it was last repeated without a change, which is no event; 0: never. */
  repeatedAt: Micros;
}

/**
 * Of the balances in a notification those that changed since the last one. The venue may send all of an account with
 * each change of one, and every event is kept.
 *
 * A notification undoes a read that left before it, also one that repeats what is known. So after such a read what was
 * repeated meanwhile is published again, and the next notification counts whole. All of this follows from the frames alone:
 * when a command leaves is in no recording.
 */
export class ChangedBalances {
  readonly #known = new Map<string, Known>();

  /** A notification came. */
  changed(balances: readonly Balance[], now: Micros): readonly Balance[] {
    return balances.filter((balance) => {
      const known = this.#known.get(balance.currency);
      const { available, reserved } = balance;
      if (known?.balance.available === available && known.balance.reserved === reserved) {
        known.repeatedAt = now;
        return false;
      }
      this.#known.set(balance.currency, { balance, repeatedAt: 0 as Micros });
      return true;
    });
  }

  /** A read that left at `askedAt` was answered: what was repeated since, and the answer must not undo. */
  read(askedAt: Micros): readonly Balance[] {
    const repeated = [...this.#known.values()].filter(({ repeatedAt }) => repeatedAt >= askedAt);
    this.forget();
    return repeated.map(({ balance }) => balance);
  }

  /** The next notification counts whole. */
  forget(): void {
    this.#known.clear();
  }
}
