import type { Instruments } from '../../model/instrument.ts';
import type { Balance } from '../../model/market.ts';
import type { BarAccount } from './bar-account.ts';
import { barFee } from './bar-fee.ts';
import { BarMargin } from './bar-margin.ts';
import type { BarRules } from './bar-rules.ts';
import { BarSpot } from './bar-spot.ts';

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
