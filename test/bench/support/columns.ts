import { writeFileSync } from 'node:fs';
import { openPack } from '../../../src/data/pack/event.ts';
import { levelStride } from '../../../src/core/model/level-buffer.ts';

const magic = 0x31_43_57_47;
const int32Max = 2 ** 31 - 1;

/** Room for the columns of one recording: times as 64-bit integers, prices and sizes as 32-bit ones. */
class Columns {
  readonly exchange: bigint[] = [];
  readonly receive: bigint[] = [];
  readonly from: number[] = [];
  readonly to: number[] = [];
  readonly kind: number[] = [];
  readonly level: Rows = { side: [], price: [], lots: [] };
  readonly trade: Rows = { side: [], price: [], lots: [] };

  begin(kind: number, rows: Rows, times: { exchangeTime: number; receiveTime: number }): void {
    this.kind.push(kind);
    this.exchange.push(BigInt(times.exchangeTime));
    this.receive.push(BigInt(times.receiveTime));
    this.from.push(rows.side.length);
    this.to.push(rows.side.length);
  }

  add(rows: Rows, side: 0 | 1, price: number, lots: number): void {
    if (Math.abs(price) > int32Max || lots > int32Max) throw new Error('a price or size has over 31 bits');
    rows.side.push(side);
    rows.price.push(price);
    rows.lots.push(lots);
    this.to[this.to.length - 1] = rows.side.length;
  }
}

interface Rows {
  readonly side: number[];
  readonly price: number[];
  readonly lots: number[];
}

/**
 * Writes the book changes and trades of a pack of one instrument as plain columns, little endian, as `peers/kernel.cpp`
 * reads them: four 32-bit numbers (magic, messages, levels, trades), the maker's fee rate, then column after column.
 */
export function writeColumns(packPath: string, path: string): void {
  const pack = openPack(packPath);
  const columns = new Columns();
  for (const batch of pack.batches()) {
    for (const event of batch) {
      if (event.kind === 'bookSnapshot' || event.kind === 'bookUpdate') {
        columns.begin(event.kind === 'bookSnapshot' ? 0 : 1, columns.level, event);
        for (let at = event.start; at < event.end; at += levelStride) {
          const [side, price, lots] = event.levels.subarray(at, at + levelStride) as unknown as number[];
          columns.add(columns.level, side === 0 ? 0 : 1, price ?? 0, lots ?? 0);
        }
      } else if (event.kind === 'trades') {
        columns.begin(2, columns.trade, event);
        for (const { side, price, quantity } of event.trades)
          columns.add(columns.trade, side === 'buy' ? 0 : 1, price, quantity);
      }
    }
  }
  const makeRate = Number(pack.instruments.all[0]?.spec.makeRate ?? 0);
  pack.close();
  const { exchange, receive, from, to, kind, level, trade } = columns;
  const head = new Uint32Array([magic, kind.length, level.side.length, trade.side.length]);
  const parts = [
    head,
    new Float64Array([makeRate]),
    new BigInt64Array(exchange),
    new BigInt64Array(receive),
    new Uint32Array(from),
    new Uint32Array(to),
    new Int32Array(level.price),
    new Int32Array(level.lots),
    new Int32Array(trade.price),
    new Int32Array(trade.lots),
    new Uint8Array(kind),
    new Uint8Array(level.side),
    new Uint8Array(trade.side),
  ];
  writeFileSync(path, Buffer.concat(parts.map((part) => new Uint8Array(part.buffer))));
}
