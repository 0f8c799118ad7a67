import type { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { NewOrderCommand } from '../../src/core/model/command.ts';
import type { Event, MarginFound } from '../../src/core/model/event.ts';
import type { InstrumentId, Instruments, Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { PositionAccount } from '../../src/core/model/margin.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import type { StateCheck } from './check-state.ts';
import type { ExchangeMoney } from './exchange-money.ts';
import { keyOfTrade } from './exchange-money.ts';
import type { Marks } from './marks.ts';
import { middleOf } from './middle.ts';
import { placeOf } from './traded.ts';

export interface PositionParts {
  readonly time: VirtualClock;
  readonly breaches: Breaches;
  readonly marks: Marks;
  readonly instruments: Instruments;
  readonly money: ExchangeMoney;
  readonly state: StateCheck;
  /** Since when no fault has stood in the way of reads; `undefined`: one does. */
  readonly fairSince: () => number | undefined;
  /** Of the process that runs, if one does. */
  readonly view: () => StateView | undefined;
}

/** So long a difference of a position stands before it is one, and the longest wait between two looks. */
const foundMax = 90_000_000 + 75_000_000;
/** A report of a position that nothing follows is believed by then. */
const notedMax = 15_000_000;
/** How often positions are looked at. */
const everyMicros = 5_000_000;

/**
 * Positions of margin accounts at the exchange, held against what the trader booked: what it calls a difference is one (I6), and a
 * difference that stands is found in time and halts (I23). An execution that it withdraws or corrects is none that the exchange has.
 */
export class PositionCheck {
  readonly #parts: PositionParts;
  /** Since when a position has differed by so many lots, by place. */
  readonly #differs = new Map<string, { readonly lots: number; readonly since: number }>();
  #lookedAt = 0;
  /** Executions that were reported to the present process. */
  readonly #reported = new Set<string>();
  /** Executions that the present process corrected. */
  readonly #corrected = new Set<string>();

  constructor(parts: PositionParts) {
    this.#parts = parts;
  }

  /** The next process has to see a difference for as long as the one before. */
  restart(): void {
    this.#differs.clear();
    this.#corrected.clear();
    this.#reported.clear();
  }

  after(event: Event, view: StateView): void {
    const { marks, breaches, money } = this.#parts;
    if (event.kind === 'orderReport' && event.fill !== undefined)
      this.#reported.add(
        keyOfTrade({
          instrument: event.order.instrument,
          side: event.order.side,
          tradeId: event.fill.tradeId,
        }),
      );
    if (event.kind === 'executionCorrected') {
      const { trade, holds, why } = event.correction;
      const key = keyOfTrade(trade);
      marks.hit('branch/execution corrected');
      // Histories are late here; what they tell is so, or is one of their lies about a fee.
      const isOfFee = holds !== undefined && this.#parts.state.orders.notedFees.get(key) === holds.fee;
      // A wall clock that was set between two processes makes a report older than it is; the history shows it later.
      const isOfBefore = holds === undefined && !this.#reported.has(key);
      if ((money.trades.has(key) !== isOfFee && !isOfBefore) || this.#corrected.has(key))
        breaches.add('I6', why);
      this.#corrected.add(key);
    }
    if (event.kind === 'orderPending') this.#checkReducing(event.command, view);
    if (event.kind !== 'marginFound') return;
    marks.hit(`branch/finding ${event.finding}`);
    if (event.finding === 'externalMargin') return;
    // Nothing was open before the first run.
    if (event.finding !== 'positionMismatch') breaches.add('I6', event.why);
    else this.#checkFound(event, view);
  }

  /** I19: a reduce-only order finds as much at the exchange, too, where the trader has been informed of that for long. */
  #checkReducing({ request }: NewOrderCommand, view: StateView): void {
    const { time, breaches, instruments, fairSince } = this.#parts;
    const { instrument, side, quantity, margin, clientOrderId } = request;
    if (margin?.reduceOnly !== true || fairSince() === undefined) return;
    const place = placeOf(instrument, margin.mode);
    const since = this.#differs.get(place)?.since;
    if (since === undefined || time.now() - since < notedMax) return;
    const unit = instruments.at(instrument).quantityAmount(1 as Lots);
    const noted = Number((view.venuePosition(instrument, margin.mode)?.quantity ?? 0n) / unit);
    const open = this.#atExchange().get(place) ?? 0;
    if (noted === open && quantity > (side === 'sell' ? open : -open))
      breaches.add(
        'I19',
        `reduce-only order ${clientOrderId} was admitted, and ${open} lots are at the exchange`,
      );
  }

  #checkFound(event: MarginFound, view: StateView): void {
    const { position, account, lots, halts, why } = event;
    const { breaches } = this.#parts;
    if (position === undefined) return;
    this.#checkPrice(event, view);
    const place = placeOf(position, account.mode);
    if (!this.#differs.has(place)) breaches.add('I6', why);
    this.#differs.delete(place);
    if (!halts) breaches.add('I23', `what differs halts nothing: ${why}`);
    const open = this.#atExchange().get(place) ?? 0;
    const booked = view.netPosition(position, account.mode);
    if (booked !== open)
      breaches.add(
        'I6',
        `${lots} lots of ${place} were taken over, and then ${booked} of ${open} are booked`,
      );
  }

  /** I4: nobody knows at what price others closed own lots. Booked at the market they leave the profit as it stood. */
  #checkPrice({ position: id, account, lots, price, why }: MarginFound, view: StateView): void {
    if (id === undefined || (view.netPosition(id, account.mode) - lots) * lots >= 0) return;
    const { breaches, instruments, marks } = this.#parts;
    const sum = middleOf(id, view);
    if (sum === undefined) return;
    marks.hit('branch/position closed by others');
    const market = instruments.at(id).priceAmount(sum as Ticks) / 2n;
    if (price !== market)
      breaches.add('I4', `${why}: that is booked at ${price}, and the market is at ${market}`);
  }

  afterStep(): void {
    const { time, view: viewOf, fairSince, breaches } = this.#parts;
    if (time.now() - this.#lookedAt < everyMicros) return;
    this.#lookedAt = time.now();
    const view = viewOf();
    if (view === undefined) return;
    const fair = fairSince();
    const open = this.#atExchange();
    for (const { instrument, account } of view.positions()) {
      const place = placeOf(instrument, account);
      if (account !== 'spot' && !open.has(place)) open.set(place, 0);
    }
    for (const [place, theirs] of open) {
      const [id, account] = place.split(' ');
      const lots = theirs - view.netPosition(Number(id) as InstrumentId, account as PositionAccount);
      const known = this.#differs.get(place);
      if (lots === 0) this.#differs.delete(place);
      else if (known?.lots !== lots) this.#differs.set(place, { lots, since: time.now() });
      else if (fair !== undefined && time.now() - Math.max(known.since, fair) > foundMax)
        breaches.add(
          'I23',
          `the position of ${place} has differed by ${lots} lots since long, and nothing is said`,
        );
    }
  }

  /** Signed lots of each position of a margin account. */
  #atExchange(): Map<string, number> {
    const { money, instruments } = this.#parts;
    const lots = new Map<string, number>();
    for (const { positions, mode } of money.accounts.values())
      for (const { instrument, quantity } of positions) {
        const unit = instruments.at(instrument).quantityAmount(1 as Lots);
        lots.set(placeOf(instrument, mode), Number(quantity / unit));
      }
    return lots;
  }
}
