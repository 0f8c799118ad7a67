import type { Control } from '../base/candidate.ts';
import { deny } from '../base/candidate.ts';
import { waitingCount } from '../base/waiting.ts';

/** The same symbol, side, price and quantity from one strategy inside a second. Source: faults, section 6 (12). */
export const duplicate: Control = ({ strategy, request, replaces }, _view, memory) => {
  if (replaces !== undefined) return undefined;
  const other = strategy.recent.equalTo(request, memory.uptime, memory.duplicateWindow);
  return other === undefined
    ? undefined
    : deny(
        'DUPLICATE_ORDER',
        `order ${other.clientOrderId} asked for the same less than ${memory.options.duplicateMs} ms ago`,
      );
};

/** New orders and replacements inside any second, of the strategy and of the account. Cancels are not counted. */
export const messageThrottle: Control = ({ strategy }, _view, memory) => {
  const now = memory.uptime;
  const { messages, limits } = strategy;
  if (!messages.admits(now)) {
    return deny('MESSAGE_THROTTLE', `strategy ${limits.name} may send ${messages.max} orders in a second`);
  }
  return memory.messages.admits(now)
    ? undefined
    : deny('MESSAGE_THROTTLE', `the account may send ${memory.messages.max} orders in a second`);
};

/** Open orders of the strategy, in-flight and unknown included. A replacement adds none. */
export const openOrdersStrategy: Control = ({ strategy, replaces }, view, memory) => {
  const { name, openOrdersMax } = strategy.limits;
  return replaces !== undefined || view.openCountBy(name) + waitingCount(view, memory, name) < openOrdersMax
    ? undefined
    : deny('OPEN_ORDERS_STRATEGY', `strategy ${name} has ${openOrdersMax} open orders, the most it may have`);
};

/** Open orders on the symbol, below the venue's 2,000. Source: API v3, "Order limits"; faults, I15. */
export const openOrdersSymbol: Control = ({ instrument, replaces }, view, memory) => {
  const most = memory.options.openOrdersSymbolMax;
  return replaces !== undefined ||
    view.openCountOf(instrument.id) + waitingCount(view, memory, undefined, instrument.id) < most
    ? undefined
    : deny('OPEN_ORDERS_SYMBOL', `${instrument.symbol} has ${most} open orders, the most we allow`);
};

/** Open orders of the account, below the venue's 25,000. */
export const openOrdersAccount: Control = ({ replaces }, view, memory) => {
  const most = memory.options.openOrdersAccountMax;
  return replaces !== undefined || view.openCount() + waitingCount(view, memory) < most
    ? undefined
    : deny('OPEN_ORDERS_ACCOUNT', `the account has ${most} open orders, the most we allow`);
};
