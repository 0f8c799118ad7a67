/** A symbol, and the numbers its instruments have in a file. */
export interface DbnMapping {
  readonly symbol: string;
  readonly ids: readonly number[];
}

/** A record of market by order: a bid of one lot that ends its event, unless it says otherwise. */
export interface DbnRow {
  readonly id: number;
  readonly second: number;
  readonly order: number;
  readonly price: number;
  readonly size?: number;
  readonly action?: string;
  readonly side?: string;
  readonly flags?: number;
}

/** A file of DBN version 3, schema mbo. */
export function dbn(mappings: readonly DbnMapping[], rows: readonly DbnRow[]): Buffer {
  const text = (value: string, length: number) => Buffer.from(value.padEnd(length, '\0'), 'latin1');
  const uint32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
  const mapped = mappings.flatMap(({ symbol, ids }) => [
    text(symbol, 71),
    uint32(ids.length),
    ...ids.flatMap((id) => [uint32(20_240_508), uint32(20_240_509), text(String(id), 71)]),
  ]);
  const body = Buffer.concat([
    text('TEST', 16),
    Buffer.alloc(2 + 24 + 3),
    Buffer.from(Uint16Array.of(71).buffer),
    Buffer.alloc(53 + 4 + 12),
    uint32(mappings.length),
    ...mapped,
  ]);
  return Buffer.concat([text('DBN\u0003', 4), uint32(body.length), body, ...rows.map(recordOf)]);
}

function recordOf({
  id,
  second,
  order,
  price,
  size = 1,
  action = 'A',
  side = 'B',
  flags = 128,
}: DbnRow): Buffer {
  const record = Buffer.alloc(56);
  const nanos = 1_715_126_400_000_000_000n + BigInt(second) * 1_000_000_000n;
  record.writeUInt8(14, 0);
  record.writeUInt8(160, 1);
  record.writeUInt32LE(id, 4);
  record.writeBigUInt64LE(nanos, 8);
  record.writeBigUInt64LE(BigInt(order), 16);
  record.writeBigInt64LE(BigInt(price) * 1_000_000_000n, 24);
  record.writeUInt32LE(size, 32);
  record.writeUInt8(flags, 36);
  record.write(`${action}${side}`, 38, 'latin1');
  record.writeBigUInt64LE(nanos, 40);
  return record;
}
