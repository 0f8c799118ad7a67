import { createRequire } from 'node:module';
import type { Heard } from '../support/order-passes.ts';
import { measurePasses } from '../support/order-passes.ts';
import { operation, orderStream } from '../support/order-stream.ts';

// The same stream through npm nodejs-order-book: ids, and the orders that its replies tell of are looked at. It knows no
// accounts, funds, fees or balances, tells nothing of changed levels, and lets an id be used again at once.

interface PeerOrder {
  readonly id: string;
  readonly side: 'buy' | 'sell';
  readonly size: number;
  readonly price: number;
  readonly timeInForce: 'GTC' | 'IOC';
}

interface Reply {
  readonly quantityLeft: number;
  readonly done: readonly PeerOrder[];
  readonly partial: PeerOrder | null;
  readonly err: unknown;
}

interface PeerBook {
  limit(order: PeerOrder): Reply;
  cancel(id: string): { readonly order: PeerOrder } | undefined;
}

const require = createRequire(new URL('../peers/package.json', import.meta.url));
const { OrderBook } = require('nodejs-order-book') as { OrderBook: new () => PeerBook };
const stream = orderStream(200_000);

function play(book: PeerBook): Heard {
  const { kind, isBuy, price, quantity, id } = stream;
  let [traded, told] = [0, 0];
  for (let i = 0; i < stream.length; i++) {
    if (kind[i] === operation.cancel) {
      if (isTold(book.cancel(id[i] as string)?.order)) told += 1;
      continue;
    }
    const size = quantity[i] as number;
    const reply = book.limit({
      id: id[i] as string,
      side: isBuy[i] === 1 ? 'buy' : 'sell',
      size,
      price: price[i] as number,
      timeInForce: kind[i] === operation.take ? 'IOC' : 'GTC',
    });
    if (reply.err !== null && reply.err !== undefined) throw reply.err;
    traded += size - reply.quantityLeft;
    told += 1;
    for (const order of reply.done) if (isTold(order)) told += 1;
    if (isTold(reply.partial)) told += 1;
  }
  return { traded, told };
}

function isTold(order: PeerOrder | null | undefined): boolean {
  return order !== null && order !== undefined && order.id.length > 0 && order.size >= 0;
}

measurePasses(stream.length, () => {
  const book = new OrderBook();
  return () => play(book);
});
