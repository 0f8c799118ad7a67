import type { Amount } from '../../../core/base/amount.ts';
import { add, zero } from '../../../core/base/amount.ts';
import type { Instrument, Lots, Ticks } from '../../../core/model/instrument.ts';
import type { BarFees } from './rules.ts';

/** The fee of one execution in the fee currency, exact. */
export function barFee(
  { rate, fixed, perLot }: BarFees,
  instrument: Instrument,
  { price, lots, taker }: { readonly price: Ticks; readonly lots: Lots; readonly taker: boolean },
): Amount {
  const share = rate ?? (taker ? instrument.takeRate : instrument.makeRate);
  const flat = perLot === zero ? fixed : ((fixed + perLot * BigInt(lots)) as Amount);
  const paid = instrument.toFeeCurrency(flat, price);
  return share === zero ? paid : add(paid, instrument.fee(price, lots, share));
}
