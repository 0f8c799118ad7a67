import type { Amount } from '../../base/amount.ts';
import { add, formatAmount, subtract, zero } from '../../base/amount.ts';
import type { Denial } from '../../model/denial.ts';
import type { Instrument, Lots, Ticks } from '../../model/instrument.ts';
import type { Balance } from '../../model/market.ts';
import type { Order } from '../../model/order.ts';
import type { Rule } from '../base/candidate.ts';
import { deny, worstPrice } from '../base/candidate.ts';
import { marginFunds } from '../margin/power.ts';
import type { Memory } from '../base/memory.ts';
import { costOf } from '../base/reservations.ts';
import { fundsOf } from '../base/share.ts';
import type { StateView } from '../../state/index.ts';
import { waitingOrders } from '../base/waiting.ts';

/** The balance that orders are compared with; `undefined` when they may take any amount. */
function spendable(balance: Balance): Balance | undefined {
  const { buyingPower, currency, reserved } = balance;
  if (buyingPower === undefined) return balance;
  return buyingPower === 'unlimited' ? undefined : { currency, available: buyingPower, reserved };
}

/**
 * Amount of a currency that replacements take that wait for the end of their orders, beyond what these orders hold: those of one strategy,
 * or all.
 */
function waitingCost(currency: string, view: StateView, memory: Memory, strategy?: string): Amount {
  let sum = zero;
  for (const order of waitingOrders(memory, strategy)) {
    if (order.margin !== undefined) continue;
    const original = order.originalClientOrderId && view.order(order.originalClientOrderId);
    const lots = Math.max(0, order.quantity - (original?.cumulative ?? 0)) as Lots;
    const price = worstPrice(order, view, memory) ?? (0 as Ticks);
    const cost = costOf(order, view.instruments.at(order.instrument), price, lots);
    if (cost.currency !== currency) continue;
    const held = (original && memory.reservations.spot.of(original.clientOrderId)?.amount) ?? zero;
    if (cost.amount > held) sum = add(sum, subtract(cost.amount, held));
  }
  return sum;
}

/**
 * A buy needs more than price x quantity and the worst fee; a sell needs its quantity. What our other orders may
 * still take, and the venue may not have reserved yet, counts as gone. Source: API v3, "Funds rule".
 */
export const funds = {
  code: 'FUNDS',
  control: (candidate, view, memory) => {
    const { instrument, request, lots, replaces } = candidate;
    if (request.margin !== undefined) return marginFunds(candidate, view, memory);
    const price = worstPrice(request, view, memory);
    const { side } = request;
    const { quoteCurrency, baseCurrency } = instrument.spec;
    const balance = spendable(view.balance(side === 'buy' ? quoteCurrency : baseCurrency));
    const isPlain =
      replaces === undefined &&
      request.takeRate === undefined &&
      request.makeRate === undefined &&
      memory.held.length === 0;
    if (balance !== undefined && price !== undefined && isPlain) {
      const rough = (memory.instruments[instrument.id]?.roughCost[side] ?? Number.NaN) * lots;
      if (
        memory.reservations.spot.plainlyCover(side === 'buy' ? rough * price : rough, balance, memory.uptime)
      )
        return undefined;
    }
    if (price === undefined && side === 'buy') return noPrice(instrument);
    if (balance === undefined) return undefined;
    const cost = costOf(request, instrument, price ?? (0 as Ticks), lots);
    const own = add(
      memory.reservations.spot.free(balance.currency, balance, memory.uptime),
      releasedBy(replaces, memory),
    );
    const free = subtract(own, waitingCost(balance.currency, view, memory));
    if (side === 'buy' ? free > cost.amount : free >= cost.amount) return undefined;
    return deny(
      'FUNDS',
      `expected ${side === 'buy' ? 'more than' : 'at least'} ${formatAmount(cost.amount)} ${cost.currency} free, found ${formatAmount(free)}`,
    );
  },
} satisfies Rule;

/** Amount that a replaced order gives back. */
function releasedBy(replaces: Order | undefined, memory: Memory): Amount {
  return replaces === undefined
    ? zero
    : (memory.reservations.spot.of(replaces.clientOrderId)?.amount ?? zero);
}

/**
 * An order takes no more than its strategy has of the balance, where that has a share of it: what its other orders may take counts as gone.
 * Orders on margin are paid by their margin accounts.
 */
export const strategyFunds = {
  code: 'FUNDS_STRATEGY',
  control: (candidate, view, memory) => {
    const { strategy, instrument, request, lots, replaces } = candidate;
    const { name, funds: shares } = strategy.limits;
    if (shares === undefined || request.margin !== undefined) return undefined;
    const price = worstPrice(request, view, memory);
    if (price === undefined && request.side === 'buy') return noPrice(instrument);
    const { currency, amount } = costOf(request, instrument, price ?? (0 as Ticks), lots);
    const own = fundsOf(view, memory, name, currency)?.free ?? zero;
    const free = subtract(add(own, releasedBy(replaces, memory)), waitingCost(currency, view, memory, name));
    if (free >= amount) return undefined;
    return deny(
      'FUNDS_STRATEGY',
      `expected at least ${formatAmount(amount)} ${currency} free of what ${name} may use, found ${formatAmount(free)}`,
    );
  },
} satisfies Rule;

function noPrice({ symbol }: Instrument): Denial {
  return deny('REFERENCE_PRICE_MISSING', `there is no price of ${symbol} to value the order at`);
}
