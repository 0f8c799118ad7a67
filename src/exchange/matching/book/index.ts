/** The book: orders in price levels and queues. */
export { OrderBook, OrderQueue, keyOf, priceOf } from './book.ts';
export { OrderPool, grown, noOwner, none } from './order-pool.ts';
