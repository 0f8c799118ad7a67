/** The book: orders in price levels and queues. */
export { OrderBook, keyOf, priceOf } from './book.ts';
export { OrderPool, grown, noOwner, none } from './order-pool.ts';
export { OrderQueue } from './order-queue.ts';
