import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** One bar as peers want it: plain numbers. */
export interface PlainBar {
  readonly time: Date;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** The bars of a compressed table with the columns timestamp, open, high, low, close, volume. */
export function readBars(path: string): readonly PlainBar[] {
  const lines = gunzipSync(readFileSync(path)).toString('utf8').trim().split('\n').slice(1);
  return lines.map((line) => {
    const [time = '', ...numbers] = line.split(',');
    const [open = 0, high = 0, low = 0, close = 0, volume = 0] = numbers.map(Number);
    return { time: new Date(Date.parse(`${time.replace(' ', 'T')}Z`)), open, high, low, close, volume };
  });
}
