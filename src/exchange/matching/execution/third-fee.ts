import type { Amount } from '../../../core/base/amount.ts';
import { cutAfter, multiply, negate } from '../../../core/base/amount.ts';
import type { Instrument } from '../../../core/model/instrument.ts';
import type { ExchangeState, ExchangeMarket } from '../state/index.ts';
import { Met } from '../orders/index.ts';
import type { OrderRecord } from '../orders/index.ts';
import { walkVolume } from './walk.ts';
import type { Wallet } from '../accounts/index.ts';

// Fees in a currency that is neither bought nor sold: taken from its wallet at the rate of the moment. No document says what
// becomes of an order whose fee that wallet cannot bear; docs/assumptions.md has our reading.

/** Decimals of fees on the wire: those in a third currency have no more, so what is told is what was taken. Source: v3-gaps, section 11. */
const feeDecimals = 12;

/** Whether the wallet of the third currency bears the worst fee of an order as prices are; nothing of it is reserved. */
export function bearsThird(
  exchange: ExchangeState,
  market: ExchangeMarket,
  record: OrderRecord,
  met: Met | undefined,
): boolean {
  const { third, terms, margin } = record.context;
  if (third === undefined || margin !== undefined) return true;
  const price = record.price ?? (record.state === 'suspended' ? record.stopPrice : undefined);
  const volume =
    price === undefined
      ? walkVolume(market, record, met?.copy() ?? new Met())
      : terms.volume(price, record.remaining);
  return third.available >= inThird(exchange, market.instrument, multiply(volume, terms.worstRate));
}

/** Takes a fee from the wallet of the third currency, at most what is there, or pays a rebate into it. `worth`: in quote currency. */
export function takeThird(
  exchange: ExchangeState,
  instrument: Instrument,
  third: Wallet,
  worth: Amount,
): Amount {
  const whole = inThird(exchange, instrument, worth);
  const there = cutAfter(third.available, feeDecimals);
  const fee = whole < there ? whole : there;
  exchange.wallets.deposit(third, negate(fee));
  exchange.wallets.collect(instrument.spec.feeCurrency, fee);
  return fee;
}

function inThird(exchange: ExchangeState, instrument: Instrument, worth: Amount): Amount {
  return cutAfter(multiply(worth, exchange.options.thirdRate(instrument)), feeDecimals);
}
