import type { Micros } from '../base/clock.ts';
import type { Event } from '../model/event.ts';
import type { Intent } from '../model/intent.ts';
import type { InstrumentId, Lots, Ticks } from '../model/instrument.ts';
import type { MarginMark } from '../model/margin.ts';
import type { ClientOrderId, OrderRequest } from '../model/order.ts';
import type { DeclaredFeeds } from './feed-request.ts';
import type { FromWorker } from './worker-messages.ts';

/**
 * Part of an event that a worker receives: nothing of feeds its strategy did not declare, and the levels of a book cut
 * out of the chunk they share with other messages (posting the chunk would copy all of it).
 */
export function forWorker(event: Event, feeds: DeclaredFeeds): Event | undefined {
  switch (event.kind) {
    case 'bookUpdate':
    case 'bookSnapshot': {
      if (feeds.books[event.instrument] !== 1) return undefined;
      const levels = event.levels.slice(event.start, event.end);
      return { ...event, levels, start: 0, end: levels.length };
    }
    case 'bookStale':
      return feeds.books[event.instrument] === 1 ? event : undefined;
    case 'trades':
      return feeds.trades[event.instrument] === 1 || (feeds.candles[event.instrument]?.length ?? 0) > 0
        ? event
        : undefined;
    case 'candles':
      return (feeds.candles[event.instrument]?.length ?? 0) > 0 ? event : undefined;
    case 'ticker':
      return feeds.tickers[event.instrument] === 1 ? event : undefined;
    case 'contractInfo':
      return feeds.contracts[event.instrument] === 1 ? event : undefined;
    case 'seriesRow':
    case 'seriesStale':
      return feeds.series.has(event.series) ? event : undefined;
    case 'commandSettled':
      // A replica keeps the changes of margin that are on their way; orders have reports.
      return event.lane === 'replace' && event.clientOrderId === undefined ? event : undefined;
    case 'strategyNoted':
      return undefined;
    default:
      return event;
  }
}

/**
 * A worker's intent as this side knows intents: every key there (absent is `undefined`), in the usual order, and
 * under the name of the strategy it came from, whatever its thread wrote.
 */
export function intentOf(said: (FromWorker & { type: 'intent' })['intent'], strategy: string): Intent {
  switch (said.action) {
    case 'place':
      return { action: 'place', strategy, request: requestOf(said.request) };
    case 'placeList': {
      const { contingency, requests } = said;
      const orders = requests.map(({ clientOrderId }) => clientOrderId as ClientOrderId);
      const list = { contingency, orders };
      return {
        action: 'placeList',
        strategy,
        contingency,
        requests: requests.map((request) => ({ ...requestOf(request), list })),
      };
    }
    case 'cancel':
      return { action: 'cancel', strategy, clientOrderId: said.clientOrderId as ClientOrderId };
    case 'replace':
      return {
        action: 'replace',
        strategy,
        clientOrderId: said.clientOrderId as ClientOrderId,
        newClientOrderId: said.newClientOrderId as ClientOrderId,
        quantity: said.quantity as Lots,
        price: said.price as Ticks | undefined,
        stopPrice: said.stopPrice as Ticks | undefined,
      };
    case 'cancelAll':
      return { action: 'cancelAll', strategy, instrument: said.instrument as InstrumentId | undefined };
    case 'changeMargin': {
      const { product, mode, instrument, currency, balance, leverage } = said.change;
      return {
        action: 'changeMargin',
        strategy,
        change: {
          product,
          mode,
          instrument: instrument as InstrumentId | undefined,
          currency,
          balance,
          leverage,
        },
      };
    }
  }
}

type SaidRequest = Extract<(FromWorker & { type: 'intent' })['intent'], { action: 'place' }>['request'];

function requestOf(said: SaidRequest): OrderRequest {
  return {
    clientOrderId: said.clientOrderId as ClientOrderId,
    instrument: said.instrument as InstrumentId,
    side: said.side,
    type: said.type,
    timeInForce: said.timeInForce,
    quantity: said.quantity as Lots,
    price: said.price as Ticks | undefined,
    stopPrice: said.stopPrice as Ticks | undefined,
    expireTime: said.expireTime as Micros | undefined,
    postOnly: said.postOnly,
    ...(said.margin !== undefined && { margin: marginOf(said.margin) }),
    ...(said.takeRate !== undefined && { takeRate: said.takeRate }),
    ...(said.makeRate !== undefined && { makeRate: said.makeRate }),
  };
}

function marginOf({ mode, reduceOnly, closePosition, auto }: MarginMark): MarginMark {
  return { mode, reduceOnly, closePosition, auto };
}
