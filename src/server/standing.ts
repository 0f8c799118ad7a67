import type { AccountId } from '../matching/command.ts';
import type { Instrument, InstrumentId } from '../model/instrument.ts';
import type { Balance } from '../model/market.ts';
import type { FeeRate } from '../wire/market-rows.ts';
import type { DecodedReport } from '../wire/v3/orders.ts';
import type { Core } from './core.ts';

/** Active orders of an account as reports of their status, oldest first. */
export function statusReports(
  core: Core,
  account: AccountId,
  instrument?: InstrumentId,
): readonly DecodedReport[] {
  return core.exchange.activeOrders(account, instrument).map((order) => ({
    reportType: 'status',
    order,
    fill: undefined,
    list: core.exchange.listMark(account, order.clientOrderId),
  }));
}

/** Balances that are not zero: what notifications and lists show. Source: v3-gaps, section 2.3. */
export function nonZeroBalances(core: Core, account: AccountId): readonly Balance[] {
  return core.exchange
    .balances(account)
    .filter(({ available, reserved }) => available !== 0n || reserved !== 0n);
}

/** The fee rates of a symbol: the same for every account. */
export function feeRate({ symbol, takeRate, makeRate }: Instrument): FeeRate {
  return { symbol, takeRate, makeRate };
}
