import { crc32 } from 'node:zlib';

/** One level as the venue prints it. */
export type PrintedLevel = readonly [price: string, size: string];

/** How a venue sums up a book: over how many levels a side, and the sum itself as an unsigned 32-bit integer. */
export interface ChecksumRule {
  readonly levels: number;
  sum(bids: readonly PrintedLevel[], asks: readonly PrintedLevel[]): number;
}

/**
 * The ten best asks, then the ten best bids; of each level price and size without point and leading zeros, joined.
 * Source: Kraken WebSocket v1, "Book checksum".
 */
export const krakenChecksum: ChecksumRule = {
  levels: 10,
  sum: (bids, asks) => crc32([...asks.slice(0, 10), ...bids.slice(0, 10)].map(digitsOf).join('')),
};

/** Twenty-five levels of bid and ask in turns, `price:size`, joined by `:`. Source: OKX v5, "Checksum"; Bitget the same. */
export const okxChecksum: ChecksumRule = alternating(25);

/** Like OKX with a hundred levels. Source: FTX, "Orderbooks: checksum". */
export const ftxChecksum: ChecksumRule = alternating(100);

/** Whether a sum is the one the venue sent: some print it signed, some unsigned. */
export function isSameChecksum(sum: number, sent: number): boolean {
  return sum >>> 0 === sent >>> 0;
}

function alternating(levels: number): ChecksumRule {
  return {
    levels,
    sum: (bids, asks) => {
      const parts: string[] = [];
      for (let i = 0; i < Math.min(levels, Math.max(bids.length, asks.length)); i++) {
        const bid = bids[i];
        const ask = asks[i];
        if (bid !== undefined) parts.push(bid[0], bid[1]);
        if (ask !== undefined) parts.push(ask[0], ask[1]);
      }
      return crc32(parts.join(':'));
    },
  };
}

function digitsOf([price, size]: PrintedLevel): string {
  return stripped(price) + stripped(size);
}

function stripped(decimal: string): string {
  return decimal.replace('.', '').replace(/^0+/, '');
}
