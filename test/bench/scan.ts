import { Instruments } from '../../src/core/model/instrument.ts';
import { LevelBuffer } from '../../src/core/model/level-buffer.ts';
import type { MarketSink } from '../../src/venues/hitbtc/wire/market-sink.ts';
import { scanV3Public } from '../../src/venues/hitbtc/wire/v3/scan-frames.ts';
import { decodeV3Public } from '../../src/venues/hitbtc/wire/v3/public-frames.ts';

// Nanoseconds per v3 book frame: byte scanner, JSON.parse with ticks, strict path. Usage: node test/bench/scan.ts
const instruments = new Instruments([
  {
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
  },
]);
const instrument = instruments.get('ETHBTC');
let touched = 0;
const sink: MarketSink = {
  book: (_instrument, _snapshot, time, sequence) => {
    touched += time + sequence;
  },
  trades: () => {},
  ticker: () => {},
  candles: () => {},
  contract: () => {},
  reply: () => {},
};

/** `count` distinct update frames with `levels` levels each. */
function frames(levels: number, count: number): Buffer[] {
  return Array.from({ length: count }, (_, n) => {
    const row = (i: number, up: number) => {
      const price = (60_000 + up * (i + 1 + (n % 7))) / 1e6;
      const size = i % 3 === 0 ? '0' : (((n * 37 + i * 11_117) % 90_000) / 1e4).toFixed(4);
      return `["${price.toFixed(6)}","${size}"]`;
    };
    const half = Math.ceil(levels / 2);
    const asks = Array.from({ length: half }, (_, i) => row(i, 1)).join(',');
    const bids = Array.from({ length: levels - half }, (_, i) => row(i, -1)).join(',');
    return Buffer.from(
      `{"ch":"orderbook/full","update":{"ETHBTC":{"t":${1_700_000_000_000 + n},"s":${812_000 + n},"a":[${asks}],"b":[${bids}]}}}`,
    );
  });
}

function parseWithTicks(bytes: Buffer, buffer: LevelBuffer): void {
  const frame = JSON.parse(bytes.toString()) as {
    update: Record<string, { t: number; s: number; a: string[][]; b: string[][] }>;
  };
  for (const symbol of Object.keys(frame.update)) {
    const payload = frame.update[symbol];
    if (payload === undefined) continue;
    buffer.beginMessage();
    for (const [side, rows] of [
      [1, payload.a],
      [0, payload.b],
    ] as const) {
      for (const [price = '', size = ''] of rows)
        buffer.push(side, instrument.readTicks(price), instrument.readLots(size));
    }
    sink.book(instrument, false, (payload.t * 1000) as never, payload.s);
  }
}

/** Nanoseconds per call, the median of seven samples. */
function measure(run: (bytes: Buffer) => void, list: readonly Buffer[]): number {
  const samples: number[] = [];
  for (let sample = 0; sample < 9; sample++) {
    const from = process.hrtime.bigint();
    let calls = 0;
    while (process.hrtime.bigint() - from < 120_000_000n) {
      for (const bytes of list) run(bytes);
      calls += list.length;
    }
    samples.push(Number(process.hrtime.bigint() - from) / calls);
  }
  return samples.slice(2).sort((a, b) => a - b)[3] ?? Number.NaN;
}

for (const levels of [2, 4, 20, 2000]) {
  const list = frames(levels, levels > 100 ? 20 : 500);
  const buffer = new LevelBuffer();
  const scan = measure((bytes) => void scanV3Public(bytes, instruments, buffer, sink), list);
  const parse = measure((bytes) => parseWithTicks(bytes, buffer), list);
  const strict = measure((bytes) => void decodeV3Public(bytes, instruments, buffer, sink), list);
  process.stdout.write(
    `${levels} levels: scanner ${scan.toFixed(0)} ns, JSON.parse and ticks ${parse.toFixed(0)} ns (${(parse / scan).toFixed(1)} times), strict path ${strict.toFixed(0)} ns\n`,
  );
}
if (touched === 0) throw new Error('the sink was told nothing');
