import type { Amount } from '../base/amount.ts';
import { add, formatAmount, negate, subtract, zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import { later, millis } from '../base/clock.ts';
import { isSameButCut, movesOfTrade, walletPaying } from '../ledger/index.ts';
import type { TransferOfWallet, WalletDifference } from '../ledger/index.ts';
import type { Difference, WalletName } from '../model/difference.ts';
import { executionKey } from '../model/difference.ts';
import type { OwnTrade, WalletTransfer } from '../model/event.ts';
import type { Instrument } from '../model/instrument.ts';
import type { StateView } from '../state/index.ts';
import type { Differences } from './base/differences.ts';
import { MissedCharges } from './margin/index.ts';
import type { Memory } from './base/memory.ts';
import type { Outbox } from './base/outbox.ts';
import type { Reads } from './base/reads.ts';

interface WalletDeps {
  readonly view: StateView;
  readonly memory: Memory;
  readonly outbox: Outbox;
  readonly differences: Differences;
  /** Transfers were read, and what they explain is booked. */
  readonly booked: () => void;
}

/** Complete looks that confirm a difference. */
const looksNeeded = 2;
const kinds = ['balance', 'charge'] as const;

/**
 * Compares wallets, margin accounts counted in, with what was booked: fills, fees, charges, transfers. What two complete looks show and
 * nothing explains, the second `orders.reconcile.absentMs` after the first, is booked: as a charge where it is one, as a transfer where
 * the venue's history of the wallet names it, as unexplained otherwise. No strategy gains or loses by the latter two.
 */
export class WalletComparison {
  readonly #parts: WalletDeps;
  readonly #charges: MissedCharges;
  /** Whether transfers are being read. */
  #isReading = false;
  /** Whether the key may see transfers, as far as is known. */
  #mayRead: boolean;

  constructor(parts: WalletDeps) {
    this.#parts = parts;
    this.#charges = new MissedCharges(parts);
    this.#mayRead = parts.memory.capabilities.transfers === true;
  }

  /** How many differences further looks settle. */
  get unsettled(): number {
    return this.#open().length;
  }

  /** A complete look was had. */
  settleReads(reads: Reads): void {
    const { differences } = this.#parts;
    const found = this.#open();
    for (const one of found) this.#charges.seen(one);
    for (const kind of kinds)
      differences.endOthers(
        kind,
        ({ key }) => found.some((one) => keyOf(one) === key && this.#kindOf(one) === kind),
        'entries explain the balance to the last digit',
      );
    for (const one of found) if (one.looks >= looksNeeded) differences.seen(this.#rowOf(one));
    const confirmed = found.filter((one) => this.#isConfirmed(one));
    for (const one of confirmed) this.#charges.settle(one, reads);
    // The venue's history of the wallet names a transfer at once: what it explains need not wait. Between two wallets both are looked at.
    const isAlone = ({ currency }: WalletDifference): boolean =>
      found.filter((one) => one.currency === currency).length === 1;
    const told = this.#mayRead
      ? found.filter((one) => this.#isConfirmed(one) || (one.looks >= looksNeeded && isAlone(one)))
      : confirmed;
    const rest = told.filter((one) => !this.#charges.isOpen(one));
    if (rest.length === 0 || this.#mayBeExecution()) return;
    if (this.#mayRead) this.#readTransfers(rest, reads);
    else this.#book(rest, []);
  }

  /** Questions are forgotten: the next look asks them again. */
  forget(): void {
    this.#isReading = false;
    this.#charges.forget();
  }

  /** Differences that are not those of executions in doubt, which have rows of their own. */
  #open(): readonly WalletDifference[] {
    const { view } = this.#parts;
    const { differences } = view.wallets;
    if (differences.length === 0) return differences;
    const doubts = view.openExecutions.flatMap(({ trade }) => {
      const row = view.differences.find(executionKey(trade));
      return row === undefined ? [] : [{ trade, row }];
    });
    const unseen = view.missingFills().map(({ instrument }) => view.instruments.at(instrument));
    return differences.filter((one) => {
      if (unseen.some((instrument) => isTradedFor(instrument, one))) return false;
      const parts = doubts.flatMap((doubt) => partOf(doubt, one, view));
      return ![sumOf(parts), ...parts].includes(negate(one.amount) as Amount);
    });
  }

  #isConfirmed({ looks, since, seenAt }: WalletDifference): boolean {
    const { absentMs } = this.#parts.memory.options.reconcile;
    return looks >= looksNeeded && seenAt >= later(since, millis(absentMs));
  }

  /** Executions that are not known yet, or that may never have been, explain money that moved or did not. */
  #mayBeExecution(): boolean {
    const { view } = this.#parts;
    const isAbsent = view.differences.all.some(({ kind }) => kind === 'execution' || kind === 'terms');
    return isAbsent || view.unknownCount() > 0;
  }

  #readTransfers(rest: readonly WalletDifference[], reads: Reads): void {
    if (this.#isReading) return;
    this.#isReading = true;
    const since = rest.reduce((least, { from }) => Math.min(least, from), Infinity) as Micros;
    const then = (transfers: readonly WalletTransfer[]): void => {
      this.#isReading = false;
      const now = this.#parts.view.wallets.differences;
      this.#book(
        now.filter((one) =>
          rest.some((asked) => keyOf(asked) === keyOf(one) && isSameButCut(asked.amount, one.amount)),
        ),
        transfers,
      );
      this.#parts.booked();
    };
    reads.ask(
      { of: 'transfers', since },
      ({ transfers = [] }) => then(transfers),
      () => {
        this.#mayRead = false;
        then([]);
      },
    );
  }

  /** Books what explains each difference. What transfers leave of one is looked at anew: it may be a charge. */
  #book(rest: readonly WalletDifference[], transfers: readonly WalletTransfer[]): void {
    const { view, differences } = this.#parts;
    const all = view.wallets.differences;
    for (const one of rest) {
      const { amount, from, since, shownBy = since } = one;
      const own = transfers.flatMap((row) => {
        if (row.time <= from || row.time > shownBy || row.currency !== one.currency) return [];
        const moved = ownPartOf(row, one, all, view);
        return moved === undefined || view.wallets.hasBooked(moved) ? [] : [moved];
      });
      const isWhole = sumOf(own.map((row) => row.amount)) === amount;
      if (!isWhole && !this.#isConfirmed(one)) continue;
      for (const row of own) this.#moveMoney('transfer', one, row);
      // It moved after the last look that agreed, be that of an earlier run.
      const moved = { amount, time: (from + 1) as Micros };
      const other = own.length === 0 ? counterpartOf(one, all) : undefined;
      if (other !== undefined && !rest.some((each) => keyOf(each) === keyOf(other))) continue;
      if (other !== undefined) this.#moveMoney('transfer', one, moved, other.wallet);
      else if (own.length === 0) this.#moveMoney('unexplained', one, moved);
      const isExplained = own.length > 0 || other !== undefined;
      differences.endRow(keyOf(one), `it is booked as ${isExplained ? 'transfer' : 'unexplained'}`);
    }
  }

  #moveMoney(
    entry: 'transfer' | 'unexplained',
    { wallet, currency }: WalletDifference,
    { amount, time }: Pick<WalletTransfer, 'amount' | 'time'>,
    other?: WalletName,
  ): void {
    const what = `${formatAmount(amount < 0n ? negate(amount) : amount)} ${currency} ${amount < 0n ? 'left' : 'came into'} the ${wallet} wallet`;
    let why = `${what} by a transfer that the venue's history of the wallet names`;
    if (other !== undefined)
      why = `${what}, and the ${other} wallet ${amount < 0n ? 'has as much more' : 'lacks as much'}: it is booked as a transfer between them`;
    else if (entry === 'unexplained')
      why = `${what}, and ${this.#mayRead ? 'no transfer, fill, fee or charge' : 'no fill, fee or charge'} explains it: it is booked as unexplained`;
    this.#parts.outbox.moneyMoved({ entry, wallet, currency, amount, time, why });
  }

  #kindOf(one: WalletDifference): (typeof kinds)[number] {
    return this.#charges.isOpen(one) ? 'charge' : 'balance';
  }

  #rowOf(one: WalletDifference): Omit<Difference, 'since' | 'reads'> {
    const { wallet, currency, amount, total, since } = one;
    const { memory, view } = this.#parts;
    const { absentMs } = memory.options.reconcile;
    const offset = view.clockOffset ?? 0;
    return {
      key: keyOf(one),
      kind: this.#kindOf(one),
      product: wallet,
      currency,
      cause: `the ${wallet} wallet has ${formatAmount(total)} ${currency}, its margin accounts counted in, and by what was booked it should have ${formatAmount(subtract(total, amount))}`,
      amount,
      unit: currency,
      actsAt: later((since - offset) as Micros, millis(absentMs)),
    };
  }
}

/** Whether a trade of an instrument may move a currency of a wallet. */
function isTradedFor(instrument: Instrument, { wallet, currency }: WalletDifference): boolean {
  const { baseCurrency, quoteCurrency, feeCurrency } = instrument.spec;
  return walletPaying(instrument) === wallet && [baseCurrency, quoteCurrency, feeCurrency].includes(currency);
}

/** Amount that an execution in doubt booked in a currency, or that its fee differs by. */
function partOf(
  { trade, row }: { readonly trade: OwnTrade; readonly row: Difference },
  { wallet, currency }: WalletDifference,
  { instruments }: StateView,
): readonly Amount[] {
  if (row.kind === 'terms') return row.unit === currency && row.amount !== undefined ? [row.amount] : [];
  const moves = movesOfTrade(trade, zero, instruments);
  const own = moves.filter((move) => move.wallet === wallet && move.currency === currency);
  return own.length === 0 ? [] : [sumOf(own.map(({ amount }) => amount))];
}

/**
 * Amount that a transfer of its currency moved in the wallet that differs. Where the venue does not tell between which wallets it was, it was
 * between those two of which one lacks it and the other has it more, or the one that lacks exactly that.
 */
function ownPartOf(
  row: WalletTransfer,
  one: WalletDifference,
  all: readonly WalletDifference[],
  { wallets }: StateView,
): TransferOfWallet | undefined {
  if (row.wallet !== undefined) return row.wallet === one.wallet ? { ...row, wallet: row.wallet } : undefined;
  const amount = one.amount < 0n ? (negate(row.amount) as Amount) : row.amount;
  const opposite = { ...row, wallet: otherThan(one.wallet), amount: negate(amount) as Amount };
  const isOpposite = all.some(
    ({ wallet, currency, amount: found }) =>
      wallet === opposite.wallet && currency === row.currency && found === opposite.amount,
  );
  if (amount !== one.amount && !isOpposite && !wallets.hasBooked(opposite)) return undefined;
  return { ...row, wallet: one.wallet, amount };
}

/** The difference of the other wallet that has exactly what this one lacks, or the reverse. */
function counterpartOf(
  { wallet, currency, amount }: WalletDifference,
  all: readonly WalletDifference[],
): WalletDifference | undefined {
  return all.find(
    (one) => one.wallet === otherThan(wallet) && one.currency === currency && one.amount === negate(amount),
  );
}

function otherThan(wallet: WalletName): WalletName {
  return wallet === 'spot' ? 'futures' : 'spot';
}

function sumOf(amounts: readonly Amount[]): Amount {
  return amounts.reduce(add, zero);
}

function keyOf({ wallet, currency }: Pick<WalletDifference, 'wallet' | 'currency'>): string {
  return `balance ${wallet} ${currency}`;
}
