import type { Row } from './row.ts';

/** Ways in which faults are run, budgets, and loads over a long time. */
export const evidenceRows: readonly Row[] = [
  {
    id: 'E1',
    holds: 'A hundred seeds, each run in two processes, give a hundred equal hashes.',
    limit: '100 of 100',
    where: ['core/journal/records/run-digest.ts'],
    tests: [
      'simulation/simulation.test.ts: takes the same course in two processes',
      'prove seeds seeds that differ',
    ],
  },
  {
    id: 'E2',
    holds: 'A thousand seeds of ten simulated minutes break nothing.',
    limit: '0 failures, 20 minutes',
    where: ['core/trader/trader.ts'],
    tests: [
      'simulation/simulation.test.ts: breaks no invariant in the first seeds',
      'prove seeds seeds that break',
    ],
  },
  {
    id: 'E3',
    holds: 'The simulation is far faster than the time it simulates.',
    where: ['core/base/virtual-clock.ts'],
    tests: [
      'simulation/simulation.test.ts: breaks no invariant in the first seeds',
      'prove seeds simulated hours',
      'prove seeds wall time',
    ],
    less: 'twelve simulated hours a minute and core: with checks after each step it is about three ([proving](proving.md#what-is-not-measured)).',
  },
  {
    id: 'E4',
    holds: 'Every fault and every branch worth seeing is hit in a thousand seeds.',
    limit: '10 times',
    where: ['core/trader/trader.ts'],
    tests: [
      'simulation/simulation.test.ts: breaks no invariant in the first seeds',
      'prove seeds least hits',
    ],
  },
  {
    id: 'E5',
    holds: 'Planted defects are found by the simulation within 200 seeds.',
    limit: '95 % of 140',
    where: ['core/trader/trader.ts'],
    tests: [
      'simulation/simulation.test.ts: %s: breaks %s',
      'simulation/simulation.test.ts: %s: its place is there, once',
    ],
  },
  {
    id: 'E6',
    holds: 'A failing seed is made small: the fewest faults that break the same.',
    limit: '60 s',
    where: ['core/base/random.ts'],
    tests: [
      'simulation/simulation.test.ts: of many faults those are found that break it together',
      'simulation/simulation.test.ts: a fault draws the same, whichever others are left out',
    ],
  },
  {
    id: 'E7',
    holds:
      'The journal is cut, zeroed, reordered and damaged at every boundary of a record and at many offsets.',
    limit: '0 lost',
    where: ['core/journal/replay.ts'],
    tests: [
      'core/journal/crash-images.test.ts: a log cut at any offset yields a prefix, never an error, and a new start goes on from it',
      'core/journal/crash-images.test.ts: a flipped bit anywhere in the log yields a prefix',
      'prove crash-images',
    ],
  },
  {
    id: 'E8',
    holds: 'The matching engine and a plain one agree on random commands, state for state.',
    limit: '0 differences',
    where: ['exchange/matching/exchange.ts'],
    tests: [
      'exchange/matching/contract.test.ts: agree on the outcomes of ${commandsPerRun} random commands and on every state between',
      'exchange/matching/contract.test.ts: agree where quantities and money are too large for doubles',
      'prove matching',
    ],
  },
  {
    id: 'E9',
    holds: 'Faults of the network, the venue and the process are put between real processes, too.',
    limit: '10 minutes',
    where: ['app/live/daemon.ts', 'venues/net/network.ts'],
    tests: [
      'system/faults.test.ts: N4: the connection is reset after acceptance',
      'system/kill.test.ts: a daemon killed at random moments loses nothing, repeats nothing, and trades on (seed ${seed})',
    ],
  },
];

export const budgetRows: readonly Row[] = [
  {
    id: 'B1',
    holds: 'A request counts from its send until one window after its reply.',
    where: ['core/budgets/ack-window.ts'],
    tests: [
      'core/budgets/lanes.test.ts: counts a request until exactly one window after its reply, however late the reply',
    ],
  },
  {
    id: 'B2',
    holds: 'By default a request is sent only if both readings of the limit allow it.',
    where: ['core/budgets/lanes.ts', 'core/budgets/ack-bucket.ts'],
    tests: [
      'core/budgets/demand.test.ts: $name are never refused, use the limit and leave cancels room, at $at',
    ],
  },
  {
    id: 'B3',
    holds: 'Cancels and reads have a share that orders cannot take.',
    where: ['core/budgets/lanes.ts'],
    tests: [
      'core/budgets/lanes.test.ts: keeps room for cancels, and then for reads, that orders cannot take',
    ],
  },
  {
    id: 'B4',
    holds:
      'One budget serves all connections, and leaves a share to others. A refusal halves the pace of its lane.',
    limit: 'recovered within 60 s',
    where: ['core/budgets/lanes.ts', 'core/budgets/lane-pace.ts'],
    tests: [
      'core/budgets/lanes.test.ts: halves the pace of its lane only, which recovers over a minute',
      'core/budgets/lanes.test.ts: gives a share of the limit to others on the address',
    ],
  },
  {
    id: 'B5',
    holds:
      'Minutes of unlimited demand, at several delays and with stalls, meet no refusal and use most of the rate.',
    limit: '0 refusals; 450/s by the window, 270/s by both',
    where: ['core/budgets/lanes.ts', 'venues/hitbtc/budgets/api.ts'],
    tests: [
      'core/budgets/demand.test.ts: $name are never refused, use the limit and leave cancels room, at $at',
      'limits/our-budgets.test.ts: get no 429 from the exchange itself, at %s',
      'prove rate-budgets',
    ],
  },
];

export const loadRows: readonly Row[] = [
  {
    id: 'L1',
    holds: '25,000 orders on 13 symbols and 500 deep books fit into memory, and reads are quick.',
    limit: 'heap 150 MiB, RSS 350 MiB, reads 1 ms',
    where: ['core/state/orders.ts', 'core/book/book.ts'],
    tests: [
      'core/state/carried.test.ts: is as large after thousands of executions more %s',
      'prove capacity',
    ],
    less: 'the limits of memory: the whole daemon takes more, 242 MiB of heap and 806 in all ([proving](proving.md#what-is-not-measured)).',
  },
  {
    id: 'L2',
    holds: 'Orders without end beside 5,000 book messages a second are sent at the rate that is allowed.',
    limit: '450 orders/s, 0 refusals; decision to wire p50 1 ms, p99 5 ms',
    where: ['core/gate/gate.ts', 'venues/net/ws-socket.ts'],
    tests: [
      'venues/net/ws-socket.test.ts: writes all messages of one turn at once',
      'prove decision-to-wire',
    ],
  },
  {
    id: 'L3',
    holds: 'A virtual day with faults each hour leaves memory, timers and handles as they were.',
    limit: '10 minutes, 0.1 MiB an hour',
    where: ['core/trader/trader.ts', 'core/state/state.ts'],
    tests: [
      'soak/soak.test.ts: a short soak loses no order over a kill, and leaves none',
      'soak/soak.test.ts: figures count both lives, and a slope is that of the second one',
      'prove virtual-day',
    ],
  },
  {
    id: 'L4',
    holds:
      'A virtual week with one restart a day does the same, and each replay gives the digest of the journal.',
    where: ['core/journal/replay.ts'],
    tests: [
      'core/journal/disk-journal.test.ts: goes on after a restart: tail, digest, chain and the events recorded on the way',
    ],
    less: 'a whole week in one run, which takes an hour of a core alone ([proving](proving.md#what-is-not-measured)).',
  },
  {
    id: 'L5',
    holds:
      'A restart with 25,000 open orders and a million records reads its journal and compares the account.',
    limit: 'replay 5 s, compared 10 s',
    where: ['core/trader/carrier.ts', 'core/journal/replay.ts'],
    tests: [
      'core/journal/carried.test.ts: is where the next start begins to read; the whole stays readable',
      'core/trader/carried.test.ts: is all that the next run needs of the journal',
      'prove restart',
    ],
  },
  {
    id: 'L6',
    holds: 'A daemon under load is killed 200 times.',
    limit: '0 lost, 0 doubled',
    where: ['core/gate/gate.ts', 'core/journal/disk.ts'],
    tests: [
      'system/kill.test.ts: a daemon killed at random moments loses nothing, repeats nothing, and trades on (seed ${seed})',
      'prove kills',
    ],
  },
  {
    id: 'L7',
    holds:
      'Five hundred books are lost together and come back at the pace of the venue, those with orders first.',
    limit: '7 s on version 2, 55 s on version 3',
    where: ['venues/hitbtc/client/market/session.ts', 'core/budgets/lane-pace.ts'],
    tests: [
      'limits/market-socket.test.ts: after a loss of the connection each subscription is said once more',
      'prove reconnect',
    ],
  },
];
