import type { Amount } from '../../base/amount.ts';
import { add, formatAmount, multiply, negate, subtract, zero } from '../../base/amount.ts';
import type { Micros } from '../../base/clock.ts';
import { later, seconds } from '../../base/clock.ts';
import { isSameButCut, nearestPrinted } from '../../ledger/index.ts';
import type { WalletDifference } from '../../ledger/index.ts';
import type { FundingRate } from '../../model/event.ts';
import type { Instrument, Lots } from '../../model/instrument.ts';
import type { Charge, MarginMode } from '../../model/margin.ts';
import { marginKeyOf, marginModes, marginNameOf } from '../../model/margin.ts';
import type { StateView } from '../../state/index.ts';
import type { Outbox } from '../base/outbox.ts';
import { middleOf } from '../base/profit.ts';
import type { Reads } from '../base/reads.ts';

interface MissedDeps {
  readonly view: StateView;
  readonly outbox: Outbox;
}

/** A position that was open at some time of a gap. */
interface Held {
  readonly instrument: Instrument;
  readonly mode: MarginMode;
  /** Name of the margin account. */
  readonly name: string;
}

/** Charge that a position should have paid, as far as rates tell; below 0 it got it. */
interface Due extends Held {
  readonly amount: Amount;
  readonly time: Micros;
}

/** How far a charge may be from what rates and the present price come to, as one part in so many: the price of then is not known. */
const priceParts = 4n;
/** The reads of a look are of no one moment: what the next look shows beside a difference may belong to it. */
const firstLooks = 2;
/** Interest above one part in so many of the worth of a position is none that a venue takes in a gap. */
const interestParts = 20n;
/** A report of a settlement may be stamped so far from it; where settlements are nearer to each other, it is of the nearest. */
const settlementTime = seconds(60);

/**
 * Charges that no report told of: taken in an outage, or while no daemon ran. A part of a wallet that nothing explains, in two complete
 * looks, is funding where the public rates since then come to it, and interest where exactly the margin of open positions lacks it.
 */
export class MissedCharges {
  readonly #parts: MissedDeps;
  /** Differences whose rates are being read, by wallet and currency. */
  readonly #reading = new Set<string>();
  /** Differences that were first seen while a position was in doubt. */
  readonly #mixed = new Map<string, Amount>();
  /** Differences that were found to be no charges. */
  readonly #refuted = new Map<string, Amount>();

  constructor(parts: MissedDeps) {
    this.#parts = parts;
  }

  /**
   * A look showed a difference. Where a position is in doubt as well, what its trades brought is in it; but not where the difference was the
   * same before the position was. A later process knows of it by the times of both.
   */
  seen(difference: WalletDifference): void {
    const { view } = this.#parts;
    const held = this.#heldSince(difference);
    const isFirst = difference.looks <= firstLooks;
    const shownBy = (difference.shownBy ?? difference.since) - (view.clockOffset ?? 0);
    const isInDoubt = view.differences.all.some(
      ({ kind, instrument, since }) =>
        kind === 'position' &&
        (isFirst || since <= shownBy) &&
        held.some((one) => one.instrument.id === instrument),
    );
    if (isInDoubt) this.#mixed.set(keyOf(difference), difference.amount);
  }

  /** Two looks have confirmed a difference. */
  settle(difference: WalletDifference, reads: Reads): void {
    if (!this.isOpen(difference)) return;
    if (difference.wallet === 'futures') this.#readRates(difference, reads);
    else this.#findInterest(difference);
  }

  /** Questions are forgotten: the next look asks them again. */
  forget(): void {
    this.#reading.clear();
  }

  /** Whether a difference may be a charge, as far as is known. */
  isOpen(difference: WalletDifference): boolean {
    for (const known of [this.#mixed, this.#refuted]) {
      const amount = known.get(keyOf(difference));
      if (amount !== undefined && isSameButCut(amount, difference.amount)) return false;
    }
    const held = this.#heldSince(difference);
    // What was booked of a position as it was found is a guess at its price: the rest of what its trades brought is no charge.
    const isGuess = held.some(({ instrument, mode }) =>
      this.#parts.view.wallets.hasAdopted(instrument.id, mode, difference.from),
    );
    return held.length > 0 && !isGuess;
  }

  #heldSince({ wallet, currency, from }: WalletDifference): readonly Held[] {
    const { view } = this.#parts;
    return view.instruments.all.flatMap((instrument) => {
      const { type, quoteCurrency } = instrument.spec;
      if ((type === 'futures') !== (wallet === 'futures') || quoteCurrency !== currency) return [];
      return marginModes.flatMap((mode) => {
        const lots = view.netPosition(instrument.id, mode);
        if (lots === 0 && !view.wallets.hasTraded(instrument.id, mode, from)) return [];
        return [{ instrument, mode, name: marginNameOf(marginKeyOf(instrument, mode)) }];
      });
    });
  }

  #readRates(difference: WalletDifference, reads: Reads): void {
    const key = keyOf(difference);
    if (this.#reading.has(key)) return;
    this.#reading.add(key);
    const held = this.#heldSince(difference);
    const instruments = [...new Set(held.map(({ instrument }) => instrument))];
    const rates = new Map<Instrument, readonly FundingRate[]>();
    for (const instrument of instruments)
      reads.ask({ of: 'fundingRates', instrument: instrument.id, since: difference.from }, (answer) => {
        rates.set(instrument, answer.fundingRates ?? []);
        if (rates.size < instruments.length) return;
        this.#reading.delete(key);
        const still = this.#parts.view.wallets.differences.find((one) => keyOf(one) === key);
        if (still !== undefined && isSameButCut(still.amount, difference.amount))
          this.#findFunding(still, held, rates);
      });
  }

  #findFunding(
    difference: WalletDifference,
    held: readonly Held[],
    rates: ReadonlyMap<Instrument, readonly FundingRate[]>,
  ): void {
    const due = held.flatMap((one) => {
      const ofOne = rates.get(one.instrument) ?? [];
      return ofOne.flatMap((rate) => this.#dueAt(one, rate, reachOf(rate, ofOne), difference));
    });
    const taken = nearestPrinted(negate(difference.amount));
    const lacking = difference.accounts.filter(({ name }) => due.some((one) => one.name === name));
    // Where the accounts lack all of it, each is known to the last digit; else only the sum is.
    const isByAccount = isSameButCut(negate(sumOf(lacking.map(({ balance }) => balance))), taken);
    const parts = isByAccount
      ? lacking.map(({ name, balance }) => ({
          due: due.filter((one) => one.name === name),
          taken: nearestPrinted(negate(balance)),
        }))
      : [{ due, taken }];
    if (parts.every((part) => isNear(part.taken, sumOf(part.due.map(({ amount }) => amount))))) {
      const shares = parts.flatMap((part) => sharesOf(part.due, part.taken));
      this.#found('funding', difference, shares);
    } else this.#refuted.set(keyOf(difference), difference.amount);
  }

  /** Charge of a settlement on a position, by what was held then; none where it is booked already. */
  #dueAt(
    held: Held,
    { time, rate }: FundingRate,
    reach: Micros,
    { from, since, shownBy = since }: WalletDifference,
  ): readonly Due[] {
    const { view } = this.#parts;
    const { instrument, mode } = held;
    const { id } = instrument;
    if (time <= from || time > shownBy) return [];
    if (view.wallets.hasCharge(id, mode, (time - reach) as Micros, later(time, reach))) return [];
    const lots = view.netPosition(id, mode) - view.wallets.tradedAfter(id, mode, time);
    const price = this.#priceOf(instrument, mode);
    if (lots === 0 || price === undefined) return [];
    const worth = instrument.contract.worthAt(price, Math.abs(lots) as Lots);
    const paid = multiply(worth, rate);
    return paid === zero ? [] : [{ ...held, time, amount: lots > 0 ? paid : negate(paid) }];
  }

  /** Interest is taken of margin alone: the wallet is explained to the last digit, and accounts with positions lack the rest. */
  #findInterest(difference: WalletDifference): void {
    const held = this.#heldSince(difference);
    // What is more in another account was moved there, and is no part of it.
    const lacking = difference.accounts.filter(
      ({ name, balance }) => balance < zero && held.some((one) => one.name === name),
    );
    const whole = nearestPrinted(negate(difference.amount));
    const isMargin = isSameButCut(negate(sumOf(lacking.map(({ balance }) => balance))), whole);
    const shares = lacking.flatMap(({ name, balance }) => {
      const ofAccount = held
        .filter((one) => one.name === name)
        .flatMap((one) => this.#worthOf(one, difference));
      const worth = sumOf(ofAccount.map(({ amount }) => amount));
      const taken = nearestPrinted(negate(balance));
      return taken > 0n && taken * interestParts <= worth ? sharesOf(ofAccount, taken) : [];
    });
    if (isMargin && isSameButCut(sumOf(shares.map(({ amount }) => amount)), whole))
      this.#found('interest', difference, shares);
    else this.#refuted.set(keyOf(difference), difference.amount);
  }

  /** The worth of the most that was held in a gap; a charge changed the account last. */
  #worthOf(held: Held, { from, since }: WalletDifference): readonly Due[] {
    const { view } = this.#parts;
    const { instrument, mode } = held;
    const { updatedAt } = view.marginAccount(marginKeyOf(instrument, mode)) ?? { updatedAt: from };
    const time = Math.min(Math.max(updatedAt, from + 1), since) as Micros;
    const lots = view.wallets.mostHeld(instrument.id, mode, from, view.netPosition(instrument.id, mode));
    const price = this.#priceOf(instrument, mode);
    if (lots === 0 || price === undefined) return [];
    return [{ ...held, time, amount: instrument.contract.worthAt(price, lots as Lots) }];
  }

  #priceOf(instrument: Instrument, mode: MarginMode): Amount | undefined {
    const { view } = this.#parts;
    return (
      view.contract(instrument.id)?.markPrice ??
      middleOf(view, instrument) ??
      view.venuePosition(instrument.id, mode)?.entry
    );
  }

  #found(charged: Charge['kind'], { since }: WalletDifference, shares: readonly Due[]): void {
    for (const account of new Map(
      shares.map((one) => [one.name, marginKeyOf(one.instrument, one.mode)]),
    ).values()) {
      const own = shares.filter(({ name }) => name === marginNameOf(account));
      const { product, mode, instrument, currency } = account;
      const whose = instrument === undefined ? currency : this.#parts.view.instruments.at(instrument).symbol;
      const amount = sumOf(own.map((one) => one.amount));
      // By its own stamp the account may be later: the venue's clock may have been set back.
      const until = Math.max(since, this.#parts.view.marginAccount(account)?.updatedAt ?? since) as Micros;
      this.#parts.outbox.chargeFound({
        charged,
        account: { product, mode, instrument, currency },
        shares: own.map((one) => ({ instrument: one.instrument.id, amount: one.amount, time: one.time })),
        until,
        why: `${charged} of ${formatAmount(amount)} ${currency} of the ${mode} ${product} account of ${whose} was not reported: two looks at the account show it, and it is booked as derived`,
      });
    }
  }
}

/** How far from a settlement a report may be stamped and be of it: less than half the way to the next one. */
function reachOf({ time }: FundingRate, all: readonly FundingRate[]): Micros {
  const gaps = all.filter((one) => one.time !== time).map((one) => Math.abs(one.time - time));
  return Math.min(settlementTime, Math.ceil(Math.min(...gaps) / 2) - 1) as Micros;
}

/** Whether a sum is what rates come to, at a price that may be another than now. */
function isNear(taken: Amount, due: Amount): boolean {
  if (taken > 0n !== due > 0n) return false;
  const apart = subtract(taken, due);
  const size = apart < 0n ? negate(apart) : apart;
  return size * priceParts <= (due < 0n ? negate(due) : due);
}

/** A sum in the parts of what was due; the last takes what is left, so nothing is lost. */
function sharesOf(due: readonly Due[], taken: Amount): readonly Due[] {
  const whole = sumOf(due.map(({ amount }) => amount));
  let left = taken;
  return due.map((one, index) => {
    const isLast = index === due.length - 1;
    const amount = isLast ? left : (((taken * one.amount) / whole) as Amount);
    left = subtract(left, amount);
    return { ...one, amount };
  });
}

function sumOf(amounts: readonly Amount[]): Amount {
  return amounts.reduce(add, zero);
}

function keyOf({ wallet, currency }: WalletDifference): string {
  return `${wallet} ${currency}`;
}
