import type { Row } from './row.ts';

/** Faults between us and the venue: the network and its sockets. The simulation has most of them as kinds of its own. */
export const networkRows: readonly Row[] = [
  {
    id: 'N1',
    holds:
      'The venue refuses connections or does not answer. We try again with growing pauses, and trade again by ourselves.',
    limit: '10 attempts a minute',
    where: ['core/base/backoff.ts', 'venues/net/ws-socket.ts'],
    tests: [
      'core/base/backoff.test.ts: never allows more than so many attempts in any minute, whatever succeeds',
      'venues/net/ws-socket.test.ts: gives a connection up that does not open in time',
      'app/cli/boot.test.ts: paper waits for a venue that is not there yet, says so, and trades once it is',
      'prove chaos-links N1',
    ],
  },
  {
    id: 'N2',
    holds:
      'The socket is open and bytes stop. The connection is given up, and no order leaves on what it brought.',
    limit: '10 s',
    where: ['venues/net/ws-socket.ts', 'core/gate/gate.ts'],
    tests: [
      'venues/net/ws-socket.test.ts: is pinged, and cut when the ping is not answered either',
      'core/gate/gate.test.ts: when a book its strategy declared is stale at the moment it would leave',
      'prove chaos-links N2',
    ],
  },
  {
    id: 'N3',
    holds: 'Requests arrive and replies vanish. The order is unknown, found by a read, and not sent again.',
    limit: '0 duplicates',
    where: ['core/orders/reconcile.ts', 'venues/net/deadlines.ts'],
    tests: [
      'system/faults.test.ts: N3: the reply never comes',
      'venues/hitbtc/client/faults.test.ts: that never come end the command at its deadline; when they come late they settle nothing',
      'prove chaos-links N3',
    ],
  },
  {
    id: 'N4',
    holds: 'The connection is cut after the venue took the order. A read finds it.',
    limit: '5 s and the lag of the venue',
    where: ['core/orders/reconcile.ts'],
    tests: [
      'system/faults.test.ts: N4: the connection is reset after acceptance',
      'system/faults.test.ts: N4: the same for an order that is executed at once',
      'prove chaos-links N4',
    ],
  },
  {
    id: 'N5',
    holds: 'The connection is cut before the order arrives. It is not called live, and is proven absent.',
    limit: '0 called live',
    where: ['core/orders/reconcile.ts'],
    tests: [
      'system/faults.test.ts: N5: the connection is reset before the order arrives',
      'prove chaos-links N5',
    ],
  },
  {
    id: 'N6',
    holds: 'Delays vary by 30 ms. No request is refused for its rate, and most of the rate is used.',
    limit: '0 refusals, 90 % of the rate',
    where: ['core/budgets/lanes.ts'],
    tests: [
      'core/budgets/demand.test.ts: $name are never refused, use the limit and leave cancels room, at $at',
      'limits/our-budgets.test.ts: get no 429 from the exchange itself, at %s',
      'prove chaos-links N6',
    ],
  },
  {
    id: 'N7',
    holds:
      'The line stands still for 0.4 s or 2 s, and all arrives at once. No request is refused for its rate.',
    limit: '0 refusals',
    where: ['core/budgets/ack-window.ts', 'core/budgets/ack-bucket.ts'],
    tests: [
      'core/budgets/demand.test.ts: $name are never refused, use the limit and leave cancels room, at $at',
      'prove chaos-links N7',
    ],
  },
  {
    id: 'N8',
    holds:
      'Bytes come one by one, or several messages in one piece. Each message is read once, as it was sent.',
    limit: '0 differences',
    where: ['venues/net/text-frames.ts'],
    tests: [
      'venues/net/text-frames.test.ts: loses, repeats and reorders nothing, wherever the chunks are cut (seed ${seed})',
      'prove chaos-links N8',
    ],
  },
  {
    id: 'N9',
    holds:
      'The line is slower than the market, and what comes grows old. Orders wait for the age of what they are priced from.',
    limit: '0 late orders',
    where: ['core/orders/controls/trading-status.ts', 'venues/hitbtc/client/market/session.ts'],
    tests: [
      'simulation/clogged-link.test.ts: lets no order leave on what it brings, is opened anew, and trading goes on',
      'core/orders/venue-time.test.ts: are stale beyond the limit, for as long as they do',
      'prove chaos-links N9',
    ],
  },
  {
    id: 'N10',
    holds: 'Each connection is clogged in turn and freed in any order. All agrees again afterwards.',
    where: ['core/orders/reconcile.ts'],
    tests: [
      'check I6',
      'simulation/simulation.test.ts: breaks no invariant in the first seeds',
      'prove chaos-links N10',
    ],
  },
  {
    id: 'N11',
    holds:
      'Names of hosts are not resolved for ten minutes. What never left is said to be unsent, and nothing is lost.',
    limit: '0 orders dropped',
    where: ['venues/net/rest-transport.ts', 'venues/net/ws-socket.ts'],
    tests: [
      'venues/hitbtc/client/rest/rest.test.ts: to an address without a server ends as unsent',
      'app/cli/boot.test.ts: paper waits for a venue that is not there yet, says so, and trades once it is',
      'prove chaos-links N11',
    ],
  },
  {
    id: 'N12',
    holds:
      'REST answers and sockets do not, or the reverse. No order leaves, and all agrees again afterwards.',
    where: ['core/gate/gate.ts', 'core/orders/reconcile.ts'],
    tests: [
      'core/gate/gate.test.ts: when the trading session is down',
      'core/orders/reconcile.test.ts: no order leaves before the first comparison is complete, however often reads fail',
      'prove chaos-links N12',
    ],
  },
  {
    id: 'N13',
    holds: 'Connections are lost 120 times. No timer, listener or socket is left behind.',
    limit: '0 left',
    where: ['venues/net/ws-socket.ts'],
    tests: [
      'venues/hitbtc/client/faults.test.ts: 120 lost connections leave no timer, listener or second socket behind',
      'venues/net/ws-socket.test.ts: keeps no timer and no listener after it was closed',
      'prove chaos-links N13',
    ],
  },
  {
    id: 'N14',
    holds: 'A certificate is wrong, or an answer leads to plain text. No credential leaves.',
    limit: '0 bytes of a credential',
    where: ['venues/net/network.ts', 'venues/hitbtc/client/rest/rest.ts'],
    tests: [
      'venues/hitbtc/client/rest/rest.test.ts: never follows a redirect, and no credential goes there',
      'venues/hitbtc/client/rest/rest.test.ts: are refused an unencrypted link, except to this machine',
      'prove chaos-links N14',
      'reliability/hostile.test.ts: by a certificate that nobody signed gets no byte of a request',
      'reliability/hostile.test.ts: because it speaks plain text gets no credential',
    ],
  },
  {
    id: 'N15',
    holds: 'A kept connection dies while a request is written. It is not sent again by itself.',
    limit: '0 repeated',
    where: ['venues/net/rest-transport.ts'],
    tests: [
      'venues/hitbtc/client/rest/rest.test.ts: on a kept connection that dies under it is not sent again',
      'venues/hitbtc/client/rest/rest.test.ts: cut by the venue after it arrived is unknown and is not sent again',
      'prove chaos-links N15',
    ],
  },
];

export const socketRows: readonly Row[] = [
  {
    id: 'W1',
    holds: 'An update of a book is lost. The book is stale at once and fetched anew.',
    limit: 'live again within 2 s',
    where: ['core/book/sequencer.ts', 'venues/hitbtc/client/market/session.ts'],
    tests: [
      'venues/contract.ts: a lost update makes the book stale until a whole one comes',
      'system/journeys.test.ts: a lost update makes the book stale at once, and a new subscription makes it live again',
      'prove chaos-venue W1',
    ],
  },
  {
    id: 'W2',
    holds: 'Updates come twice or in the wrong order. The book is the venue’s.',
    limit: '0 differences',
    where: ['core/book/sequencer.ts'],
    tests: [
      'system/faults.test.ts: W2: book updates sent twice change nothing',
      'venues/hitbtc/market-data/handler.test.ts: drops and counts updates that are already contained',
      'prove chaos-venue W2',
    ],
  },
  {
    id: 'W3',
    holds: 'The sequence begins anew. The book is stale, and a fresh one comes.',
    limit: 'live again within 2 s',
    where: ['core/book/sequencer.ts'],
    tests: [
      'system/venue-faults.test.ts: W3: makes the book stale, and a fresh one comes',
      'prove chaos-venue W3',
    ],
  },
  {
    id: 'W4',
    holds: 'No snapshot follows a subscription. It costs the connection, and meanwhile no order leaves.',
    limit: '5 s',
    where: ['venues/hitbtc/client/market/session.ts'],
    tests: [
      'venues/hitbtc/client/market/session.test.ts: costs the connection within five seconds when %s',
      'prove chaos-venue W4',
    ],
  },
  {
    id: 'W5',
    holds: 'A fresh snapshot has fewer levels. None of the old ones stays.',
    limit: '0 old levels',
    where: ['core/book/book.ts'],
    tests: [
      'core/book/book.test.ts: a snapshot replaces everything: no level of the old book survives',
      'prove chaos-venue W5',
    ],
  },
  {
    id: 'W6',
    holds: 'A subscription is refused, lost, or answered without data. It is told and asked for again.',
    limit: '0 silent feeds',
    where: ['venues/hitbtc/client/market/session.ts'],
    tests: [
      'venues/hitbtc/client/market/session.test.ts: is reported with its cause, since when, and when it is asked for next, until the venue takes it',
      'venues/hitbtc/client/market/session.test.ts: costs the connection within five seconds when %s',
      'prove chaos-venue W6',
    ],
  },
  {
    id: 'W7',
    holds: 'After a reconnect one feed of several is missing. It is noticed and subscribed anew.',
    limit: '5 s',
    where: ['venues/hitbtc/client/market/session.ts'],
    tests: [
      'venues/hitbtc/client/market/session.test.ts: costs the connection within five seconds when %s',
      'prove chaos-venue W7',
    ],
  },
  {
    id: 'W8',
    holds: 'Pings are answered and data stop, or the reverse. Both are noticed.',
    limit: '10 s',
    where: ['venues/net/ws-socket.ts', 'venues/hitbtc/client/market/session.ts'],
    tests: [
      'venues/net/ws-socket.test.ts: is pinged, and cut when the ping is not answered either',
      'venues/net/ws-socket.test.ts: whose pings are answered stays',
      'prove chaos-venue W8',
    ],
  },
  {
    id: 'W9',
    holds: 'A reply has a wrong, used or late id. It settles no other command.',
    limit: '0 mistaken',
    where: ['venues/hitbtc/client/calls/rpc.ts'],
    tests: [
      'venues/hitbtc/client/faults.test.ts: with repeated or foreign ids settle each command once and by its own reply',
      'venues/hitbtc/client/calls/rpc.test.ts: count answers that are late, repeated, or of another type of id',
      'prove chaos-venue W9',
    ],
  },
  {
    id: 'W10',
    holds: 'A method, field, state or code is unknown. Only one of the own account halts trading.',
    limit: '0 crashes',
    where: ['venues/hitbtc/market-data/handler.ts', 'venues/hitbtc/client/account/private-stream.ts'],
    tests: [
      'venues/hitbtc/market-data/handler.test.ts: a malformed frame that names a symbol makes its book stale, once; one that names none is counted',
      'venues/hitbtc/client/account/private-stream.test.ts: that cannot be read are fatal and publish nothing',
      'system/malformed.test.ts: that is no JSON at all changes nothing',
      'prove chaos-venue W10',
    ],
  },
  {
    id: 'W11',
    holds: 'The venue closes the connection, whatever its code. All is subscribed again.',
    limit: 'all feeds',
    where: ['venues/net/ws-socket.ts', 'venues/hitbtc/client/market/session.ts'],
    tests: [
      'system/faults.test.ts: W11: whatever code the venue closes with, all is subscribed again and trading resumes by itself',
      'prove chaos-venue W11',
    ],
  },
  {
    id: 'W12',
    holds:
      'Hundreds of feeds are lost together. They come back at the pace that the venue allows, those with orders first.',
    limit: '1.1 times what the rate allows',
    where: ['venues/hitbtc/client/market/session.ts', 'core/budgets/lane-pace.ts'],
    tests: [
      'limits/market-socket.test.ts: after a loss of the connection each subscription is said once more',
      'limits/market-socket.test.ts: twenty subscriptions before the line is ready are twenty messages, ten at once and ten a second',
      'prove reconnect',
    ],
  },
  {
    id: 'W13',
    holds:
      'The deletion of a level is lost and the sequence is whole. A book whose sides meet is fetched anew.',
    limit: 'crossed for 2 s',
    where: ['venues/hitbtc/client/market/session.ts', 'core/orders/books.ts'],
    tests: [
      'venues/hitbtc/client/market/session.test.ts: %s for almost two seconds is stale and subscribed anew, and not before',
      'core/orders/books.test.ts: that has lost a deletion is a row after one read, and stale and fetched anew after two; a read that agrees ends it',
      'prove chaos-venue W13',
    ],
  },
  {
    id: 'W14',
    holds:
      'After a gap the venue refuses to end or to begin a subscription. The book comes back all the same.',
    limit: '10 s',
    where: ['venues/hitbtc/client/market/session.ts'],
    tests: [
      'venues/hitbtc/client/market/session.test.ts: is subscribed although the end of its subscription was refused',
      'venues/hitbtc/client/market/session.test.ts: that %s costs the connection, and a new one asks for it first thing',
      'prove chaos-venue W14',
    ],
  },
  {
    id: 'W15',
    holds: 'A public trade comes twice, in one update or over two connections. It is delivered once.',
    limit: '0 delivered twice',
    where: ['venues/hitbtc/client/market/session.ts'],
    tests: [
      'venues/hitbtc/client/market/session.test.ts: are delivered once: in one update, in two, in a history and after it, and over connections',
      'venues/hitbtc/client/market/session.test.ts: are delivered once on version 2 too',
    ],
  },
];
