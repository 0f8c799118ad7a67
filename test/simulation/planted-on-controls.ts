import type { SourceChange } from './planted-source.ts';
import { one } from './planted-source.ts';

const status = 'core/orders/controls/trading-status.ts';
const counts = 'core/orders/controls/counts.ts';
const sizes = 'core/orders/controls/size.ts';
const prices = 'core/orders/controls/price.ts';
const form = 'core/orders/rules/form.ts';
const table = 'core/orders/controls/table.ts';

/** Controls that are off, or that pass what they should not. */
export const controlBugs: Readonly<Record<string, readonly SourceChange[]>> = {
  'a stopped strategy may send': one(
    status,
    'const why = view.stopped(strategy.limits.name);',
    'const why: string | undefined = undefined;',
  ),
  'a paused strategy may send': one(
    status,
    'const why = view.paused(strategy.limits.name);',
    'const why: string | undefined = undefined;',
  ),
  'any symbol may be traded': [
    {
      file: status,
      from: 'if (memory.instruments[instrument.id]?.allowed !== true) {',
      to: 'if (instrument.id < 0) {',
    },
    {
      file: status,
      from: 'return strategy.limits.allowed[instrument.id] === true',
      to: 'return instrument.id >= 0',
    },
  ],
  // One alone is covered by the other: a session that went leaves an account that was not compared.
  'orders are accepted while the session is down': [
    {
      file: status,
      from: "view.sessionUp('trading') ? undefined :",
      to: 'view.status !== undefined ? undefined :',
    },
    { file: status, from: 'memory.reconciled\n      ?', to: 'memory.uptime > 0\n      ?' },
  ],
  // The gate asks the same at the last hop: one alone is covered by the other.
  'orders are accepted before the account was compared': [
    { file: status, from: 'memory.reconciled\n      ?', to: 'memory.uptime > 0\n      ?' },
    {
      file: 'core/gate/gate.ts',
      from: 'if (stale !== undefined || this.#parts.reconciled()) return stale;',
      to: 'if (stale !== undefined || this.#parts !== undefined) return stale;',
    },
  ],
  'reducing lets everything pass': one(
    status,
    "return reducingDenial(candidate, view, memory, { code: 'MODE_REDUCING', why: view.modeWhy });",
    'return undefined;',
  ),
  'what works already is left out while only positions are reduced': one(
    status,
    'if (open > 0 && working + lots <= open) return undefined;',
    'if (open > 0 && lots <= open) return undefined;',
  ),
  'reducing looks at the wrong side': one(
    status,
    "const open = request.side === 'buy' ? -held : held;",
    "const open = request.side === 'buy' ? held : -held;",
  ),
  'the halt of a product holds nothing back': one(
    status,
    "return why === undefined\n      ? undefined\n      : deny('PRODUCT_HALTED'",
    "return why === undefined || why !== ''\n      ? undefined\n      : deny('PRODUCT_HALTED'",
  ),
  'orders are accepted on stale books': [
    { file: status, from: 'if (own !== undefined) return own;', to: '' },
    { file: 'core/gate/gate.ts', from: 'if (found !== undefined) {', to: "if (found === 'gapped') {" },
  ],
  'a kind of order is not looked at': one(
    form,
    "const plain = type === 'limit' && (force === 'GTC' || force === 'IOC');",
    'const plain = type.length > 0;',
  ),
  // One alone is covered by the other: what may still execute is looked at as well.
  'a quantity of nothing is accepted': [
    {
      file: form,
      from: "if (typeof wanted === 'number' && wanted <= 0) {",
      to: "if (typeof wanted === 'number' && wanted < 0) {",
    },
    { file: form, from: 'if (lots <= 0) {', to: 'if (lots < 0) {' },
  ],
  'a replacement may ask for less than has executed': one(
    form,
    'if (lots <= 0) {',
    'if (lots <= 0 && replaces === undefined) {',
  ),
  'a limit order needs no price': one(
    form,
    'if (value === undefined) return deny(missing,',
    "if (value === undefined && name !== 'price') return deny(missing,",
  ),
  'a stop price is accepted where none belongs': one(
    form,
    'return value === undefined\n      ? undefined\n      : deny(notAllowed',
    "return value === undefined || name === 'stop price'\n      ? undefined\n      : deny(notAllowed",
  ),
  'an order may have expired before it leaves': one(form, 'return time > now\n', 'return time > 0\n'),
  'an expire time is judged by the own clock': one(
    form,
    'const now = venueNow(view, memory);\n    return time > now',
    'const now = memory.now;\n    return time > now',
  ),
  'post-only goes with any time in force': one(
    form,
    'if (!request.postOnly) return undefined;',
    'if (!request.postOnly || force.length > 0) return undefined;',
  ),
  'a replacement may change nothing': one(
    form,
    'replaces === undefined ||\n      replaces.price',
    'replaces?.quantity !== undefined ||\n      replaces === undefined ||\n      replaces.price',
  ),
  'a contract is bought on spot': one(
    'core/orders/rules/product.ts',
    "if (traded === 'futures' && request.margin === undefined)",
    "if (traded === 'futures' && request.margin === undefined && strategy === undefined)",
  ),
  'any product may be traded': one(
    'core/orders/rules/product.ts',
    'if (limits.products.includes(product)) return undefined;',
    'if (limits.products.length >= 0) return undefined;',
  ),
  'an order that closes a position may be of any kind': one(
    'core/orders/rules/product.ts',
    'return margin.closePosition ? closingDenial(',
    "return margin.closePosition && type === 'limit' ? closingDenial(",
  ),
  'an account of margin need not be open': one(
    table,
    '  marginAccountOpen,\n  marginCall,\n  reduceOnly,',
    '  marginCall,\n  reduceOnly,',
  ),
  'leverage is not limited': one(table, '  marginLimits,\n  messageThrottle,', '  messageThrottle,'),
  'a quantity is limited one lot too late': one(
    sizes,
    'return request.quantity <= most',
    'return request.quantity <= most + 1',
  ),
  'the worth of limit orders is not limited': one(
    sizes,
    'if (most !== undefined && found > most) {',
    "if (most !== undefined && found > most && request.type !== 'limit') {",
  ),
  'a position may be one order too large': one(
    sizes,
    'return towards + working - releasedLots(candidate) + candidate.lots;',
    'return towards + working - releasedLots(candidate);',
  ),
  'a position is limited on one side alone': one(
    sizes,
    "const towards = candidate.request.side === 'buy' ? held : -held;",
    "const towards = candidate.request.side === 'buy' ? held : -Math.abs(held);",
  ),
  'a replacement gives back twice what it replaces': one(
    'core/orders/base/candidate.ts',
    'replaces.quantity - replaces.cumulative;',
    '2 * (replaces.quantity - replaces.cumulative);',
  ),
  'gross exposure is not limited': one(
    table,
    '  positionMax,\n  exposureMax,\n  marginLimits,\n  messageThrottle,\n  funds,\n',
    '  positionMax,\n  marginLimits,\n  messageThrottle,\n  funds,\n',
  ),
  'gross exposure adds the sides': one(
    sizes,
    'return Math.max(long, short, 0);',
    'return Math.min(Math.max(long, 0), Math.max(short, 0));',
  ),
  'market orders leave at any spread': one(
    prices,
    'if (spread * 20_000 <= (bestAsk + bestBid) * Math.round(marketSpreadPercentMax * 100)) return undefined;',
    'if (spread > Number.NEGATIVE_INFINITY) return undefined;',
  ),
  'market orders are not switched off': one(prices, 'if (!isOn)\n', 'if (!isOn && instrument.id < 0)\n'),
  'a price is held against the mid price ten times as wide': one(
    prices,
    'const hundredths = Math.round(collarPercent * 100);\n',
    'const hundredths = Math.round(collarPercent * 1_000);\n',
  ),
  'own orders may meet by a replacement': one(
    prices,
    'const { instrument, request } = candidate;\n    const { side, price } = request;',
    'const { instrument, request } = candidate;\n    if (candidate.replaces !== undefined) return undefined;\n    const { side, price } = request;',
  ),
  'own sells may meet own buys': one(
    prices,
    "(side === 'buy' ? price < other : price > other)",
    "(side === 'buy' ? price < other : price > 0)",
  ),
  'an equal order is sent again at once': one(
    counts,
    'return other === undefined\n',
    'return other === undefined || other.instrument >= 0\n',
  ),
  'replacements come as fast as they like': one(
    'core/orders/controls/replace-pace.ts',
    'if (replaceMsMin === 0) return undefined;',
    'if (replaceMsMin >= 0) return undefined;',
  ),
  'a replacement forgets when it was replaced': one(
    'core/orders/controls/replace-pace.ts',
    'for (const one of [original, id]) {',
    'for (const one of [original]) {',
  ),
  'orders of a strategy are not limited': one(
    counts,
    'view.openCountBy(name) + waitingCount(view, memory, name) < openOrdersMax',
    'openOrdersMax > 0',
  ),
  'one order more than allowed may be open': one(
    counts,
    'waitingCount(view, memory, undefined, instrument.id) < most',
    'waitingCount(view, memory, undefined, instrument.id) <= most',
  ),
  'orders of the account are not limited': one(
    counts,
    'view.openCount() + waitingCount(view, memory) < most',
    'most > 0',
  ),
  'the throttle of the account counts one strategy': one(
    counts,
    'return memory.messages.admits(now)\n      ?',
    'return messages.admits(now)\n      ?',
  ),
  'money that nothing explains holds nothing back': one(
    'core/orders/controls/unexplained.ts',
    "if (row === undefined) return undefined;\n    if (row.holds === 'halted')",
    "if (row === undefined || rows.length > 0) return undefined;\n    if (row.holds === 'halted')",
  ),
  'an execution in doubt may be sold': one(
    'core/orders/controls/doubt.ts',
    'if (certain === held) return undefined;',
    'if (certain !== undefined) return undefined;',
  ),
  'a fee is left out of what a buy needs': one(
    'core/orders/base/reservations.ts',
    'add(amount, multiply(amount, worstRate(instrument, takeRate, makeRate)))',
    'add(amount, multiply(zero, worstRate(instrument, takeRate, makeRate)))',
  ),
  'funds of a replacement are not looked at': one(
    'core/orders/controls/funds.ts',
    'if (balance === undefined) return undefined;\n    const cost',
    'if (balance === undefined || replaces !== undefined) return undefined;\n    const cost',
  ),
  'what other orders reserve is free': one(
    'core/orders/controls/funds.ts',
    '      memory.reservations.spot.free(balance.currency, balance, memory.uptime),\n',
    '      balance.available,\n',
  ),
  'limits on the day and on drawdown are mixed up': one(
    'core/orders/loss-watch.ts',
    'const { day, drawdown, losingTrades } = limit;',
    'const { drawdown: day, day: drawdown, losingTrades } = limit;',
  ),
};
