import type { Row } from './row.ts';

/** Rules that all the rest stands on, and what holds after every step. */
export const ruleRows: readonly Row[] = [
  {
    id: 'R1',
    holds:
      'An order is sent once. Without an answer it is unknown, only the venue ends that, and its id is not used again.',
    limit: 'absent after two complete reads that agree, the second 90 s after the send',
    where: ['core/gate/gate.ts', 'core/orders/reconcile.ts', 'core/state/orders.ts'],
    tests: [
      'core/orders/reconcile.test.ts: 504, order not accepted: unknown until a second look at 90 s, then proven absent by 95 s',
      'core/orders/reconcile.test.ts: one look never proves anything, however late it is',
      'core/state/orders.test.ts: proven absence ends it; a late report is a violation, and the order is taken up again',
      'core/gate/comparator.test.ts: denies an order that already left: an intent is sent once',
    ],
  },
  {
    id: 'R2',
    holds: 'The record of an order is on disk before its first byte leaves. Records are chained and checked.',
    where: ['core/gate/gate.ts', 'core/journal/disk-writer.ts', 'core/journal/records/records.ts'],
    tests: [
      'core/gate/gate.test.ts: until its record is durable',
      'core/journal/disk-journal.test.ts: a task runs only after its records are on disk, tasks in call order',
      'core/journal/crash-images.test.ts: a log whose tail is zero or noise yields a prefix',
      'check I2',
    ],
  },
  {
    id: 'R3',
    holds: 'Silence is no evidence: a missing row, an empty list or a refused cancel proves no order dead.',
    where: ['core/orders/reconcile.ts', 'core/model/order-life.ts'],
    tests: [
      'core/model/order-life.test.ts: unknown ends by evidence only: silence changes nothing',
      'core/orders/reconcile.test.ts: a filled order that no list shows for 60 s is not called dead, and its fill is booked once',
      'core/orders/reconcile.test.ts: a cancel that loses to a fill proves nothing; the history settles it',
      'core/orders/reconcile.test.ts: a reserved balance that no known order explains speaks against absence',
    ],
  },
  {
    id: 'R4',
    holds: 'Where the documents are silent, every reading of them is safe.',
    where: ['core/budgets/lanes.ts', 'core/book/sequencer.ts', 'core/orders/reconcile.ts'],
    tests: [
      'core/budgets/demand.test.ts: $name are never refused, use the limit and leave cancels room, at $at',
      'core/budgets/demand.test.ts: a venue that counts tenths of a second refuses the first burst, and nothing once the pace is even',
      'limits/market-socket.test.ts: sixty subscriptions at once meet no 429 of an exchange that counts messages',
      'venues/hitbtc/market-data/handler.test.ts: with the policy increasing a jump is no gap',
      'system/kept-originals.test.ts: the check of the account finds the original, reports it, and cancels it',
    ],
  },
  {
    id: 'R5',
    holds: 'One queue hands out events in order, and a subscriber that throws harms no other.',
    where: ['core/bus/bus.ts', 'core/bus/topic.ts'],
    tests: [
      'core/bus/bus.test.ts: watchers see every event after its step, in order, whatever other watchers do',
      'core/bus/topic.test.ts: guards subscribers and operators that throw: others see everything, nothing is thrown later',
      'core/bus/topic.test.ts: delivers a value published by a handler after the present one has reached every subscriber',
    ],
  },
  {
    id: 'R6',
    holds: 'Durations are measured by a clock that does not step, and long timers fire at their time.',
    where: ['core/base/system-clock.ts', 'core/base/turn-clock.ts'],
    tests: [
      'core/base/time.test.ts: waits beyond 2^31 milliseconds',
      'core/base/time.test.ts: the system clock does not fire a delay of 2^31 ms at once',
      'core/base/turn-clock.test.ts: never goes back, and cancels what is not wanted any more',
      'tidy.test.ts: no file reads the ambient clock or ambient randomness, or hides a timer',
    ],
  },
  {
    id: 'R7',
    holds:
      'A bug, an own message that cannot be read, or a failed journal halts trading: only cancels and reads leave.',
    where: ['core/trader/trader.ts', 'core/orders/watches.ts'],
    tests: [
      'core/trader/step.test.ts: halts trading for good and cancels the own orders, while reads and reports go on',
      'core/trader/unread.test.ts: halts at once, and a complete read that begins after it ends that',
      'system/malformed.test.ts: of the own account halts trading at once, cancels what is live, and is over when the account was read completely',
      'core/gate/gate.test.ts: leave although the journal has failed',
    ],
  },
];

export const invariantRows: readonly Row[] = [
  {
    id: 'I1',
    holds:
      'What executed, lives and is unknown of an order is never more than was wanted, also over replacements and restarts.',
    where: ['core/gate/gate.ts', 'core/gate/comparator.ts', 'core/state/orders.ts'],
    tests: [
      'check I1',
      'core/orders/reconcile.test.ts: an order is sent once, and belief meets truth when 95 s and the lag have passed',
      'system/kill.test.ts: a daemon killed at random moments loses nothing, repeats nothing, and trades on (seed ${seed})',
    ],
  },
  {
    id: 'I2',
    holds: 'No byte of an order leaves before its record is on disk.',
    where: ['core/gate/gate.ts', 'core/journal/index.ts'],
    tests: [
      'check I2',
      'core/gate/gate.test.ts: until its record is durable',
      'system/journeys.test.ts: is durable on disk before the exchange gets it, then reported, filled and cancelled',
    ],
  },
  {
    id: 'I3',
    holds:
      'An unknown order stays so until the venue shows what it is. Meanwhile limits count its worst case.',
    where: ['core/orders/reconcile.ts', 'core/orders/base/reservations.ts'],
    tests: [
      'check I3',
      'mark branch/order unknown',
      'mark branch/order proven absent',
      'core/orders/boundaries.test.ts: an unknown order reservations funds back until evidence ends it',
      'core/orders/reduce-only.test.ts: counts an unknown order in its worst case',
      'core/orders/loss-limits.test.ts: an unknown order counts as if it had executed where that costs most',
      'reliability/unknown-orders.test.ts: counts an order %s, and lets the next one pass once that has ended',
    ],
  },
  {
    id: 'I4',
    holds: 'Each execution is booked once, trades add up to the executed quantity, and that never falls.',
    where: ['core/state/orders.ts', 'core/state/booked-fills.ts', 'core/ledger/ledger.ts'],
    tests: [
      'check I4',
      'core/state/interleavings.test.ts: never let a cumulative fall, a terminal state revert or a fill be booked twice',
      'core/state/orders.test.ts: a fill repeated, or reported by an execution and by the history, is booked once',
    ],
  },
  {
    id: 'I5',
    holds: 'An ended order stays ended, and an older list undoes no newer report.',
    where: ['core/model/order-life.ts', 'core/state/orders.ts'],
    tests: [
      'check I5',
      'core/model/order-life.test.ts: never leaves a terminal state',
      'core/state/orders.test.ts: an older snapshot undoes nothing',
    ],
  },
  {
    id: 'I6',
    holds: 'Once it is quiet, orders, balances and positions are the venue’s, decimal for decimal.',
    limit: '5 s and the lag of the venue; 95 s more where absence is proven',
    where: ['core/orders/reconcile.ts', 'core/orders/wallets.ts', 'core/orders/margin/comparison.ts'],
    tests: [
      'check I6',
      'system/audit.test.ts: a session agrees with the exchange to the last digit, and is written as tables',
      'system/ledger-views-margin.test.ts: $symbol of $product, $marginMode, through an outage, a kill, a liquidation, an operator and a foreign order: all agree',
    ],
  },
  {
    id: 'I7',
    holds: 'After a halt nothing leaves that raises a position, and own orders are cancelled or named.',
    limit: '5 s',
    where: ['core/orders/watches.ts', 'core/gate/gate.ts', 'core/orders/clearing.ts'],
    tests: [
      'check I7',
      'core/gate/gate.test.ts: when trading halts while it waits',
      'core/orders/watches.test.ts: a halt from elsewhere cancels all own orders, those still in flight included',
      "system/halt-speed.test.ts: a halt ends ${orders} orders within ${haltMs} ms of processor time, under the venue's limits",
      'prove sentinel',
    ],
  },
  {
    id: 'I8',
    holds:
      'A book that is called live is the venue’s at that sequence, level for level, and its sides do not meet.',
    where: ['core/book/book.ts', 'core/book/sequencer.ts'],
    tests: [
      'check I8',
      'system/journeys.test.ts: arrives as a proven sequence of updates, and the strategy sees the exchange’s book',
      'core/book/ladder-side.test.ts: equals a sorted map on random streams that drift, jump and empty the side',
    ],
  },
  {
    id: 'I9',
    holds:
      'No order leaves that could raise a position while a book that it needs is stale, gapped, crossed or late.',
    where: ['core/gate/gate.ts', 'core/orders/controls/trading-status.ts'],
    tests: [
      'check I9',
      'core/gate/gate.test.ts: when a book its strategy declared is stale at the moment it would leave',
      'core/gate/gate.test.ts: when market data come too late at the moment it would leave',
      'core/gate/gate.test.ts: when a declared book is crossed',
    ],
  },
  {
    id: 'I10',
    holds:
      'A gap makes the book stale in the same turn, and nothing is applied to it until a whole one comes.',
    where: ['core/book/sequencer.ts', 'venues/hitbtc/market-data/handler.ts'],
    tests: [
      'check I10',
      'venues/hitbtc/market-data/handler.test.ts: reports a gap once, then nothing of that book until a snapshot, while other books go on',
      'system/journeys.test.ts: a lost update makes the book stale at once, and a new subscription makes it live again',
    ],
  },
  {
    id: 'I11',
    holds:
      'The journal rebuilds the state. Whatever a crash leaves of it holds every record that was called durable.',
    where: ['core/journal/replay.ts', 'core/journal/records/records.ts', 'core/state/state.ts'],
    tests: [
      'check I11',
      'core/journal/crash-images.test.ts: the untouched images hold every acknowledged record',
      'core/journal/disk-journal.test.ts: every acknowledged record outlives a SIGKILL under load',
      'core/state/interleavings.test.ts: are rebuilt identically from the text that the journal keeps',
    ],
  },
  {
    id: 'I12',
    holds: 'The same seed, code and configuration take the same course in two processes.',
    where: ['core/base/turn-clock.ts', 'core/journal/records/run-digest.ts'],
    tests: [
      'simulation/simulation.test.ts: takes the same course in two processes',
      'core/journal/records/run-digest.test.ts: is the same in another process',
      'system/check-determinism.test.ts: an honest strategy takes one timeline in two processes and two threads',
    ],
  },
  {
    id: 'I13',
    holds: 'Every subscriber sees every event once, in order, whatever others do.',
    where: ['core/bus/bus.ts', 'core/bus/topic.ts'],
    tests: [
      'check I13',
      'core/bus/topic.test.ts: delivers every value to every handler in the order of their registration',
      'core/bus/bus.test.ts: watchers see every event after its step, in order, whatever other watchers do',
    ],
  },
  {
    id: 'I14',
    holds: 'Traffic under our budgets is never refused for its rate.',
    limit: '0 refusals',
    where: ['core/budgets/lanes.ts', 'venues/hitbtc/budgets/api.ts'],
    tests: [
      'check I14',
      'limits/our-budgets.test.ts: get no 429 from the exchange itself, at %s',
      'core/budgets/demand.test.ts: $name are never refused, use the limit and leave cancels room, at $at',
      'prove rate-budgets',
    ],
  },
  {
    id: 'I15',
    holds: 'Orders that live, wait, are on their way or unknown stay within the venue’s limits.',
    limit: '2,000 a symbol, 25,000 in all',
    where: ['core/orders/controls/counts.ts'],
    tests: [
      'check I15',
      'core/orders/boundaries.test.ts: open orders of a strategy, a symbol and the account',
    ],
  },
  {
    id: 'I16',
    holds: 'Cancels and reads have budget of their own that new orders cannot take.',
    limit: 'a cancel leaves within 100 ms',
    where: ['core/budgets/lanes.ts', 'core/gate/gate.ts'],
    tests: [
      'check I16',
      'core/gate/gate.test.ts: are not held back by new orders that saturate their budget',
      'venues/hitbtc/budgets/api.test.ts: let cancels and reads through while new orders saturate',
    ],
  },
  {
    id: 'I17',
    holds: 'Numbers on the wire are plain decimals on the grid, and the venue is asked to be strict.',
    where: ['core/orders/rules/form.ts', 'core/model/instrument.ts'],
    tests: [
      'check I17',
      'core/model/instrument.test.ts: reads back every price it prints',
      'core/model/instrument.test.ts: speaks its rounding aloud, and refuses to round in silence',
      'core/base/numbers.test.ts: prints what it reads, and agrees with decimal.js',
    ],
  },
  {
    id: 'I18',
    holds: 'Balances change by executions, fees, charges and named transfers, to the last digit.',
    where: ['core/ledger/ledger.ts', 'core/orders/wallets.ts'],
    tests: [
      'check I18',
      'core/ledger/holding.test.ts: whatever the fills and the currency of the fee, profit is cash and what is held, less other fees, to the last digit',
      'exchange/matching/money.test.ts: neither makes nor loses money: accounts and fees together only change by deposits',
      'system/audit.test.ts: a balance off by its last digit is found, and agrees once the transfer is named',
    ],
  },
  {
    id: 'I19',
    holds: 'No byte leaves that breaks a control.',
    where: ['core/orders/controls/table.ts', 'core/gate/comparator.ts'],
    tests: [
      'check I19',
      'core/gate/comparator.test.ts: denies an order that no intent asked for',
      'core/gate/comparator.test.ts: denies an order whose %s is not what was asked for, and halts',
    ],
  },
  {
    id: 'I20',
    holds: 'A faulty strategy changes no event and no order of another one, but for those of its own group.',
    limit: '2 × p99',
    where: ['core/strategy/thread-host.ts', 'core/strategy/worker-host.ts'],
    tests: [
      'core/strategy/faults.test.ts: that throws in %s is stopped once, and others miss nothing (S1)',
      'system/flood-interface.test.ts: a halt over HTTP and one by command are answered beside a strategy that floods, and the other one goes on',
      'core/strategy/worker-group.test.ts: one that does this: %s, ends its group, and no other group (S2)',
      'core/strategy/worker-host.test.ts: is not stopped for what it acknowledges, however much another one asks for in a second',
      'prove isolation',
    ],
  },
  {
    id: 'I21',
    holds: 'Every queue, memory and log is bounded, and says what it does when it is full.',
    where: ['core/base/mailbox.ts', 'core/state/options.ts', 'core/journal/segments/segments.ts'],
    tests: [
      'core/base/mailbox.test.ts: refuses to grow without bound',
      'core/bus/bus.test.ts: an overflow of the queue is reported as broken to the publisher, and the bus goes on',
      'core/bus/topic.test.ts: refuses to queue without bound',
      'core/state/orders.test.ts: ended orders are forgotten when newer ones need the room',
      'core/state/differences.test.ts: are bounded: further ones find no room until others end',
      'core/journal/segments.test.ts: the oldest first, to keep the size of all; readers and restarts go on with the rest and say so',
      'app/operate/logs.test.ts: is of bounded size: full files are put aside, and the oldest goes',
      'venues/net/ws-socket.test.ts: a peer that does not read costs the connection instead of memory',
    ],
  },
  {
    id: 'I22',
    holds: 'No secret stands in a log, a journal, a recording, an answer or an error, in whatever encoding.',
    limit: '0 hits',
    where: ['core/base/secret.ts'],
    tests: [
      'core/base/secret.test.ts: a secret shows itself only when it is asked for',
      'venues/hitbtc/client/live-venue.test.ts: no secret is in a recorded frame',
      'app/config/load.test.ts: never shows a secret in its complaint',
      'app/canary.test.ts: writes, prints and answers neither key nor secret, in whatever form',
    ],
  },
  {
    id: 'I23',
    holds: 'What cannot be relied on halts trading, and never goes on in silence.',
    limit: '1 s',
    where: ['core/orders/watches.ts', 'core/trader/trader.ts'],
    tests: [
      'check I23',
      'system/journal-failure.test.ts: a journal that is deleted while it is written halts trading, until an operator has seen it',
      'venues/hitbtc/client/faults.test.ts: a report that cannot be read is fatal, and cancels still work',
    ],
  },
  {
    id: 'I24',
    holds: 'When a fault is over, trading goes on by itself, unless an operator or a limit has stopped it.',
    where: ['venues/net/ws-socket.ts', 'core/orders/clearing.ts'],
    tests: [
      'check I24',
      'system/limited-bursts.test.ts: trading resumes by itself within 30 s of a burst of 429 on sockets and REST',
      'system/faults.test.ts: W11: whatever code the venue closes with, all is subscribed again and trading resumes by itself',
    ],
  },
  {
    id: 'I25',
    holds: 'Every change of money has an entry, or is a named difference within one look at the account.',
    where: ['core/orders/wallets.ts', 'core/orders/executions.ts', 'core/orders/margin/missed-charges.ts'],
    tests: [
      'core/orders/wallets.test.ts: is reported when two complete reads show it, and booked as unexplained after 90 s, once, never as profit',
      'core/orders/executions.test.ts: and that no list, history or balance shows is withdrawn after 90 s and two complete reads, once',
      'system/audit.test.ts: money that came in while the daemon ran is booked, agrees without being named, and its entry is',
    ],
  },
  {
    id: 'I26',
    holds: 'Every safe state has a cause, an age and a next look, and ends by itself when its cause is gone.',
    where: ['core/state/safe-states.ts', 'core/orders/held-exits.ts'],
    tests: [
      'check I26',
      'core/state/safe-states.test.ts: every reason for a stale book has its words',
      'core/state/safe-states.test.ts: a crossed or locked book has an age and a next look, and is over when its sides part',
      'core/orders/held-exits.test.ts: is a safe state with its cause, since when, its next look, and what ends it',
    ],
  },
  {
    id: 'I27',
    holds:
      'A figure about money is the same wherever it is shown: lists, status, page, metrics, report, audit, venue.',
    where: ['core/ledger/ledger.ts', 'operate/views/all.ts'],
    tests: [
      'system/ledger-views-spot.test.ts: spot with %s: lists, status line, metrics, reports, audit and the exchange agree',
      'system/ledger-views-margin.test.ts: $symbol of $product, $marginMode, through an outage, a kill, a liquidation, an operator and a foreign order: all agree',
      'tidy.test.ts: figures about money are reckoned in the ledger alone, but for exceptions with a reason',
    ],
  },
];
