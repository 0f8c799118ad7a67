import type { Amount } from '../../../core/base/amount.ts';
import { add, zero } from '../../../core/base/amount.ts';
import type { Instrument, Lots, Ticks } from '../../../core/model/instrument.ts';
import type { BarFees } from './rules.ts';

/** The fee of one execution in quote currency, exact. */
export function barFee(
  { rate, fixed, perLot }: BarFees,
  instrument: Instrument,
  { price, lots, taker }: { readonly price: Ticks; readonly lots: Lots; readonly taker: boolean },
): Amount {
  const share = rate ?? (taker ? instrument.takeRate : instrument.makeRate);
  let fee = share === zero ? fixed : add(fixed, instrument.fee(price, lots, share));
  if (perLot !== zero) fee = (fee + perLot * BigInt(lots)) as Amount;
  return fee;
}
