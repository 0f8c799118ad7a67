import type { Amount } from '../../base/amount.ts';
import { formatAmount, zero } from '../../base/amount.ts';
import type { Instrument, Lots, Ticks } from '../../model/instrument.ts';
import type { StateView } from '../../state/index.ts';
import type { Candidate, Rule } from '../base/candidate.ts';
import { deny, heldLots, releasedLots, workingLots, worstPrice } from '../base/candidate.ts';
import type { Memory } from '../base/memory.ts';
import { aroundMiddle } from '../base/profit.ts';

/** The largest quantity of one order. */
export const quantityMax = {
  code: 'QUANTITY_MAX',
  control: ({ instrument, request }, _view, memory) => {
    const most = memory.instruments[instrument.id]?.quantityMax ?? 0;
    return request.quantity <= most
      ? undefined
      : deny(
          'QUANTITY_MAX',
          `expected at most ${most} lots of ${instrument.symbol}, found ${request.quantity}`,
        );
  },
} satisfies Rule;

/** Price times quantity of one order, at the worst price it may be charged: our own maximum and the venue's minimum. */
export const notional = {
  code: 'NOTIONAL_MAX',
  control: ({ instrument, request }, view, memory) => {
    const limits = memory.instruments[instrument.id];
    const most = limits?.notionalMax;
    const least = limits?.notionalMin;
    if (most === undefined && least === undefined) return undefined;
    const price = worstPrice(request, view, memory);
    if (price === undefined) {
      return deny(
        'REFERENCE_PRICE_MISSING',
        `there is no price of ${instrument.symbol} to value the order at`,
      );
    }
    const found = instrument.notional(price, request.quantity);
    const { quoteCurrency } = instrument.spec;
    if (most !== undefined && found > most) {
      return deny(
        'NOTIONAL_MAX',
        `expected at most ${formatAmount(most)} ${quoteCurrency}, found ${formatAmount(found)}`,
      );
    }
    // What closes a position names no quantity.
    const isClosing = request.margin?.closePosition === true;
    if (least === undefined || found >= least || isClosing) return undefined;
    return deny(
      'NOTIONAL_MIN',
      `expected at least ${formatAmount(least)} ${quoteCurrency}, which the venue demands, found ${formatAmount(found)}`,
    );
  },
} satisfies Rule;

/**
 * The position over all accounts if everything working on the order's side executes, of the strategy and of all. An order
 * that leads back towards flat passes, however far beyond the limit the position stands.
 */
export const positionMax = {
  code: 'POSITION_MAX',
  control: (candidate, view, memory) => {
    const { instrument, request, strategy } = candidate;
    const { name } = strategy.limits;
    const ownMost = strategy.limits.positionMax[instrument.id] ?? 0;
    // Without a limit nothing need be summed up.
    if (ownMost !== Number.POSITIVE_INFINITY) {
      const own = heldLots(view, instrument, name);
      const ownWorst = worst(
        candidate,
        own,
        workingLots({ view, memory }, instrument, request.side, { strategy: name }),
      );
      if (ownWorst > ownMost) {
        return deny(
          'POSITION_MAX',
          `expected a position of strategy ${name} of at most ${ownMost} lots, found ${ownWorst} if all working orders fill`,
        );
      }
    }
    const most = memory.instruments[instrument.id]?.positionMax ?? 0;
    if (most === Number.POSITIVE_INFINITY) return undefined;
    const all = worst(
      candidate,
      heldLots(view, instrument),
      workingLots({ view, memory }, instrument, request.side),
    );
    return all <= most
      ? undefined
      : deny(
          'POSITION_MAX',
          `expected a position of the account of at most ${most} lots, found ${all} if all working orders fill`,
        );
  },
} satisfies Rule;

/** The position in the direction of the order when it and everything working beside it has executed. */
function worst(candidate: Candidate, held: number, working: number): number {
  const towards = candidate.request.side === 'buy' ? held : -held;
  return towards + working - releasedLots(candidate) + candidate.lots;
}

/**
 * Gross exposure in one quote currency: for every symbol the larger of both directions if its working orders
 * execute, valued at mid (a crossed book at its higher side), and this order at its worst price. An order that leads back towards flat
 * passes. Checked only when a limit is set.
 */
export const exposureMax = {
  code: 'EXPOSURE_MAX',
  control: (candidate, view, memory) => {
    const { instrument, request, lots } = candidate;
    const most = memory.instruments[instrument.id]?.exposureMax;
    if (most === undefined) return undefined;
    const currency = instrument.spec.quoteCurrency;
    const price = worstPrice(request, view, memory);
    if (price === undefined) {
      return deny(
        'REFERENCE_PRICE_MISSING',
        `there is no price of ${instrument.symbol} to value the order at`,
      );
    }
    // However large the rest is, and whether or not it can be valued.
    if (leadsBack({ view, memory }, candidate)) return undefined;
    let total = zero;
    for (const other of view.instruments.all) {
      if (other.spec.quoteCurrency !== currency) continue;
      const exposed = exposedLots({ view, memory }, other, candidate, other === instrument ? lots : 0);
      if (exposed === 0) continue;
      const value = valueOf(view, other, other === instrument ? price : undefined);
      if (value === undefined) {
        return deny(
          'REFERENCE_PRICE_MISSING',
          `there is no price of ${other.symbol} to value its position at`,
        );
      }
      total = (total + other.notional(value, exposed as Lots)) as Amount;
    }
    return total <= most
      ? undefined
      : deny(
          'EXPOSURE_MAX',
          `expected a gross exposure of at most ${formatAmount(most)} ${currency}, found ${formatAmount(total)}`,
        );
  },
} satisfies Rule;

/**
 * Whether the order, if it and all that works on its side executes, leads back towards flat, and no further beyond than the position
 * stands now. What closes a position closes no more than there is. What works on the other side is no reason: orders of a list that
 * wait count there, and may never come to work.
 */
function leadsBack(
  parts: { readonly view: StateView; readonly memory: Memory },
  candidate: Candidate,
): boolean {
  const { instrument, request } = candidate;
  if (request.margin?.closePosition === true) return true;
  const held = heldLots(parts.view, instrument);
  const after = worst(candidate, held, workingLots(parts, instrument, request.side));
  return after <= (request.side === 'buy' ? -held : held);
}

function exposedLots(
  parts: { readonly view: StateView; readonly memory: Memory },
  instrument: Instrument,
  candidate: Candidate,
  added: number,
): number {
  const net = heldLots(parts.view, instrument);
  const { side } = candidate.request;
  const here = instrument === candidate.instrument;
  const change = here ? added - (added > 0 ? releasedLots(candidate) : 0) : 0;
  const long = net + workingLots(parts, instrument, 'buy') + (side === 'buy' ? change : 0);
  const short = -net + workingLots(parts, instrument, 'sell') + (side === 'sell' ? change : 0);
  return Math.max(long, short, 0);
}

/** The larger of mid and `least`. */
function valueOf(view: StateView, instrument: Instrument, least: Ticks | undefined): Ticks | undefined {
  const around = aroundMiddle(view, instrument);
  if (around === undefined) return least;
  const [low, high] = around;
  return Math.max(Math.ceil((low + high) / 2), least ?? 0) as Ticks;
}
