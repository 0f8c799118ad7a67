import { BadInput } from '../../core/base/errors.ts';
import { orderStride } from '../../core/model/order-changes.ts';
import type { ByteReader, ByteWriter } from '../recording/index.ts';
import { isBase } from '../recording/index.ts';
import type { PackBases } from './block.ts';

// The order column of packs of version 2, behind the body of every book and every message of trades:
//
// orders   count | per change: action * 2 + side | order (difference, per instrument) | price (difference, per
//          instrument and side) | lots
//
// The count is one too high, and 0 says that the event holds no orders.

/** Least bytes a change takes. */
const changeBytesMin = 4;
const actionMax = 3;

export function writeOrders(writer: ByteWriter, orders: Float64Array | undefined, bases: PackBases): void {
  if (orders === undefined) {
    writer.varint(0);
    return;
  }
  writer.varint(orders.length / orderStride + 1);
  for (let at = 0; at < orders.length; at += orderStride) {
    const order = orders[at + 1] as number;
    const side = orders[at + 2] === 0 ? 0 : 1;
    const price = orders[at + 3] as number;
    writer.varint((orders[at] as number) * 2 + side);
    writer.delta(order, bases.order);
    writer.delta(price, bases.orderPrice[side] as number);
    writer.varint(orders[at + 4] as number);
    bases.order = order;
    if (isBase(price)) bases.orderPrice[side] = price;
  }
}

/** Throws `BadInput` when the bytes say something else. */
export function readOrders(reader: ByteReader, bases: PackBases): Float64Array | undefined {
  const code = reader.varint();
  if (code === 0) return undefined;
  const count = code - 1;
  if (count * changeBytesMin > reader.left) {
    throw new BadInput(`expected ${count} changes of orders in a block, found ${reader.left} bytes`);
  }
  const orders = new Float64Array(count * orderStride);
  for (let at = 0; at < orders.length; at += orderStride) {
    const what = reader.varint();
    const side = what % 2 === 0 ? 0 : 1;
    const action = (what - side) / 2;
    if (action > actionMax)
      throw new BadInput(`expected an action of an order from 0 to ${actionMax}, found ${action}`);
    const order = reader.delta(bases.order);
    const price = reader.delta(bases.orderPrice[side] as number);
    orders[at] = action;
    orders[at + 1] = order;
    orders[at + 2] = side;
    orders[at + 3] = price;
    orders[at + 4] = reader.varint();
    bases.order = order;
    if (isBase(price)) bases.orderPrice[side] = price;
  }
  return orders;
}
