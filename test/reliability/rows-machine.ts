import type { Row } from './row.ts';

/** What the machine may do: the process, its disk and its clock. */
export const processRows: readonly Row[] = [
  {
    id: 'P1',
    holds:
      'The process is killed at any moment around a send. No order is lost, doubled or unknown to the next run.',
    limit: '0 lost, 0 doubled',
    where: ['core/gate/gate.ts', 'core/journal/disk.ts', 'core/trader/carrier.ts'],
    tests: [
      'system/kill.test.ts: a daemon killed at random moments loses nothing, repeats nothing, and trades on (seed ${seed})',
      'core/orders/reconcile.test.ts: what was pending when a run died is unknown in the next one, and settled by evidence',
      'mark branch/process died',
      'prove kills',
    ],
  },
  {
    id: 'P2',
    holds: 'The process is asked to end. It cancels its orders and ends in time.',
    limit: '10 s',
    where: ['app/live/daemon.ts', 'app/process/stop-signal.ts'],
    tests: [
      'app/operate/processes.test.ts: cancels its orders when a signal comes twice at once, as a service manager sends it to a whole group',
      'core/trader/life.test.ts: ends strategies, cancels own orders, and is quiet once they are gone',
    ],
  },
  {
    id: 'P3',
    holds:
      'Memory or descriptors of the process run out. It ends in a sentence, and the next start loses nothing.',
    limit: '0 dirty restarts',
    where: ['app/process/heap-guard.ts', 'app/process/open-files.ts', 'core/journal/replay.ts'],
    tests: [
      'system/heap.test.ts: a heap that is full aborts the daemon, the next start knows every order, and one that fills up ends it in a sentence',
      'app/process/heap-guard.test.ts: a heap of which little is free after a full collection is reported once, and looked at no more',
      'app/process/open-files.test.ts: a start with few file descriptors ends in one sentence and 78',
      'core/journal/disk-journal.test.ts: every acknowledged record outlives a SIGKILL under load',
      'core/strategy/worker-host.test.ts: that hoards memory dies alone (S4)',
    ],
  },
  {
    id: 'P4',
    holds: 'Something throws that nothing catches. The strategy that did it is stopped, or trading halts.',
    limit: '1 s',
    where: ['app/run/uncaught-errors.ts', 'core/trader/trader.ts'],
    tests: [
      'system/strays.test.ts: in %s stops it, cancels its orders, and leaves the others and the daemon alone',
      'core/trader/step.test.ts: halts trading for good and cancels the own orders, while reads and reports go on',
    ],
  },
  {
    id: 'P5',
    holds:
      'The loop stands still. No order leaves on what is old by then, and a halt from outside gets through.',
    limit: '0 stale orders',
    where: ['core/gate/gate.ts', 'app/process/service-manager.ts'],
    tests: [
      'app/service.test.ts: while the event loop stands still the watchdog is not fed',
      'core/gate/gate.test.ts: when market data come too late at the moment it would leave',
      'app/sentinel/watch.test.ts: has its orders cancelled while its event loop stands, and is left alone once it turns again',
      'prove sentinel',
    ],
  },
  {
    id: 'P6',
    holds:
      'The process is stopped for ten minutes and goes on. It compares the account before any order leaves.',
    limit: '0 sent before',
    where: ['core/orders/reconcile.ts', 'venues/net/ws-socket.ts'],
    tests: [
      'core/orders/reconcile.test.ts: no order leaves before the first comparison is complete, however often reads fail',
      'core/orders/reconcile.test.ts: a lost session makes what was in flight unknown; new orders wait for the next comparison',
    ],
  },
  {
    id: 'P7',
    holds:
      'A second daemon is started for the same account. It does not start, and names the first and its gateway for programs.',
    limit: '0 second starts',
    where: ['app/process/account-claim.ts', 'core/journal/start-directory.ts'],
    tests: [
      'app/operate/operate.test.ts: two daemons never trade with one key, whatever their run directories',
      'app/account-claim.test.ts: of daemons that start at once, one has the key',
      'app/account-claim.test.ts: the sentence names the gateway of the daemon that has the key, through which programs can trade',
      'system/others.test.ts: each shows the orders of the other, at once by reports, and clears none of them at start, cancel of all, halt and stop',
      'core/journal/disk-journal.test.ts: is refused to a second one, in this process and in another, until the first is closed',
      'prove others',
    ],
  },
  {
    id: 'P8',
    holds: 'The process crashes again and again. Its service gives up, and a latched halt stays latched.',
    limit: '0 armed again',
    where: ['core/trader/carrier.ts', 'core/state/mode.ts'],
    tests: [
      'app/service.test.ts: the unit says what the daemon needs, and systemd reads it',
      'core/trader/carried.test.ts: keeps a latched halt and lets go of what stopped a strategy',
      'mark branch/halt outlived a restart',
    ],
  },
  {
    id: 'P9',
    holds: 'The journal is of another version. It is read as what it is, or refused in a sentence.',
    limit: '0 misread',
    where: ['core/journal/segments/file.ts', 'core/journal/start-directory.ts'],
    tests: [
      'core/journal/disk-journal.test.ts: is refused when it was written under another header or by another version',
      'system/kept-run-directory.test.ts: a run directory of journal version 2 is continued on %s',
      'core/journal/segments.test.ts: becomes the first segment when a run goes on with it, which no older program then takes',
    ],
  },
];

export const diskRows: readonly Row[] = [
  {
    id: 'D1',
    holds:
      'The disk is full. Nothing is called durable any more, and trading halts, until all that waited is on the disk.',
    limit: '1 s',
    where: ['core/journal/disk-writer.ts', 'core/orders/reconcile.ts', 'core/gate/gate.ts'],
    tests: [
      'core/journal/full-disk.test.ts: waits with all its records, and goes on by itself once there is room, without one missing',
      'core/journal/full-disk.test.ts: that is closed meanwhile ends with what was durable, and the next run says so',
      'core/orders/watches.test.ts: a disk without room for the journal halts until all is written, and an operator is not needed',
      'core/journal/disk-journal.test.ts: a size that is reached fails it once: nothing is durable any more and nothing is lost of what was',
      'core/gate/gate.test.ts: when the journal has failed, and those that come later',
    ],
  },
  {
    id: 'D2',
    holds: 'A sync fails. It is not tried again as if it had worked, and no order leaves.',
    limit: '0 sent later',
    where: ['core/journal/disk.ts', 'core/journal/disk-writer.ts'],
    tests: [
      'core/gate/gate.test.ts: when the journal has failed, and those that come later',
      'core/journal/disk-journal.test.ts: every commit waits for the disk, and goes to the log first',
    ],
  },
  {
    id: 'D3',
    holds: 'The end of the journal is torn. What was called durable is there.',
    limit: '0 lost',
    where: ['core/journal/replay.ts'],
    tests: [
      'core/journal/crash-images.test.ts: a log cut at any offset yields a prefix, never an error, and a new start goes on from it',
      'core/journal/crash-images.test.ts: a broken last record is cut, reported, and removed by the next start',
      'prove crash-images',
    ],
  },
  {
    id: 'D4',
    holds: 'The end of the journal is zeros or noise. It is no record.',
    limit: '0 phantom records',
    where: ['core/journal/records/records.ts'],
    tests: ['core/journal/crash-images.test.ts: a log whose tail is zero or noise yields a prefix'],
  },
  {
    id: 'D5',
    holds: 'A bit flips before the end. No start goes on from it without a word.',
    limit: '0 starts',
    where: ['core/journal/records/records.ts', 'core/journal/segments/segments.ts'],
    tests: [
      'core/journal/crash-images.test.ts: changed text in the middle is an error that names the sequence, and nothing starts on it',
      'core/journal/crash-images.test.ts: a flipped bit in the tables is an error or harms no record; it never changes or drops one',
      'prove crash-images',
    ],
  },
  {
    id: 'D6',
    holds: 'Writes that were not synced reach the disk in another order. What was called durable is there.',
    limit: '0 lost',
    where: ['core/journal/disk-writer.ts'],
    tests: [
      'core/journal/segments.test.ts: has lost nothing when names that no sync had kept yet are lost with the power',
      'core/journal/crash-images.test.ts: a log cut at any offset yields a prefix, never an error, and a new start goes on from it',
      'prove crash-images',
    ],
  },
  {
    id: 'D7',
    holds: 'A sync takes half a second. Orders wait for it, and the loop does not.',
    limit: 'loop 20 ms',
    where: ['core/journal/disk.ts', 'core/journal/disk-writer.ts'],
    tests: [
      'core/journal/disk-journal.test.ts: a disk that falls behind fails it, and the loop is not blocked meanwhile',
      'core/journal/disk-journal.test.ts: a sync of half a second holds records back, and takes none of the time of the loop',
      'core/gate/gate.test.ts: when the session was lost meanwhile and the account is not compared again: neither order nor margin',
    ],
  },
  {
    id: 'D8',
    holds:
      'The crash comes between the steps of a new file, or takes its name. What was called durable is there.',
    limit: '0 lost',
    where: ['core/journal/segments/segments.ts'],
    tests: [
      'core/journal/segments.test.ts: has lost nothing that was acknowledged, at any step',
      'core/journal/segments.test.ts: has lost nothing when names that no sync had kept yet are lost with the power',
    ],
  },
  {
    id: 'D9',
    holds: 'The write-ahead file is removed, cut or damaged. The next start says so and halts.',
    limit: '0 untold',
    where: ['core/journal/start-directory.ts', 'app/live/lost-records.ts'],
    tests: [
      'system/journal-failure.test.ts: a run directory without its write-ahead file is reported, halts, and says what the reads of the venue brought back',
      'core/journal/synced-mark.test.ts: other records in the place of those that the mark names are reported by readers and by the next start',
      'core/journal/crash-images.test.ts: a flipped bit anywhere in the log yields a prefix',
    ],
  },
];

export const clockRows: readonly Row[] = [
  {
    id: 'C1',
    holds: 'The wall clock steps by half a minute or an hour. Nothing is called stale for it.',
    limit: '0 called stale',
    where: ['core/base/system-clock.ts', 'core/base/turn-clock.ts'],
    tests: [
      'core/base/turn-clock.test.ts: never goes back, and cancels what is not wanted any more',
      'core/base/time.test.ts: the system clock of a process does not follow a step of the wall clock',
      'core/orders/reconcile.test.ts: trades are read from before the start, though the clock was set back since the earlier run',
      'core/state/state.test.ts: give way to the first answer of the next, though the clock was set back',
    ],
  },
  {
    id: 'C2',
    holds: 'Our clock runs one per cent fast or slow. No request is refused for its rate.',
    limit: '0 refusals',
    where: ['core/budgets/ack-window.ts'],
    tests: [
      'core/budgets/lanes.test.ts: stretches the window by the guard',
      'reliability/clocks.test.ts: a clock that runs one per cent fast meets no refusal by %s',
    ],
  },
  {
    id: 'C3',
    holds:
      'The clock of the venue is seconds off. One login is refused at most, and the difference is measured.',
    limit: '1 refusal',
    where: ['venues/net/clock-offset.ts', 'venues/hitbtc/client/rest/rest.ts'],
    tests: [
      'venues/hitbtc/client/faults.test.ts: refused for a wrong clock are signed again with the measured time, after one refusal',
      'venues/net/clock-offset.test.ts: is measured from a stamp and from a Date header, and forgotten when the clock is right again',
      'core/orders/venue-time.test.ts: are compared with the venue’s clock, whatever ours shows',
    ],
  },
  {
    id: 'C4',
    holds:
      'The machine is in another time zone, or in a night in which its clock changes. The course is the same.',
    limit: '0 differences',
    where: ['core/base/clock.ts', 'core/state/candle-builder.ts'],
    tests: [
      'core/journal/records/run-digest.test.ts: is the same in another process',
      'reliability/clocks.test.ts: times, bars and daily work are the same in six zones, over the nights in which their clocks change',
      'system/check-determinism.test.ts: an honest strategy takes one timeline in two processes and two threads',
    ],
  },
  {
    id: 'C5',
    holds: 'A timer is longer than 2^31 ms. It does not fire early.',
    limit: '0 early',
    where: ['core/base/system-clock.ts'],
    tests: [
      'core/base/time.test.ts: waits beyond 2^31 milliseconds',
      'core/base/time.test.ts: the system clock does not fire a delay of 2^31 ms at once',
    ],
  },
  {
    id: 'C6',
    holds: 'A day of UTC begins while an order is unknown. Its id is not used again.',
    limit: '0 used again',
    where: ['core/model/client-order-id.ts'],
    tests: [
      'core/trader/life.test.ts: gives the next run ids that no earlier run has used',
      'core/model/order-table.test.ts: values stand in it as in a map, whoever made the ids and however they come and go',
      'core/gate/comparator.test.ts: denies an order that already left: an intent is sent once',
    ],
  },
  {
    id: 'C7',
    holds: 'Many events have one millisecond, or stamps of nanoseconds. Their order is kept.',
    limit: '0 out of order',
    where: ['core/base/virtual-clock.ts', 'core/bus/bus.ts'],
    tests: ['core/base/time.test.ts: fires each timer at its own time, ties in call order'],
    less: 'stamps in nanoseconds of the own account: the venue gives milliseconds, and no document of it names more.',
  },
];
