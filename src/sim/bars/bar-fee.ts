import type { Amount } from '../../base/amount.ts';
import { add, zero } from '../../base/amount.ts';
import type { Instrument, Lots, Ticks } from '../../model/instrument.ts';
import type { BarFees } from './bar-rules.ts';

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
