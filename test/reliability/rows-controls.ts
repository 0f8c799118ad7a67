import type { Row } from './row.ts';

/** Controls by their number in the catalogue. Many are rules of the table below; the others stand elsewhere. */
export const controlRows: readonly Row[] = [
  {
    id: 'K1',
    holds: 'Only symbols that are allowed and work are traded.',
    where: ['core/orders/controls/trading-status.ts'],
    tests: [
      'core/orders/denials.test.ts: a symbol that is not on the list, not of the strategy, a contract of a strategy for spot, or no symbol is denied',
      'core/orders/denials.test.ts: a symbol that does not work is denied until it works again',
    ],
  },
  {
    id: 'K2',
    holds: 'Prices and quantities are on the grid, and ids have a legal form.',
    where: ['core/orders/rules/form.ts', 'core/orders/rules/identity.ts'],
    tests: [
      'core/orders/denials.test.ts: %s is denied',
      'core/model/client-order-id.test.ts: %j is no client order id',
    ],
  },
  {
    id: 'K3',
    holds: 'An order is at most so large.',
    where: ['core/orders/controls/size.ts'],
    tests: ['core/orders/boundaries.test.ts: maximum quantity'],
  },
  {
    id: 'K4',
    holds: 'An order is worth at most so much.',
    where: ['core/orders/controls/size.ts'],
    tests: ['core/orders/boundaries.test.ts: maximum notional, by symbol and by quote currency'],
  },
  {
    id: 'K5',
    holds: 'A price is near the middle of the book and the last trade, and both are fresh.',
    limit: '5 % by default',
    where: ['core/orders/controls/price.ts'],
    tests: [
      'core/orders/boundaries.test.ts: price collar against mid and last trade',
      'core/orders/boundaries.test.ts: without a mid price or a young trade there is no reference',
    ],
  },
  {
    id: 'K6',
    holds: 'Market orders are off by default, and need a fresh book with two sides and a narrow spread.',
    where: ['core/orders/controls/price.ts'],
    tests: [
      'core/orders/boundaries.test.ts: market types are off by default, and need two sides and a narrow spread',
    ],
  },
  {
    id: 'K7',
    holds: 'The balance covers the order with the worst fee.',
    where: ['core/orders/controls/funds.ts'],
    tests: [
      'core/orders/boundaries.test.ts: funds: a buy needs more than its cost with the larger fee rate, a sell its quantity',
      'core/orders/boundaries.test.ts: orders without an answer yet hold funds back',
      'reliability/unknown-orders.test.ts: counts an order %s, and lets the next one pass once that has ended',
    ],
  },
  {
    id: 'K8',
    holds: 'A strategy, a symbol and the account have at most so many orders.',
    limit: '90 % of the venue’s limits by default',
    where: ['core/orders/controls/counts.ts'],
    tests: [
      'core/orders/boundaries.test.ts: open orders of a strategy, a symbol and the account',
      'reliability/unknown-orders.test.ts: counts an order %s, and lets the next one pass once that has ended',
    ],
  },
  {
    id: 'K9',
    holds: 'Position and exposure are bounded, with orders that work or are unknown counted.',
    where: ['core/orders/controls/size.ts'],
    tests: [
      'core/orders/boundaries.test.ts: position of the strategy and of the account, what works on the side included',
      'core/orders/boundaries.test.ts: gross exposure in a quote currency over all its symbols',
      'reliability/unknown-orders.test.ts: counts an order %s, and lets the next one pass once that has ended',
    ],
  },
  {
    id: 'K10',
    holds: 'A strategy and the account send at most so many messages in any second.',
    where: ['core/orders/base/throttle.ts', 'core/orders/controls/counts.ts'],
    tests: [
      'core/orders/boundaries.test.ts: messages of a strategy and of the account inside any second',
      'core/orders/boundaries.test.ts: a hundred thousand orders at once: no more pass than the throttle allows',
    ],
  },
  {
    id: 'K11',
    holds: 'Many orders of one side that begin to fill within a time stop the strategy.',
    where: ['core/orders/watches.ts'],
    tests: [
      'core/orders/watches.test.ts: too many same-side orders that begin to fill inside the window stop the strategy',
    ],
  },
  {
    id: 'K12',
    holds: 'The same order of a strategy within a second is denied.',
    where: ['core/orders/controls/counts.ts'],
    tests: [
      'core/orders/denials.test.ts: the same order inside a second is denied, a second later it passes',
    ],
  },
  {
    id: 'K13',
    holds: 'Own orders do not trade with one another.',
    where: ['core/orders/controls/price.ts'],
    tests: [
      'core/orders/denials.test.ts: an order that would cross an own one, in flight or of another strategy, is denied',
    ],
  },
  {
    id: 'K14',
    holds: 'No order leaves on stale data. The last look is at the moment of sending.',
    where: ['core/gate/gate.ts', 'core/orders/controls/trading-status.ts'],
    tests: [
      'core/orders/denials.test.ts: an order on a stale, empty or crossed book, or with one that it is priced from, is denied',
      'core/gate/gate.test.ts: when a book its strategy declared is stale at the moment it would leave',
    ],
  },
  {
    id: 'K15',
    holds: 'At a limit on loss or drawdown only orders leave that reduce, or none.',
    where: ['core/orders/loss-watch.ts', 'core/orders/controls/loss.ts'],
    tests: [
      'core/orders/loss-limits.test.ts: is reached at its amount, not a tick before',
      'core/orders/loss-limits.test.ts: is reached when the profit falls from its peak by the amount, not a tick before',
      'core/orders/loss-limits.test.ts: lets only orders pass that reduce, and cancels what does not',
    ],
  },
  {
    id: 'K16',
    holds: 'More unknown orders than allowed halt trading.',
    limit: '20 by default',
    where: ['core/orders/watches.ts'],
    tests: [
      'core/orders/watches.test.ts: orders that become unknown one by one, others being answered: as many as allowed are borne, one more halts',
    ],
  },
  {
    id: 'K17',
    holds: 'A strategy of whose last orders too many were rejected is stopped.',
    limit: 'more than half of 20',
    where: ['core/orders/watches.ts'],
    tests: [
      'core/orders/watches.test.ts: half of the last twenty orders may be rejected, one more stops the strategy',
      'core/orders/watch-rejects.test.ts: a strategy is stopped when more than the allowed share of its last orders was rejected, and not before they are full',
    ],
  },
  {
    id: 'K18',
    holds: 'Each command is compared with its intent at the last step. A difference halts trading.',
    where: ['core/gate/comparator.ts'],
    tests: [
      'core/gate/comparator.test.ts: denies an order whose %s is not what was asked for, and halts',
      'core/gate/comparator.test.ts: denies an order that already left: an intent is sent once',
    ],
  },
  {
    id: 'K19',
    holds:
      'Quotes expire by themselves, and orders are cancelled when the connection is back or the daemon is gone.',
    where: ['core/orders/rules/form.ts', 'core/orders/clearing.ts'],
    tests: [
      'core/orders/venue-time.test.ts: an expire time is past when it is for the venue',
      'core/orders/reconcile.test.ts: orders an earlier run left at the venue are cancelled, foreign ones left alone',
      'exchange/matching/order-types.test.ts: GTD expires at its time, even without a request, before anything else can happen to it',
    ],
  },
  {
    id: 'K20',
    holds: 'An operator ends an order, a strategy, a symbol or all of it, also from another process.',
    where: ['operate/acts.ts', 'core/orders/watches.ts'],
    tests: [
      'operate/acts.test.ts: pause, resume, reduce, cancel and cancel all reach the trader with who and why',
      'core/orders/operator.test.ts: cancel ends one order, of whichever strategy; an id that is not known changes nothing',
      'app/operate/quick-look.test.ts: halt is as quick, and says and does what the whole program does',
      'operate/acts.test.ts: one strategy is stopped, started and given parameters; what it does not take is refused in its sentence',
      'prove sentinel',
    ],
  },
  {
    id: 'K21',
    holds: 'Every client id shows its run and its strategy.',
    where: ['core/model/client-order-id.ts'],
    tests: [
      'core/model/client-order-id.test.ts: ids are legal, different, and show their owner',
      'core/orders/controls.test.ts: two strategies may not share a name or an id tag',
    ],
  },
  {
    id: 'K22',
    holds: 'No order leaves before the account was compared.',
    where: ['core/orders/reconcile.ts', 'core/orders/controls/trading-status.ts'],
    tests: [
      'core/orders/reconcile.test.ts: no order leaves before the first comparison is complete, however often reads fail',
      'core/trader/life.test.ts: notifies the run first, and starts strategies only when the account is reconciled',
    ],
  },
  {
    id: 'K23',
    holds: 'Trades of the venue are compared with the journal.',
    limit: 'every 60 s',
    where: ['core/orders/reconcile.ts'],
    tests: [
      'core/orders/reconcile.test.ts: a settled world is looked at once a minute',
      'core/orders/reconcile.test.ts: a lost fill is found within a minute',
    ],
  },
  {
    id: 'K24',
    holds: 'An alert comes at once, and stays until its cause is gone or it is acknowledged.',
    limit: '5 s',
    where: ['operate/notifications.ts', 'core/state/safe-states.ts'],
    tests: [
      'operate/live-state.test.ts: comes as events, again only when something changed, with fills and alerts at once',
      'operate/acts.test.ts: a halt is cleared in two steps; a wrong or a used code does nothing',
      'core/state/safe-states.test.ts: what an operator must end says so, with its age, over a restart too',
    ],
  },
  {
    id: 'K25',
    holds: 'After a halt no order is sent, the first cancel leaves at once, and all orders are soon gone.',
    limit: '0 orders, 10 ms, 25,000 in 2 s, 5 s from outside',
    where: ['core/orders/watches.ts', 'core/orders/base/together.ts', 'core/gate/gate.ts'],
    tests: [
      "system/halt-speed.test.ts: a halt ends ${orders} orders within ${haltMs} ms of processor time, under the venue's limits",
      'core/gate/together.test.ts: cancels that belong together leave in one request when the first is recorded, in one slot of the budget',
      'prove cancels',
    ],
  },
];
