import type { Amount } from '../../core/base/amount.ts';
import { add, zero } from '../../core/base/amount.ts';
import type { AccountId } from '../matching/index.ts';
import { isFuturesAccount, marginAccountOf } from '../matching/index.ts';
import type { Instrument, InstrumentId } from '../../core/model/instrument.ts';
import type { Balance } from '../../core/model/market.ts';
import type { Core } from './core.ts';
import type { DecodedReport, FeeRate } from '../../venues/hitbtc/wire/resources/index.ts';

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
  return [...currenciesOf(core, account)]
    .map((currency) => tradingBalance(core, account, currency))
    .filter(
      ({ available, reserved, reservedMargin, reservedCrossMargin }) =>
        available !== 0n || reserved !== 0n || reservedMargin !== 0n || reservedCrossMargin !== 0n,
    );
}

function currenciesOf(core: Core, account: AccountId): ReadonlySet<string> {
  const { exchange } = core;
  return new Set([
    ...exchange.balances(account).map(({ currency }) => currency),
    ...exchange.marginAccounts(marginOwnerOf(account)).map(({ currency }) => currency),
  ]);
}

/** A trading balance with what of it serves as margin. Source: API v3, "Balances". */
export function tradingBalance(
  core: Core,
  account: AccountId,
  currency: string,
): Balance & { readonly reservedMargin: Amount; readonly reservedCrossMargin: Amount } {
  let reservedMargin = zero;
  let reservedCrossMargin = zero;
  for (const view of core.exchange.marginAccounts(marginOwnerOf(account))) {
    if (view.currency !== currency) continue;
    if (view.mode === 'cross') reservedCrossMargin = add(reservedCrossMargin, view.balance);
    else reservedMargin = add(reservedMargin, view.balance);
  }
  return { ...core.exchange.balance(account, currency), reservedMargin, reservedCrossMargin };
}

/** Where the margin of a balance lies: contracts take theirs from their own product account. */
function marginOwnerOf(account: AccountId): AccountId {
  return isFuturesAccount(account) ? account : marginAccountOf(account);
}

/** The fee rates of a symbol: the same for every account. */
export function feeRate({ symbol, takeRate, makeRate }: Instrument): FeeRate {
  return { symbol, takeRate, makeRate };
}
