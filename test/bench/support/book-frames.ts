import { Random } from '../../../src/core/base/random.ts';
import type { InstrumentSpec } from '../../../src/core/model/instrument.ts';

/** The symbol of all frames here. */
export const benchSpec: InstrumentSpec = {
  symbol: 'ETHBTC',
  type: 'spot',
  baseCurrency: 'ETH',
  quoteCurrency: 'BTC',
  feeCurrency: 'BTC',
  tickSize: '0.000001',
  quantityIncrement: '0.0001',
  takeRate: '0.0025',
  makeRate: '0.001',
  status: 'working',
  marginTrading: false,
};

const middle = 60_000;
/** Thirteen digits, as any time that is written in its place. */
const startTime = 1_700_000_000_000;

/** Sequence of the snapshot. Ten digits, so that a sender may write later ones in place. */
export const firstSequence = 1_000_000_000;

/** The whole book: `depth` levels a side. */
export function snapshotFrame(depth: number): Buffer {
  const random = new Random('book frames snapshot');
  const side = (up: 1 | -1): string =>
    Array.from({ length: depth }, (_, i) => rowText(middle + up * (i + 1), random.between(1, 900_000))).join(
      ',',
    );
  const payload = `{"t":${startTime},"s":${firstSequence},"a":[${side(1)}],"b":[${side(-1)}]}`;
  return Buffer.from(`{"ch":"orderbook/full","snapshot":{"${benchSpec.symbol}":${payload}}}`);
}

/**
 * `count` updates behind it with `levels` levels each, half of them a side: distance from the touch exponential with
 * mean 12 ticks, 3 % anywhere in the depth, 31 % deletes.
 */
export function updateFrames(levels: number, count: number, depth: number): Buffer[] {
  const random = new Random(`book frames ${levels}`);
  return Array.from({ length: count }, (_, i) => {
    const side = (up: 1 | -1): string => {
      const away = new Set<number>();
      while (away.size < levels / 2)
        away.add(
          1 + (random.chance(0.03) ? random.between(0, depth - 1) : Math.floor(random.exponential(12))),
        );
      const rows = [...away].map((ticks) =>
        rowText(middle + up * ticks, random.chance(0.31) ? 0 : random.between(1, 900_000)),
      );
      return rows.join(',');
    };
    const payload = `{"t":${startTime + i + 1},"s":${firstSequence + 1 + i},"a":[${side(1)}],"b":[${side(-1)}]}`;
    return Buffer.from(`{"ch":"orderbook/full","update":{"${benchSpec.symbol}":${payload}}}`);
  });
}

/** Writes the time of a frame in place. The controls refuse market data that the venue stamped long ago. */
export function stamp(frame: Buffer, timeMs: number): Buffer {
  frame.write(String(timeMs), frame.indexOf('"t":') + 4, 'latin1');
  return frame;
}

function rowText(ticks: number, lots: number): string {
  const size = lots === 0 ? '0' : `${Math.floor(lots / 10_000)}.${String(lots % 10_000).padStart(4, '0')}`;
  return `["0.${String(ticks).padStart(6, '0')}","${size}"]`;
}
