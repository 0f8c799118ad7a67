import type { Control } from '../candidate.ts';
import { deny } from '../candidate.ts';

/** Open orders of the strategy, in-flight and unknown included. A replacement adds none. */
export const openOrdersStrategy: Control = ({ strategy, replaces }, view) => {
  const { name, openOrdersMax } = strategy.limits;
  return replaces !== undefined || view.openCountBy(name) < openOrdersMax
    ? undefined
    : deny('OPEN_ORDERS_STRATEGY', `strategy ${name} has ${openOrdersMax} open orders, the most it may have`);
};

/** Open orders on the symbol, below the venue's 2,000. Source: API v3, "Order limits"; faults, I15. */
export const openOrdersSymbol: Control = ({ instrument, replaces }, view, memory) => {
  const most = memory.options.openOrdersSymbolMax;
  return replaces !== undefined || view.openCountOf(instrument.id) < most
    ? undefined
    : deny('OPEN_ORDERS_SYMBOL', `${instrument.symbol} has ${most} open orders, the most we allow`);
};

/** Open orders of the account, below the venue's 25,000. */
export const openOrdersAccount: Control = ({ replaces }, view, memory) => {
  const most = memory.options.openOrdersAccountMax;
  return replaces !== undefined || view.openCount() < most
    ? undefined
    : deny('OPEN_ORDERS_ACCOUNT', `the account has ${most} open orders, the most we allow`);
};
