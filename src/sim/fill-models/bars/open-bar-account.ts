import type { Instruments } from '../../../core/model/instrument.ts';
import type { Balance } from '../../../core/model/market.ts';
import type { BarAccount } from './account.ts';
import { barFee } from './fee.ts';
import { BarMargin } from './margin.ts';
import type { BarRules } from './rules.ts';
import { BarSpot } from './spot.ts';

/** The account that the rules ask for, with `balances` in it. */
export function openBarAccount(
  instruments: Instruments,
  balances: readonly Balance[],
  { account, fees }: BarRules,
): BarAccount {
  if (account.kind === 'margin') return new BarMargin(instruments, balances, account);
  return new BarSpot(instruments, balances, (instrument, price, lots) =>
    barFee(fees, instrument, { price, lots, taker: true }),
  );
}
