import { createRequire } from 'node:module';
import type { Pass } from '../support/order-passes.ts';
import { measurePasses } from '../support/order-passes.ts';
import { clientIds, operation, orderStream } from '../support/order-stream.ts';

// The same stream through npm nodejs-order-book: ids, and the orders that its replies tell of are looked at. It knows no
// accounts, funds, fees or balances, tells nothing of changed levels, and lets an id be used again at once.

interface PeerOrder {
  id: string;
  side: 'buy' | 'sell';
  size: number;
  price: number;
  timeInForce: 'GTC' | 'IOC';
}

interface Reply {
  readonly quantityLeft: number;
  readonly done: readonly PeerOrder[];
  readonly partial: PeerOrder | null;
  readonly err: unknown;
}

interface PeerLevel {
  readonly price: number;
  readonly orders: readonly PeerOrder[];
}

interface PeerBook {
  limit(order: PeerOrder): Reply;
  cancel(id: string): { readonly order: PeerOrder } | undefined;
  snapshot(): { readonly bids: readonly PeerLevel[]; readonly asks: readonly PeerLevel[] };
}

const require = createRequire(new URL('../peers/package.json', import.meta.url));
const { OrderBook } = require('nodejs-order-book') as { OrderBook: new () => PeerBook };
const stream = orderStream(200_000);

/** One for all orders: the book reads it and does not keep it. */
const request: PeerOrder = { id: '', side: 'buy', size: 1, price: 1, timeInForce: 'GTC' };

class PeerPass implements Pass {
  readonly #book = new OrderBook();
  readonly #ids = clientIds(stream);

  play(): { traded: number; noted: number } {
    const { kind, isBuy, price, quantity, length } = stream;
    let [traded, noted] = [0, 0];
    for (let i = 0; i < length; i++) {
      const id = this.#ids[i] as string;
      if (kind[i] === operation.cancel) {
        if (isNoted(this.#book.cancel(id)?.order)) noted += 1;
        continue;
      }
      const size = quantity[i] as number;
      request.id = id;
      request.side = isBuy[i] === 1 ? 'buy' : 'sell';
      request.size = size;
      request.price = price[i] as number;
      request.timeInForce = kind[i] === operation.take ? 'IOC' : 'GTC';
      const reply = this.#book.limit(request);
      if (reply.err !== null && reply.err !== undefined) throw reply.err;
      traded += size - reply.quantityLeft;
      noted += 1;
      for (const order of reply.done) if (isNoted(order)) noted += 1;
      if (isNoted(reply.partial)) noted += 1;
    }
    return { traded, noted };
  }

  standing(): { resting: number; lots: number; volume: number } {
    const { bids, asks } = this.#book.snapshot();
    let [resting, lots, volume] = [0, 0, 0];
    for (const { price, orders } of [...bids, ...asks]) {
      for (const { size } of orders) {
        resting += 1;
        lots += size;
        volume += size * price;
      }
    }
    return { resting, lots, volume };
  }
}

function isNoted(order: PeerOrder | null | undefined): boolean {
  return order !== null && order !== undefined && order.id.length > 0 && order.size >= 0;
}

measurePasses(stream, () => new PeerPass());
