import type { Row } from './row.ts';

/** What the venue itself may do wrong, or otherwise than its documents say. */
export const venueRows: readonly Row[] = [
  {
    id: 'X1',
    holds: 'The answer is a 504 and the order lives. A read finds it.',
    limit: '2 s and the lag of the venue',
    where: ['core/orders/reconcile.ts'],
    tests: [
      'core/orders/reconcile.test.ts: 504, order accepted: found within two seconds, sent once',
      'system/faults.test.ts: X1: 504, and the order was accepted',
      'system/faults.test.ts: X1: a cancel is answered with 504: the order is gone, and no second one is in doubt',
      'prove chaos-venue X1',
    ],
  },
  {
    id: 'X2',
    holds: 'The answer is a 504 and there is no order. It is proven absent, and was sent once.',
    limit: '95 s, 0 sent again',
    where: ['core/orders/reconcile.ts'],
    tests: [
      'core/orders/reconcile.test.ts: 504, order not accepted: unknown until a second look at 90 s, then proven absent by 95 s',
      'system/faults.test.ts: X2: 504, and the order was not accepted: proven absent by two complete reads, then done anew',
      'prove chaos-venue X2',
    ],
  },
  {
    id: 'X3',
    holds: 'The answer is a 504 and the order comes 3 to 25 s later. It is found, and was sent once.',
    limit: '0 duplicates',
    where: ['core/orders/reconcile.ts'],
    tests: [
      'core/orders/reconcile.test.ts: 504, order lands %d s later: found, never called dead, never sent again',
      'system/venue-faults.test.ts: X3: and lands later is in doubt until then, found, and never sent again',
      'prove chaos-venue X3',
    ],
  },
  {
    id: 'X4',
    holds: 'A report comes before the reply, or a fill before the report of the order. Both are booked once.',
    limit: '0 differences',
    where: ['core/state/orders.ts'],
    tests: [
      'core/state/interleavings.test.ts: end in the same orders, counts and positions as in their true order',
      'venues/hitbtc/client/account/private-stream.test.ts: may be reported before its reply, after it, and twice',
      'prove chaos-venue X4',
    ],
  },
  {
    id: 'X5',
    holds: 'An execution is reported again. It is booked once.',
    limit: '0 booked twice',
    where: ['core/state/booked-fills.ts'],
    tests: [
      'system/faults.test.ts: X5: an execution comes as a report, in a reply, and in the history after an outage',
      'core/strategy/thread-host.test.ts: a repeated trade report brings no second fill',
      'mark branch/trade told twice',
    ],
  },
  {
    id: 'X6',
    holds: 'The report of an execution is lost, and only the history has it. It is found there.',
    limit: '60 s',
    where: ['core/orders/missing.ts'],
    tests: [
      'core/orders/reconcile.test.ts: a lost fill is found within a minute',
      'mark branch/trade found in the history',
    ],
  },
  {
    id: 'X7',
    holds: 'A list is older than the stream. It undoes nothing.',
    limit: '0 undone',
    where: ['core/state/orders.ts', 'core/state/balances.ts'],
    tests: [
      'core/state/orders.test.ts: an older snapshot undoes nothing',
      'core/state/state.test.ts: of a read do not undo what came after the question left',
    ],
  },
  {
    id: 'X8',
    holds:
      'Old and new balances come in turn. A read undoes no later report, and no difference is booked of it.',
    limit: '0 accepted',
    where: ['core/state/balances.ts', 'core/orders/wallets.ts'],
    tests: [
      'core/state/state.test.ts: of a read do not undo what came after the question left',
      'core/orders/wallets.test.ts: is no difference any more when the money is back, and its row ends',
      'prove chaos-venue X8',
    ],
  },
  {
    id: 'X9',
    holds: 'The venue says “not found” of a filled order for a minute. It is not called dead.',
    limit: '0 called dead',
    where: ['core/orders/reconcile.ts'],
    tests: [
      'core/orders/reconcile.test.ts: a filled order that no list shows for 60 s is not called dead, and its fill is booked once',
      'system/venue-faults.test.ts: X9: does not make a filled order dead: its execution is booked once, when it shows',
      'prove chaos-venue X9',
    ],
  },
  {
    id: 'X10',
    holds: 'A cancel loses to a fill. A few cancels are sent, then the order is read.',
    limit: '3 cancels',
    where: ['core/orders/base/cancels.ts'],
    tests: [
      'core/orders/reconcile.test.ts: a fill that history does not show for 60 s does not bring more than three cancels',
      'core/orders/reconcile.test.ts: a cancel that loses to a fill proves nothing; the history settles it',
      'core/orders/base/read-share.test.ts: is kept to when a cancel fails that a strategy wished for, and by all but ten looks a minute',
      'prove chaos-venue X10',
    ],
  },
  {
    id: 'X11',
    holds:
      'A replacement fails, the original is cancelled, and the reply looks like success. No order is believed that is not there.',
    limit: '0 ghost orders',
    where: ['core/orders/reconcile.ts', 'venues/hitbtc/client/account/private-stream.ts'],
    tests: [
      'venues/hitbtc/client/account/private-stream.test.ts: that looks like success but is the old order canceled is a refusal',
      'core/orders/reconcile.test.ts: bring a read of the original at once: the venue may have ended it, and no report said so',
      'prove chaos-venue X11',
    ],
  },
  {
    id: 'X12',
    holds: 'A replacement leaves the original alive. It is found, told and cancelled.',
    limit: 'one look at the account',
    where: ['core/orders/found.ts', 'core/orders/still-listed.ts'],
    tests: [
      'core/orders/found-alive.test.ts: is seen by the check of the account each minute, reported, counted again, and cancelled',
      'system/kept-originals.test.ts: the check of the account finds the original, reports it, and cancels it',
      'prove chaos-venue X12',
    ],
    less: 'five seconds by default: the next look at the account finds it, after 60 s at most ([proving](proving.md#what-is-not-measured)).',
  },
  {
    id: 'X13',
    holds: 'An order fills in part while its replacement is on its way. No more executes than was wanted.',
    limit: '0 too much',
    where: ['core/state/orders.ts'],
    tests: [
      'core/state/orders.test.ts: counts only what it adds while its original lives, and inherits strategy and execution',
      'system/journeys.test.ts: is replaced by one that inherits what was executed',
    ],
  },
  {
    id: 'X14',
    holds: 'Post-only and fill-or-kill orders end at once. They are known to have ended.',
    limit: '0 stuck',
    where: ['core/state/orders.ts', 'exchange/matching/place.ts'],
    tests: [
      'exchange/rest-spot.test.ts: market, immediate, fill-or-kill and post-only orders end as the documents say',
      'core/model/order-life.test.ts: covers every state and every happening',
    ],
  },
  {
    id: 'X15',
    holds:
      'An error code is not in the documents. With a 400 it is a refusal, with a 500 the order is unknown.',
    limit: '0 mistaken',
    where: ['venues/hitbtc/client/account/private-stream.ts', 'venues/hitbtc/client/rest/rest.ts'],
    tests: [
      'venues/hitbtc/client/account/private-stream.test.ts: answered with error %i is unknown: nothing is rejected',
      'venues/hitbtc/client/rest/rest.test.ts: with status %i and body %j ends as %s',
    ],
  },
  {
    id: 'X16',
    holds:
      'The venue refuses for the rate although we are within it. That lane slows down, and cancels go first.',
    limit: '0 repeated before the pause',
    where: ['core/budgets/lane-pace.ts', 'core/gate/gate.ts'],
    tests: [
      'core/gate/gate.test.ts: slows the lane down after a 429',
      'core/orders/reconcile.test.ts: an order turned away with 429 is rejected and may be decided anew',
      'system/limited-bursts.test.ts: trading resumes by itself within 30 s of a burst of 429 on sockets and REST',
      'prove chaos-venue X16',
    ],
  },
  {
    id: 'X17',
    holds: 'The venue is away for ten minutes and all orders are gone afterwards. We come to know that.',
    where: ['core/orders/reconcile.ts'],
    tests: [
      'core/orders/reconcile.test.ts: a live order that ended unseen and left no history is settled after two looks 90 s apart',
      'core/orders/watches.test.ts: an outage is one event, however many orders it leaves unknown, and new ones wait for its end',
      'prove chaos-venue X17',
    ],
  },
  {
    id: 'X18',
    holds: 'A symbol is suspended or cleared. No order for it leaves.',
    limit: '0 sent',
    where: ['core/orders/controls/trading-status.ts', 'venues/hitbtc/client/rest/symbol-list.ts'],
    tests: [
      'system/symbol-status.test.ts: mode %s: orders on a symbol that is suspended or cleared during the run are denied before a byte leaves',
      'core/orders/denials.test.ts: a symbol that does not work is denied until it works again',
      'prove chaos-venue X18',
    ],
  },
  {
    id: 'X19',
    holds: 'Orders expire or are cancelled by the venue. They are known to have ended.',
    limit: '0 differences',
    where: ['core/state/orders.ts', 'core/orders/reconcile.ts'],
    tests: [
      'exchange/matching/order-types.test.ts: GTD expires at its time, even without a request, before anything else can happen to it',
      'core/orders/reconcile.test.ts: an order settled as %s reservations nothing back',
    ],
  },
  {
    id: 'X20',
    holds: 'Somebody else orders, fills or cancels in the account. Each is told as his.',
    limit: 'all told',
    where: ['core/orders/others.ts', 'core/orders/executions.ts', 'core/state/orders.ts'],
    tests: [
      'prove others',
      'core/orders/others.test.ts: that is left counts in limits, is shown, and is touched by no halt, cancel of all, flatten or stop',
      'core/orders/others.test.ts: that was replaced from one of ours elsewhere stays ours: its strategy has it, and a halt cancels it',
      'core/orders/others.test.ts: is shown within 60 s where no report of it arrives',
      'core/orders/executions.test.ts: a live order that is not of this bot has a row while it is listed',
      'core/orders/executions.test.ts: a trade of the history without an order is booked once, to no strategy, and explains the balances',
      'core/state/orders.test.ts: belong to external, and what they executed before is not booked',
    ],
  },
  {
    id: 'X21',
    holds: 'Orders of others fill the limit of the venue. Refused orders are not repeated.',
    limit: '0 storms',
    where: ['core/orders/watches.ts', 'core/orders/controls/counts.ts'],
    tests: [
      'core/orders/watches.test.ts: half of the last twenty orders may be rejected, one more stops the strategy',
      'exchange/matching/replace.test.ts: 2,000 active and suspended orders per symbol, and the next is refused',
    ],
  },
  {
    id: 'X22',
    holds: 'The account is frozen or the key withdrawn in mid-run. It is told, and no order leaves.',
    limit: '1 s',
    where: ['core/orders/watches.ts', 'venues/hitbtc/client/trading-session.ts', 'core/state/sessions.ts'],
    tests: [
      'system/frozen-account.test.ts: an account that is frozen while its orders live halts at once with the words of the venue, and goes on once it is served again',
      'core/orders/watches.test.ts: a refusal of the key or the account (%i) halts at once, until a look is answered 90 s later or more',
      'venues/hitbtc/client/trading-session.test.ts: a login that is refused anew is reported since when, in the words of the venue, until it is taken',
      'core/orders/denials.test.ts: without a trading session, and until the comparison after it came up, orders are denied',
    ],
  },
  {
    id: 'X23',
    holds:
      'An outage lasts 25 hours and the history has lost what did not execute. Every order comes to an end.',
    limit: '0 unresolved',
    where: ['core/orders/reconcile.ts'],
    tests: [
      'core/orders/reconcile.test.ts: a live order that ended unseen and left no history is settled after two looks 90 s apart',
      'exchange/rest-spot.test.ts: orders without executions leave the history after a day, executed ones stay',
    ],
  },
  {
    id: 'X24',
    holds: 'A price jumps 250 times, sides meet, or one side is empty. No order leaves on that.',
    limit: '0 sent',
    where: ['core/orders/controls/price.ts', 'core/orders/controls/trading-status.ts'],
    tests: [
      'core/orders/boundaries.test.ts: price collar against mid and last trade',
      'core/orders/denials.test.ts: an order on a stale, empty or crossed book, or with one that it is priced from, is denied',
      'core/gate/gate.test.ts: when a declared book is crossed',
    ],
  },
  {
    id: 'X25',
    holds:
      'Both orders of a pair execute, or the second of a list is refused. Books and position are the venue’s.',
    limit: '5 s',
    where: ['core/orders/list-intents.ts', 'core/state/orders.ts', 'core/orders/watches.ts'],
    tests: [
      'core/orders/lists.test.ts: a pair of which both orders execute is named at once, and once; one whose other order ends is not',
      'system/order-lists.test.ts: the exits wake when the entry is filled, and one that executes ends the other',
      'exchange/matching/lists.test.ts: what cannot be paid for when its turn comes is canceled by the system',
    ],
  },
  {
    id: 'X26',
    holds: 'Fees are negative and ids above 2^53. No digit is lost.',
    limit: '0 digits',
    where: ['venues/hitbtc/wire/json.ts', 'core/ledger/ledger.ts'],
    tests: [
      'venues/hitbtc/wire/json.test.ts: keeps every digit of integers beyond 2^53, as text',
      'venues/hitbtc/client/account/private-stream.test.ts: keep every digit of ids above 2^53',
      'exchange/matching/money.test.ts: a maker with a negative rate is paid',
    ],
  },
  {
    id: 'X27',
    holds: 'A fill is reported that no list, history or balance shows. It is withdrawn, and not sold.',
    limit: '0 sold, told within 120 s',
    where: ['core/orders/executions.ts', 'core/trader/flatten.ts'],
    tests: [
      'core/orders/executions.test.ts: and that no list, history or balance shows is withdrawn after 90 s and two complete reads, once',
      'core/trader/operator.test.ts: flattens nothing of an execution that the account read then does not show, reported %i ms before',
    ],
  },
  {
    id: 'X28',
    holds: 'A report has another fee than history and balance. The fee of the history is taken over.',
    limit: '120 s',
    where: ['core/orders/executions.ts'],
    tests: [
      'core/orders/executions.test.ts: with a fee that the history tells otherwise (%s) has it after two complete reads, once',
    ],
  },
  {
    id: 'X29',
    holds: 'Money is moved from outside. It is told, booked by its name, and no profit.',
    limit: '120 s',
    where: ['core/orders/wallets.ts'],
    tests: [
      'core/orders/wallets.test.ts: is reported when two complete reads show it, and booked as unexplained after 90 s, once, never as profit',
      'core/orders/wallets.test.ts: is a transfer as far as the history of the wallet names it; the rest is unexplained',
    ],
  },
  {
    id: 'X30',
    holds:
      'Funding or interest is taken during an outage. It is derived from public rates, or a named difference.',
    limit: '0 untold',
    where: ['core/orders/margin/missed-charges.ts'],
    tests: [
      'core/orders/missed-charges.test.ts: is booked as derived when a second look confirms it and the public rates come to it: funding, %s',
      'core/orders/missed-charges.test.ts: is interest where exactly the margin of a position lacks it, and the wallet nothing',
      'core/orders/missed-charges.test.ts: is found by the run after the one that missed it',
    ],
  },
  {
    id: 'X31',
    holds: 'A liquidation loses more than the margin. The loss of the venue is not told as ours.',
    limit: '0 beyond the account',
    where: ['core/ledger/margin-rests.ts'],
    tests: [
      'system/audit.test.ts: a liquidation costs what the margin was, in positions, report and audit: what is beyond it the venue lost',
      'core/ledger/margin-rests.test.ts: is what the fills lost beyond the balance, once the account is empty, in either order of report and fill',
    ],
  },
  {
    id: 'X32',
    holds: 'The grid of a symbol changes while orders and positions live. Nothing of them is lost.',
    limit: '0 lost',
    where: ['core/state/finer-grid.ts', 'app/live/next-run.ts'],
    tests: [
      'system/grid-change.test.ts: trade goes on in its process when a tick size changes, and its recording and journal are read across the change',
      'system/listing.test.ts: position, halt, pause and orders are carried over to a finer grid and to a coarser one',
    ],
  },
  {
    id: 'X33',
    holds: 'One symbol is delisted while a position is held on another. Exits of the other go on.',
    limit: '0 exits denied',
    where: ['venues/hitbtc/client/rest/symbol-list.ts', 'core/orders/controls/trading-status.ts'],
    tests: [
      'core/orders/kept-exits.test.ts: keeps the exits of a position of %s that the venue lists %s',
      'core/orders/denials.test.ts: leaves orders on others alone that are not priced from it',
      'system/listing.test.ts: what is held of a symbol that the venue no longer lists is kept over a restart, whatever trades now',
    ],
  },
  {
    id: 'X34',
    holds: 'One row of an answer cannot be read. The halt of it ends with a read that agrees.',
    limit: '0 latched',
    where: ['core/orders/clearing.ts', 'venues/hitbtc/client/account/own-rows.ts'],
    tests: [
      'core/trader/unread.test.ts: halts at once, and a complete read that begins after it ends that',
      'venues/hitbtc/client/account/own-rows.test.ts: of a traded currency that say %j are read as %s',
      'venues/hitbtc/client/account/own-rows.test.ts: of a traded symbol are refused with row and symbol',
    ],
  },
  {
    id: 'X35',
    holds: 'The fee is taken in the base currency. The position is what is held.',
    limit: '0 beyond it',
    where: ['core/ledger/holding.ts'],
    tests: [
      'core/ledger/holding.test.ts: is taken from what is bought: what is held is what the venue has, cut to the lot where orders are made',
      'system/ledger-views-spot.test.ts: spot with %s: lists, status line, metrics, reports, audit and the exchange agree',
    ],
  },
];
