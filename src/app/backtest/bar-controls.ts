import type { LiveDenials, OrderOptions } from '../../core/orders/index.ts';
import type { BarRules } from '../../sim/fill-models/bars/index.ts';

const boundless = 1e12;

/**
 * The order controls as bars allow them. A bar has no spread, so collars and spread limits are open; no one else
 * touches the account, so it is not read again; market orders are what bar strategies trade with.
 */
export function barOrderOptions(options: OrderOptions): OrderOptions {
  return {
    ...options,
    marketOrders: true,
    marketSpreadPercentMax: boundless,
    marketReservePercent: 0,
    collarPercent: boundless,
    stopCollarPercent: boundless,
    referenceAgeMsMax: boundless,
    duplicateMs: 0,
    reconcile: { ...options.reconcile, everyMs: 0 },
  };
}

/**
 * The order controls of live trading, as far as bars can answer them: a bar has no spread, and its price is mid and last
 * trade in one. With one quote for the whole run nothing is known of later prices.
 */
export function liveOrderOptions(options: OrderOptions, { quotes }: BarRules): OrderOptions {
  const { collarPercent, stopCollarPercent } = options;
  return {
    ...options,
    marketSpreadPercentMax: boundless,
    referenceAgeMsMax: 0,
    lastTradeNeeded: false,
    collarPercent: quotes === 'each' ? collarPercent : boundless,
    stopCollarPercent: quotes === 'each' ? stopCollarPercent : boundless,
  };
}

/** Denials that live trading would have made, in one sentence; nothing when it would have denied nothing. */
export function liveNotes({ orders, denied, denials }: LiveDenials): readonly string[] {
  if (denied === 0) return [];
  const codes = [...denials].map(([code, count]) => `${code} ${count}`).join(', ');
  return [
    `live trading with these settings would have denied ${denied} of ${orders} orders: ${codes} (docs/bars.md)`,
  ];
}
