import { createRequire } from 'node:module';
import type { Operation } from '../support/order-stream.ts';
import { orderStream } from '../support/order-stream.ts';
import { median, cpuMicros, print } from '../support/print.ts';

// The same stream through npm nodejs-order-book: ids and its own reports; it knows no funds, fees or balances.

interface PeerOrder {
  readonly id: string;
  readonly side: 'buy' | 'sell';
  readonly size: number;
  readonly price: number;
  readonly timeInForce: 'GTC' | 'IOC';
}

interface PeerBook {
  limit(order: PeerOrder): {
    readonly quantityLeft: number;
    readonly done: readonly unknown[];
    readonly err: unknown;
  };
  cancel(id: string): unknown;
}

const require = createRequire(new URL('../peers/package.json', import.meta.url));
const { OrderBook } = require('nodejs-order-book') as { OrderBook: new () => PeerBook };
const stream = orderStream(20_000);
const ids = stream.map(({ number }) => `order-${number}`);

function apply(book: PeerBook, { kind, number, buy, price, quantity, target }: Operation): number {
  if (kind === 'cancel') {
    book.cancel(ids[target] ?? '');
    return 0;
  }
  const timeInForce = kind === 'take' ? 'IOC' : 'GTC';
  const id = ids[number] ?? '';
  const reply = book.limit({ id, side: buy ? 'buy' : 'sell', size: quantity, price, timeInForce });
  if (reply.err !== null && reply.err !== undefined) throw reply.err;
  return quantity - reply.quantityLeft;
}

function run(): { took: number; traded: number } {
  const book = new OrderBook();
  let traded = 0;
  const start = cpuMicros();
  for (let i = 0; i < stream.length; i++) traded += apply(book, stream[i] as Operation);
  return { took: cpuMicros() - start, traded };
}

const passes = Array.from({ length: 6 }, run).slice(1);
print({ value: stream.length / median(passes.map(({ took }) => took)), traded: passes[0]?.traded ?? 0 });
