import { millis } from '../../base/clock.ts';
import type { Rule } from '../base/candidate.ts';
import { deny } from '../base/candidate.ts';
import { ruleStates } from '../base/memory.ts';
import { countOption, delayMs, ruleSettings } from '../base/options.ts';
import { RecentOrders } from '../base/recent.ts';
import { waitingCount } from '../base/waiting.ts';

const equalOrders = ruleSettings(
  {
    duplicateMs: delayMs
      .default(1_000)
      .describe('an equal order of one strategy inside this time is refused'),
  },
  { duplicateMs: 'less' },
);

/** As many orders as a strategy may send within the time in which equal ones are refused. */
const recent = ruleStates<RecentOrders>(({ limits, options }, before) => {
  const most = Math.min(limits.messagesPerSecondMax, options[0]?.messagesPerSecondMax ?? 0);
  const duplicateMs = Math.max(...options.map((one) => equalOrders.of(one).duplicateMs));
  const max = Math.min(most * Math.max(1, Math.ceil(duplicateMs / 1_000)), 10_000);
  return before?.resized(max) ?? new RecentOrders(max);
});

/** The same symbol, side, price and quantity from one strategy inside a second. Source: faults, section 6 (12). */
export const duplicate = {
  code: 'DUPLICATE_ORDER',
  settings: equalOrders,
  states: recent,
  once: true,
  control: ({ strategy, request, replaces }, _view, memory) => {
    if (replaces !== undefined) return undefined;
    const { duplicateMs } = equalOrders.of(memory.options);
    const other = recent.of(strategy).equalTo(request, memory.uptime, millis(duplicateMs));
    return other === undefined
      ? undefined
      : deny(
          'DUPLICATE_ORDER',
          `order ${other.clientOrderId} asked for the same less than ${duplicateMs} ms ago`,
        );
  },
} satisfies Rule;

/** New orders and replacements inside any second, of the strategy and of the account. Cancels are not counted. */
export const messageThrottle = {
  code: 'MESSAGE_THROTTLE',
  once: true,
  control: ({ strategy }, _view, memory) => {
    const now = memory.uptime;
    const { messages, limits } = strategy;
    if (!messages.admits(now)) {
      return deny('MESSAGE_THROTTLE', `strategy ${limits.name} may send ${messages.max} orders in a second`);
    }
    return memory.messages.admits(now)
      ? undefined
      : deny('MESSAGE_THROTTLE', `the account may send ${memory.messages.max} orders in a second`);
  },
} satisfies Rule;

/** Open orders of the strategy, in-flight and unknown included. A replacement adds none. */
export const openOrdersStrategy = {
  code: 'OPEN_ORDERS_STRATEGY',
  control: ({ strategy, replaces }, view, memory) => {
    const { name, openOrdersMax } = strategy.limits;
    return replaces !== undefined || view.openCountBy(name) + waitingCount(view, memory, name) < openOrdersMax
      ? undefined
      : deny(
          'OPEN_ORDERS_STRATEGY',
          `strategy ${name} has ${openOrdersMax} open orders, the most it may have`,
        );
  },
} satisfies Rule;

const openOnSymbol = ruleSettings(
  {
    openOrdersSymbolMax: countOption
      .min(1)
      .max(2_000)
      .default(1_800)
      .describe('open orders on one symbol, in-flight and unknown included; the venue allows 2,000'),
  },
  { openOrdersSymbolMax: 'more' },
);

/** Open orders on the symbol, below the venue's 2,000. Source: API v3, "Order limits"; faults, I15. */
export const openOrdersSymbol = {
  code: 'OPEN_ORDERS_SYMBOL',
  settings: openOnSymbol,
  control: ({ instrument, replaces }, view, memory) => {
    const most = openOnSymbol.of(memory.options).openOrdersSymbolMax;
    return replaces !== undefined ||
      view.openCountOf(instrument.id) + waitingCount(view, memory, undefined, instrument.id) < most
      ? undefined
      : deny('OPEN_ORDERS_SYMBOL', `${instrument.symbol} has ${most} open orders, the most we allow`);
  },
} satisfies Rule;

const openOfAccount = ruleSettings(
  {
    openOrdersAccountMax: countOption
      .min(1)
      .max(25_000)
      .default(22_500)
      .describe('open orders of the account, in-flight and unknown included; the venue allows 25,000'),
  },
  { openOrdersAccountMax: 'more' },
);

/** Open orders of the account, below the venue's 25,000. */
export const openOrdersAccount = {
  code: 'OPEN_ORDERS_ACCOUNT',
  settings: openOfAccount,
  control: ({ replaces }, view, memory) => {
    const most = openOfAccount.of(memory.options).openOrdersAccountMax;
    return replaces !== undefined || view.openCount() + waitingCount(view, memory) < most
      ? undefined
      : deny('OPEN_ORDERS_ACCOUNT', `the account has ${most} open orders, the most we allow`);
  },
} satisfies Rule;
