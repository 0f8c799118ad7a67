import type { Row } from './row.ts';

/** What a strategy, an operator or a hostile peer may do. */
export const strategyRows: readonly Row[] = [
  {
    id: 'S1',
    holds: 'A strategy throws, in any handler, at once or later. It is stopped, and others miss nothing.',
    limit: '0 events missed',
    where: ['core/strategy/guard.ts', 'core/strategy/handlers.ts'],
    tests: [
      'core/strategy/faults.test.ts: that throws in %s is stopped once, and others miss nothing (S1)',
      'core/strategy/faults.test.ts: that answers %s with a promise is stopped, and a rejection harms nobody (S1)',
      'core/strategy/worker-host.test.ts: that does this: %s, dies alone (S1, S4)',
    ],
  },
  {
    id: 'S2',
    holds:
      'A strategy never returns. It is ended, with the group whose worker it shares where it has one, and the others go on.',
    limit: '2 s',
    where: ['core/strategy/watchdog.ts', 'core/strategy/worker-feed.ts', 'core/strategy/worker-host.ts'],
    tests: [
      'core/strategy/worker-host.test.ts: that never returns is ended by the watchdog, and the host goes on (S2)',
      'core/strategy/worker-group.test.ts: one that does this: %s, ends its group, and no other group (S2)',
      'core/strategy/watchdog.test.ts: silence is reported once, at most a quarter of the timeout late',
    ],
  },
  {
    id: 'S3',
    holds: 'A strategy asks for 100,000 orders at once. No more pass than the throttle allows.',
    limit: '0 above the throttle',
    where: ['core/orders/base/throttle.ts', 'core/strategy/intent-sink.ts'],
    tests: [
      'core/orders/boundaries.test.ts: a hundred thousand orders at once: no more pass than the throttle allows',
      'system/flood.test.ts: 100,000 orders in one handler end the strategy that asks, and the loop turns meanwhile',
    ],
  },
  {
    id: 'S4',
    holds: 'A strategy hoards memory, or ends the process. It dies alone.',
    limit: '0 deaths of the host',
    where: ['core/strategy/launch-worker.ts', 'core/strategy/close-thread.ts'],
    tests: [
      'core/strategy/worker-host.test.ts: that hoards memory dies alone (S4)',
      'core/strategy/worker-host.test.ts: that does this: %s, dies alone (S1, S4)',
    ],
  },
  {
    id: 'S5',
    holds: 'A strategy asks for something within a handler. All see events in one order.',
    limit: '0 inversions',
    where: ['core/bus/bus.ts', 'core/trader/host-group.ts'],
    tests: [
      'core/strategy/faults.test.ts: that publishes inside a handler keeps the order of events for all (S5)',
      'core/trader/step.test.ts: lets an event published inside a step wait its turn, so that every host sees the same order',
    ],
  },
  {
    id: 'S6',
    holds: 'A strategy writes to what it is handed, or to prototypes. No other sees it.',
    limit: '0 seen',
    where: ['core/strategy/make-context.ts', 'core/strategy/market-api.ts'],
    tests: [
      'core/strategy/handed.test.ts: what a strategy writes to what it is handed reaches neither decisions nor report',
      'core/strategy/faults.test.ts: cannot change its parameters or its context (S6)',
      'core/strategy/worker-host.test.ts: that changes prototypes changes nothing here (S6)',
    ],
  },
  {
    id: 'S7',
    holds: 'A strategy gives NaN, infinity, a negative number or an exponent. No byte leaves.',
    limit: '0 bytes',
    where: ['core/strategy/order-api.ts', 'core/orders/rules/form.ts'],
    tests: [
      'core/strategy/faults.test.ts: that places %s is stopped with a sentence and nothing is sent (S7)',
      'core/strategy/faults.test.ts: that places text with an exponent, as decimal libraries print it, asks for its exact value',
    ],
  },
  {
    id: 'S8',
    holds: 'A strategy acts after it was unloaded. It reaches nothing.',
    limit: '0 orders',
    where: ['core/strategy/guard.ts', 'core/strategy/worker-host.ts'],
    tests: [
      'core/strategy/faults.test.ts: that acts after it was unloaded reaches nothing (S8)',
      'core/strategy/worker-host.test.ts: that was stopped reaches nothing any more, whatever is still under way (S8)',
    ],
  },
  {
    id: 'S9',
    holds: 'Two strategies would trade with one another. The second order is denied.',
    limit: '0 trades',
    where: ['core/orders/controls/price.ts'],
    tests: [
      'core/orders/denials.test.ts: an order that would cross an own one, in flight or of another strategy, is denied',
      'core/orders/denials.test.ts: a market order is denied while an own order stands on the other side',
    ],
  },
  {
    id: 'S10',
    holds: 'A control throws. It counts as a denial.',
    limit: '0 counted as allowed',
    where: ['core/orders/controls/table.ts'],
    tests: [
      'core/orders/controls.test.ts: a control that throws denies with the code of its row',
      'core/orders/controls.test.ts: asked in one go they answer as asked row by row, a failing one included',
    ],
  },
  {
    id: 'S11',
    holds: 'A strategy floods beside another one. The other goes on, and a halt is quick.',
    limit: '200 ms',
    where: ['core/strategy/launch-worker.ts', 'core/strategy/worker-host.ts'],
    tests: [
      'system/flood.test.ts: a flood that goes on for as long as it may leaves room for a halt and for the other strategy',
      'system/flood-interface.test.ts: a halt over HTTP and one by command are answered beside a strategy that floods, and the other one goes on',
    ],
  },
  {
    id: 'S12',
    holds: 'A strategy takes 17 s to load. It gets a second attempt with more time.',
    limit: 'no exit 78',
    where: ['core/strategy/launch-worker.ts'],
    tests: [
      'core/strategy/worker-host.test.ts: that does not load in time gets a second attempt with twice the time, and then an error of its own',
      'app/live/validate.test.ts: ends with 5, as trade does, where a strategy does not load in time at a second attempt either',
    ],
  },
];

export const operatorRows: readonly Row[] = [
  {
    id: 'O1',
    holds:
      'A size is a thousand times too large, or a price ten times. It is denied, and nothing overrides that.',
    limit: '0 passed',
    where: ['core/orders/controls/size.ts', 'core/orders/controls/price.ts'],
    tests: [
      'core/orders/boundaries.test.ts: maximum quantity',
      'core/orders/boundaries.test.ts: price collar against mid and last trade',
    ],
  },
  {
    id: 'O2',
    holds: 'A setting is misspelt or no longer there. The start is refused, and names its path.',
    limit: '0 accepted',
    where: ['core/config/explain-issue.ts', 'core/config/layers.ts'],
    tests: [
      'app/config/load.test.ts: refuses an unknown key with its path and the nearest known name',
      'core/config/explain-issue.test.ts: %j is explained by what was meant',
    ],
  },
  {
    id: 'O3',
    holds: 'A key of the real venue is used with a test address, or the reverse. The start is refused.',
    limit: '0 started',
    where: ['app/live/check-trade.ts', 'app/run/journal-header.ts'],
    tests: [
      'app/live/validate.test.ts: on $what',
      'app/cli/bad-input.test.ts: %s',
      'app/operate/processes.test.ts: with a key the venue does not know ends with one sentence and 78, and the key is nowhere',
    ],
  },
  {
    id: 'O4',
    holds: 'The configuration is read again under load. All of it holds or nothing.',
    limit: '0 mixed states',
    where: ['app/live/reloads.ts'],
    tests: [
      'core/orders/reload.test.ts: are checked before they hold: what does not fit the run is one sentence, and changes nothing',
      'system/reload.test.ts: begins anew with other params, beside limits that change; what one does not take stops all of it',
      'system/reload.test.ts: what cannot be taken over is one sentence, and leaves everything as it was',
    ],
  },
  {
    id: 'O5',
    holds: 'A halt comes during a reconnect, a login or a replay. No order leaves after it.',
    limit: '0 orders',
    where: ['core/gate/gate.ts', 'core/orders/watches.ts'],
    tests: [
      'core/orders/reconcile.test.ts: cancels that never left are not counted: a halt still cancels while the session is down',
      'core/trader/life.test.ts: after a latched halt leaves it latched: the next run trades only when an operator has cleared it',
      'core/gate/gate.test.ts: when trading halts while it waits',
    ],
  },
  {
    id: 'O6',
    holds: 'The key may withdraw money. A live run is refused.',
    limit: '0 started',
    where: ['app/live/trade.ts', 'venues/hitbtc/client/rest/key-rights.ts'],
    tests: [
      'app/second-venue.test.ts: a key that may withdraw starts no live run, and one whose rights are not shown is noted',
      'app/cli/doctor.test.ts: a key that may read and trade passes every check; one that may withdraw is named',
    ],
  },
  {
    id: 'O7',
    holds: 'The place for news is away for ten minutes at a halt. The news arrives afterwards.',
    limit: '0 lost',
    where: ['operate/sender.ts', 'operate/notifications.ts'],
    tests: [
      'operate/sender.test.ts: arrives when the place is back after ten minutes, the newest state first, with its time',
      'operate/notifications.test.ts: that is away while trading is halted hears of it after a restart (%s)',
    ],
  },
  {
    id: 'O8',
    holds: 'Wrong tokens and a thousand idle connections come to the interface. The owner is served.',
    limit: '0 refused',
    where: ['operate/access.ts', 'operate/connections.ts'],
    tests: [
      'operate/access.test.ts: beside wrong tokens without end the right one halts, reads, streams and takes no part in the lock',
      'operate/connections.test.ts: beside ${many} such connections who has the token is served, and a reader of live state stays',
    ],
  },
  {
    id: 'O9',
    holds:
      'A second daemon spells the address otherwise, or another user took the name of the claim. One trades.',
    limit: '0 second starts, 0 first kept down',
    where: ['app/process/account-claim.ts'],
    tests: [
      'app/account-claim.test.ts: the claim goes by the key, however the address is spelled; only the port of an exchange on this machine tells venues apart',
      'app/account-claim.test.ts: claims in a folder of his own, whatever another user made under such a name',
      'prove others',
    ],
  },
  {
    id: 'O10',
    holds:
      'A daemon with a leveraged position and its exits is started again. The exits live on, or are named.',
    limit: '0 cancelled without a word',
    where: ['core/orders/protection.ts', 'core/orders/clearing.ts'],
    tests: [
      'system/kept-exits.test.ts: exits are kept over a kill, a start and a stop, and plan and the stop name them with what they protect',
      'core/orders/kept-exits.test.ts: keeps take-profit and stop of a leveraged position',
    ],
  },
];

export const hostileRows: readonly Row[] = [
  {
    id: 'M1',
    holds: 'A small message unpacks to 90 MiB. None is unpacked: no compression is offered.',
    limit: '32 MiB',
    where: ['venues/net/ws-socket.ts', 'venues/net/content-encoding.ts'],
    tests: [
      'venues/net/ws-socket.test.ts: offers no compression',
      'venues/hitbtc/client/rest/rest.test.ts: with an answer longer than allowed is unknown',
      'prove chaos-hostile M1',
    ],
  },
  {
    id: 'M2',
    holds: 'Fragments come without end, or frames with wrong bits. The connection is given up.',
    limit: '0 crashes',
    where: ['venues/net/text-frames.ts', 'venues/net/ws-socket.ts'],
    tests: [
      'venues/net/text-frames.test.ts: gives away a text frame inside a fragmented message, for it is a breach of the protocol',
      'venues/net/text-frames.test.ts: gives away messages above its bound, and frames with reserved bits',
      'venues/net/ws-socket.test.ts: a message above the limit costs the connection',
      'prove chaos-hostile M2',
    ],
  },
  {
    id: 'M3',
    holds: 'JSON is nested 200,000 times, or megabytes long. It is refused in a sentence.',
    limit: '50 ms',
    where: ['venues/hitbtc/wire/json.ts'],
    tests: [
      'venues/hitbtc/wire/json.test.ts: refuses 200,000 nested arrays in one sentence, and brackets inside texts do not count',
      'venues/hitbtc/wire/json.test.ts: refuses a text that is too long, and one that is no JSON',
      'prove chaos-hostile M3',
      'reliability/hostile.test.ts: JSON that is nested 200,000 times, or longer than any answer, is refused in 50 ms',
      'reliability/hostile.test.ts: the longest message that a socket of the market takes is read in 50 ms: levels without end, or one text',
    ],
  },
  {
    id: 'M4',
    holds: 'Keys are called __proto__ or constructor. No prototype changes.',
    limit: '0 changed',
    where: ['venues/hitbtc/wire/json.ts'],
    tests: [
      'venues/hitbtc/wire/json.test.ts: refuses %s, and no prototype changes',
      'prove chaos-hostile M4',
    ],
  },
  {
    id: 'M5',
    holds:
      'Texts hold ends of lines, escapes or marks of direction. A record stays one line, and a terminal gets none.',
    limit: '0 forged lines',
    where: ['app/process/terminal-text.ts', 'core/strategy/log.ts'],
    tests: [
      'app/process/terminal-text.test.ts: a symbol or a path with commands for a terminal reaches none, and JSON stays what it is',
      'core/strategy/thread-host.test.ts: the log is one line a note, escaped, with its fields, and a flood is cut',
      'app/operate/logs.test.ts: a control character does not reach the terminal',
      'prove chaos-hostile M5',
    ],
  },
  {
    id: 'M6',
    holds: 'Frames are changed at random. Each is refused or read as before, and none ends the process.',
    limit: '0 crashes, 0 hangs',
    where: ['venues/hitbtc/wire/v3/scan-frames.ts', 'venues/hitbtc/market-data/handler.ts'],
    tests: [
      'venues/hitbtc/wire/v3/scan-frames.test.ts: accepts no mutation that the strict path reads differently',
      'exchange/robustness.test.ts: random messages never close a socket, and every request gets at most one reply',
      'prove chaos-hostile M6',
    ],
  },
  {
    id: 'M7',
    holds:
      'Slow requests and a thousand idle connections come to the interface. A cancel of the owner is quick.',
    limit: '100 ms',
    where: ['operate/connections.ts', 'operate/server.ts'],
    tests: [
      'operate/access.test.ts: whoever sends the head or the body of a request too slowly, or nothing at all, is cut off',
      'operate/connections.test.ts: beside ${many} such connections who has the token is served, and a reader of live state stays',
      'prove chaos-hostile M7',
    ],
  },
];
