import type { RuleRow } from './row.ts';

const denials = 'core/orders/denials.test.ts';
const boundaries = 'core/orders/boundaries.test.ts';
const unknown =
  'reliability/unknown-orders.test.ts: counts an order %s, and lets the next one pass once that has ended';
const itself = 'It judges the order by itself.';
const state = 'It judges a state that no order in flight changes.';

/** Rules of `core/orders/controls/table.ts` by their names there, in the order in which they are asked. */
export const tableRows: readonly RuleRow[] = [
  {
    id: 'stopped',
    holds: 'A strategy that was stopped, or is not known, orders nothing.',
    where: ['core/orders/controls/trading-status.ts'],
    tests: [`${denials}: a stopped or unknown strategy is denied`],
    inFlight: ['core/orders/watches.test.ts: a stopped strategy loses its orders, others keep theirs'],
  },
  {
    id: 'symbolAllowed',
    holds: 'A strategy orders what it declared, of the symbols that are allowed.',
    where: ['core/orders/controls/trading-status.ts'],
    tests: [
      `${denials}: a symbol that is not on the list, not of the strategy, a contract of a strategy for spot, or no symbol is denied`,
    ],
    inFlight: itself,
  },
  {
    id: 'product',
    holds: 'An order is of a product that venue, symbol and strategy have.',
    where: ['core/orders/rules/product.ts'],
    tests: [
      'core/orders/product.test.ts: a product that the strategy did not declare is denied',
      'core/orders/product.test.ts: a contract takes futures orders, a symbol without margin trading spot orders',
    ],
    inFlight: itself,
  },
  {
    id: 'marginMark',
    holds: 'An order on margin names a mode that there is.',
    where: ['core/orders/rules/product.ts'],
    tests: ['core/orders/margin-form.test.ts: a margin mode is one of those there are'],
    inFlight: itself,
  },
  {
    id: 'form.kind',
    holds: 'Type, side and time in force are known ones that go together.',
    where: ['core/orders/rules/form.ts'],
    tests: [`${denials}: %s is denied`, `${denials}: a well-formed order of every resting kind passes`],
    inFlight: itself,
  },
  {
    id: 'form.quantity',
    holds: 'A quantity is a whole number of lots above zero.',
    where: ['core/orders/rules/form.ts'],
    tests: [`${denials}: %s is denied`, `${denials}: a well-formed order of every resting kind passes`],
    inFlight: itself,
  },
  {
    id: 'form.price',
    holds: 'A price is there where the type has one, and a whole number of ticks.',
    where: ['core/orders/rules/form.ts'],
    tests: [`${denials}: %s is denied`, `${denials}: a well-formed order of every resting kind passes`],
    inFlight: itself,
  },
  {
    id: 'form.stopPrice',
    holds: 'A stop price is there where the type has one, and a whole number of ticks.',
    where: ['core/orders/rules/form.ts'],
    tests: [`${denials}: %s is denied`, `${denials}: a well-formed order of every resting kind passes`],
    inFlight: itself,
  },
  {
    id: 'form.expireTime',
    holds: 'An expire time is there for GTD alone, and still to come.',
    where: ['core/orders/rules/form.ts'],
    tests: [`${denials}: %s is denied`, `${denials}: a well-formed order of every resting kind passes`],
    inFlight: itself,
  },
  {
    id: 'form.postOnly',
    holds: 'Post-only is for orders that may rest.',
    where: ['core/orders/rules/form.ts'],
    tests: [`${denials}: %s is denied`, `${denials}: a well-formed order of every resting kind passes`],
    inFlight: itself,
  },
  {
    id: 'form.changed',
    holds: 'A replacement changes price, stop price or quantity.',
    where: ['core/orders/rules/form.ts'],
    tests: [`${denials}: a replacement is judged like a new order of the new values`],
    inFlight: [`${denials}: one replacement at a time, and none before the order is known to live`],
  },
  {
    id: 'mode',
    holds: 'While halted nothing is ordered, while reducing only what shrinks the position.',
    where: ['core/orders/controls/trading-status.ts'],
    tests: [
      `${denials}: while halted every order is denied`,
      `${denials}: while reducing only what shrinks the position passes, working orders counted`,
    ],
    inFlight: [
      'core/gate/gate.test.ts: when trading halts while it waits',
      `${denials}: while reducing only what shrinks the position passes, working orders counted`,
    ],
  },
  {
    id: 'paused',
    holds: 'A paused strategy orders nothing.',
    where: ['core/orders/controls/trading-status.ts'],
    tests: [
      'core/orders/operator.test.ts: pause: new orders and replacements are denied, live orders stay, cancels pass; resume ends it',
    ],
    inFlight: state,
  },
  {
    id: 'lossLimit',
    holds: 'At a limit on loss only what reduces is ordered, or nothing.',
    where: ['core/orders/controls/loss.ts'],
    tests: ['core/orders/loss-limits.test.ts: is reached at its amount, not a tick before'],
    inFlight: [
      'core/orders/loss-limits.test.ts: one that has no answer yet when the limit is reached is canceled',
      'core/orders/loss-limits.test.ts: an unknown order counts as if it had executed where that costs most',
    ],
  },
  {
    id: 'unexplainedMoney',
    holds: 'While much money is unexplained only what reduces is ordered.',
    where: ['core/orders/controls/unexplained.ts'],
    tests: [
      'core/orders/controls/unexplained.test.ts: does nothing up to a thousandth of the equity, in whatever currency it is',
      'core/orders/controls/unexplained.test.ts: lets only orders that reduce leave beyond it, cancels the others, and ends when it is explained',
    ],
    inFlight: state,
  },
  {
    id: 'session',
    holds: 'Nothing is ordered without a trading session.',
    where: ['core/orders/controls/trading-status.ts'],
    tests: [
      `${denials}: without a trading session, and until the comparison after it came up, orders are denied`,
    ],
    inFlight: ['core/gate/gate.test.ts: when the trading session is down'],
  },
  {
    id: 'reconciled',
    holds: 'Nothing is ordered before the account was compared.',
    where: ['core/orders/controls/trading-status.ts'],
    tests: [
      `${denials}: without a trading session, and until the comparison after it came up, orders are denied`,
    ],
    inFlight: [
      'core/orders/reconcile.test.ts: a lost session makes what was in flight unknown; new orders wait for the next comparison',
    ],
  },
  {
    id: 'productHalted',
    holds: 'Nothing is ordered in a product whose positions differ from the venue.',
    where: ['core/orders/controls/trading-status.ts'],
    tests: [
      'core/orders/margin-reconcile.test.ts: a difference that stands for the window of evidence halts the product, and is booked to nobody of ours',
    ],
    inFlight: [
      'core/orders/margin-reconcile.test.ts: a difference is found however much is traded meanwhile',
    ],
  },
  {
    id: 'unanswered',
    holds: 'Nothing is ordered while too many orders are without an answer.',
    where: ['core/orders/controls/trading-status.ts'],
    tests: [
      'core/orders/watches.test.ts: an outage is one event, however many orders it leaves unknown, and new ones wait for its end',
    ],
    inFlight: [
      'core/orders/watches.test.ts: orders on their way hold none back while the oldest of them is young',
    ],
  },
  {
    id: 'positionInDoubt',
    holds: 'What would close a position that is in doubt waits.',
    where: ['core/orders/controls/doubt.ts'],
    tests: [
      'core/orders/executions.test.ts: goes at once, but closes no execution that a complete read did not show until it is settled',
    ],
    inFlight: state,
  },
  {
    id: 'symbolWorking',
    holds: 'Nothing is ordered of a symbol that does not work.',
    where: ['core/orders/controls/trading-status.ts'],
    tests: [`${denials}: a symbol that does not work is denied until it works again`],
    inFlight: [
      'system/symbol-status.test.ts: mode %s: orders on a symbol that is suspended or cleared during the run are denied before a byte leaves',
    ],
  },
  {
    id: 'staleness',
    holds: 'Nothing is ordered on a book that is stale, crossed or late.',
    where: ['core/orders/controls/trading-status.ts'],
    tests: [
      `${denials}: an order on a stale, empty or crossed book, or with one that it is priced from, is denied`,
      'core/orders/venue-time.test.ts: are stale beyond the limit, for as long as they do',
    ],
    inFlight: [
      'core/gate/gate.test.ts: when a book its strategy declared is stale at the moment it would leave',
    ],
  },
  {
    id: 'marginAccountOpen',
    holds: 'An order on margin needs an open account.',
    where: ['core/orders/margin/power.ts'],
    tests: ['core/orders/margin-power.test.ts: an order needs an open account'],
    inFlight: [
      'core/orders/margin-changes.test.ts: that takes margin counts at once, that adds some only when it is made',
    ],
  },
  {
    id: 'marginCall',
    holds: 'During a margin call only what shrinks the position is ordered.',
    where: ['core/orders/margin/reducing.ts'],
    tests: [
      'core/orders/reduce-only.test.ts: a margin call denies what does not shrink the position, on its account alone',
    ],
    inFlight: ['core/orders/margin-changes.test.ts: while a margin call stands may only add'],
  },
  {
    id: 'reduceOnly',
    holds: 'A reduce-only order is no larger than what is left to close.',
    where: ['core/orders/margin/reducing.ts'],
    tests: ['core/orders/reduce-only.test.ts: takes the whole position, and not a lot more'],
    inFlight: [
      'core/orders/reduce-only.test.ts: counts what orders in flight may close, until they are rejected',
      'core/orders/reduce-only.test.ts: counts an unknown order in its worst case',
    ],
  },
  {
    id: 'quantityMax',
    holds: 'An order has at most so many lots.',
    where: ['core/orders/controls/size.ts'],
    tests: [`${boundaries}: maximum quantity`],
    inFlight: itself,
  },
  {
    id: 'marketOrders',
    holds: 'Market orders are allowed, and the book has two sides and a narrow spread.',
    where: ['core/orders/controls/price.ts'],
    tests: [`${boundaries}: market types are off by default, and need two sides and a narrow spread`],
    inFlight: state,
  },
  {
    id: 'notional',
    holds: 'An order is worth at most so much.',
    where: ['core/orders/controls/size.ts'],
    tests: [`${boundaries}: maximum notional, by symbol and by quote currency`],
    inFlight: itself,
  },
  {
    id: 'priceCollar',
    holds: 'A price is near the middle of the book and the last trade.',
    where: ['core/orders/controls/price.ts'],
    tests: [
      `${boundaries}: price collar against mid and last trade`,
      `${boundaries}: stop prices have their own collar, and a stop limit is held against its stop price`,
    ],
    inFlight: state,
  },
  {
    id: 'selfTrade',
    holds: 'An order meets no own one.',
    where: ['core/orders/controls/price.ts'],
    tests: [`${denials}: an order that would cross an own one, in flight or of another strategy, is denied`],
    inFlight: [
      unknown,
      `${denials}: an order that would cross an own one, in flight or of another strategy, is denied`,
    ],
  },
  {
    id: 'duplicate',
    holds: 'The same order of a strategy within a second is denied.',
    where: ['core/orders/controls/counts.ts'],
    tests: [`${denials}: the same order inside a second is denied, a second later it passes`],
    inFlight: [`${denials}: the same order inside a second is denied, a second later it passes`],
  },
  {
    id: 'replacePace',
    holds: 'An order is replaced again only after the least time.',
    where: ['core/orders/controls/replace-pace.ts'],
    tests: [
      'core/orders/controls/replace-pace.test.ts: an order is replaced a second time only when the least time has passed, to the microsecond',
    ],
    inFlight: [
      'core/orders/controls/replace-pace.test.ts: a replacement that the venue refused counts as well',
    ],
  },
  {
    id: 'openOrdersStrategy',
    holds: 'A strategy has at most so many orders.',
    where: ['core/orders/controls/counts.ts'],
    tests: [`${boundaries}: open orders of a strategy, a symbol and the account`],
    inFlight: [unknown, `${boundaries}: open orders of a strategy, a symbol and the account`],
  },
  {
    id: 'openOrdersSymbol',
    holds: 'A symbol has at most so many orders.',
    where: ['core/orders/controls/counts.ts'],
    tests: [`${boundaries}: open orders of a strategy, a symbol and the account`],
    inFlight: [unknown, `${boundaries}: open orders of a strategy, a symbol and the account`],
  },
  {
    id: 'openOrdersAccount',
    holds: 'The account has at most so many orders.',
    where: ['core/orders/controls/counts.ts'],
    tests: [`${boundaries}: open orders of a strategy, a symbol and the account`],
    inFlight: [unknown, `${boundaries}: open orders of a strategy, a symbol and the account`],
  },
  {
    id: 'positionMax',
    holds: 'Position and working orders of a side are at most so large.',
    where: ['core/orders/controls/size.ts'],
    tests: [`${boundaries}: position of the strategy and of the account, what works on the side included`],
    inFlight: [
      unknown,
      `${boundaries}: position of the strategy and of the account, what works on the side included`,
    ],
  },
  {
    id: 'exposureMax',
    holds: 'Positions and working orders of a quote currency are worth at most so much.',
    where: ['core/orders/controls/size.ts'],
    tests: [`${boundaries}: gross exposure in a quote currency over all its symbols`],
    inFlight: [unknown, `${boundaries}: gross exposure in a quote currency over all its symbols`],
  },
  {
    id: 'marginLimits',
    holds: 'Leverage and the distance to a liquidation stay within their limits.',
    where: ['core/orders/margin/outlook.ts'],
    tests: [
      'core/orders/margin-limits.test.ts: is at most the limit with the order executed, the fee taken',
      'core/orders/margin-limits.test.ts: the last tick passes',
    ],
    inFlight: ['core/orders/margin-limits.test.ts: counts the position and what works beside the order'],
  },
  {
    id: 'messageThrottle',
    holds: 'A strategy and the account send at most so many messages in any second.',
    where: ['core/orders/controls/counts.ts'],
    tests: [`${boundaries}: messages of a strategy and of the account inside any second`],
    inFlight: [`${boundaries}: a hundred thousand orders at once: no more pass than the throttle allows`],
  },
  {
    id: 'funds',
    holds: 'The balance covers the order with the worst fee.',
    where: ['core/orders/controls/funds.ts'],
    tests: [
      `${boundaries}: funds: a buy needs more than its cost with the larger fee rate, a sell its quantity`,
      'core/orders/margin-power.test.ts: the last unit of margin is spent, and not one less',
    ],
    inFlight: [
      unknown,
      `${boundaries}: orders without an answer yet hold funds back`,
      'core/orders/margin-power.test.ts: positions and orders in flight are taken off',
    ],
  },
  {
    id: 'strategyFunds',
    holds: 'A strategy with a share of the balance takes no more than it has of it.',
    where: ['core/orders/controls/funds.ts', 'core/orders/base/share.ts'],
    tests: [
      'core/orders/strategy-funds.test.ts: an order may take all of it with the worst fee, and not one digit more',
      'core/orders/strategy-funds.test.ts: own trades take from it and add to it; of a currency without a share there is what they left',
      'system/gateway.test.ts: a program has a share of the balance, which it sees as the balance',
    ],
    inFlight: [
      'core/orders/strategy-funds.test.ts: what its other orders may take counts from the verdict on, until they have ended',
      'core/orders/strategy-funds.test.ts: an order without an answer keeps what it may take',
    ],
  },
];
