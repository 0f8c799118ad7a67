import { describe, expect, test } from 'vitest';
import { Random } from '../../../../../src/core/base/random.ts';
import { Instruments } from '../../../../../src/core/model/instrument.ts';
import { LevelBuffer } from '../../../../../src/core/model/level-buffer.ts';
import { decodeV3Public } from '../../../../../src/venues/hitbtc/wire/v3/public-frames.ts';
import { readV3Public, scanV3Public } from '../../../../../src/venues/hitbtc/wire/v3/scan-frames.ts';
import { abcInstruments } from '../arbitrary.ts';
import { NotingSink } from '../noting-sink.ts';
import { framesOf, instrumentsOf, recorded } from '../recordings.ts';

const buffer = new LevelBuffer();
const sink = new NotingSink(buffer);

const samples = [
  '{"ch":"orderbook/full","update":{"AAABBB":{"t":1700000000300,"s":813,"a":[["10.02","0"],["10.03","4.00"]],"b":[["9.99","120.30"]]}}}',
  '{"ch":"orderbook/full","snapshot":{"AAABBB":{"t":1700000000200,"s":812,"a":[["10.02","1.50"]],"b":[["10.01","0.30"],["0.01","1"]]}}}',
  '{"ch":"orderbook/full","update":{"CCCDDD":{"t":0,"s":0,"a":[],"b":[["0.05","5000"]]}}}',
  '{"ch":"trades","update":{"AAABBB":[{"t":1700000000123,"i":4511,"p":"10.02","q":"1.50","s":"sell"},{"t":1700000000123,"i":4512,"p":"10.02","q":"0.01","s":"buy"}]}}',
  '{"ch":"trades","snapshot":{"CCCDDD":[{"t":1700000000123,"i":9,"p":"1.05","q":"10","s":"buy"}]}}',
  '{"ch":"ticker/1s","data":{"AAABBB":{"t":1700000000123,"a":"10.02","A":"1.50","b":"10.01","B":"0.30","o":"9.90","c":"10.02","h":"10.40","l":"9.80","v":"1204.50","q":"12051.1200","p":"-0.12","P":"1.212121212121212","L":4511}}}',
  '{"ch":"ticker/3s","data":{"CCCDDD":{"t":1700000000123,"a":"1.05","A":"20","b":"1.00","B":"0","o":"1","c":"1.05","h":"1.10","l":"0.95","v":"0","q":"0","p":"0","P":"0","L":0}}}',
];

describe('the scanner', () => {
  test.each(samples)('reads %s as the strict path does', (text) => {
    const bytes = Buffer.from(text);
    expect(scanV3Public(bytes, abcInstruments, buffer, sink)).toBe(true);
    const scanned = sink.take();
    expect(decodeV3Public(bytes, abcInstruments, buffer, sink)).toEqual({ ok: true });
    expect(scanned).toEqual(sink.take());
    expect(scanned).toHaveLength(1);
  });

  test.each([
    ['an unknown symbol', '{"ch":"orderbook/full","update":{"XXXYYY":{"t":1,"s":1,"a":[],"b":[]}}}'],
    [
      'two symbols',
      '{"ch":"orderbook/full","update":{"AAABBB":{"t":1,"s":1,"a":[],"b":[]},"CCCDDD":{"t":1,"s":1,"a":[],"b":[]}}}',
    ],
    ['bids before asks', '{"ch":"orderbook/full","update":{"AAABBB":{"t":1,"s":1,"b":[],"a":[]}}}'],
    ['whitespace', '{"ch":"orderbook/full","update":{"AAABBB":{"t":1, "s":1,"a":[],"b":[]}}}'],
    ['a leading zero', '{"ch":"orderbook/full","update":{"AAABBB":{"t":1,"s":01,"a":[],"b":[]}}}'],
    ['an exponent', '{"ch":"orderbook/full","update":{"AAABBB":{"t":1,"s":1e3,"a":[],"b":[]}}}'],
    ['an empty number', '{"ch":"orderbook/full","update":{"AAABBB":{"t":,"s":1,"a":[],"b":[]}}}'],
    ['an empty price', '{"ch":"orderbook/full","update":{"AAABBB":{"t":1,"s":1,"a":[["","1"]],"b":[]}}}'],
    [
      'a price off the grid',
      '{"ch":"orderbook/full","update":{"AAABBB":{"t":1,"s":1,"a":[["1.001","1"]],"b":[]}}}',
    ],
    [
      'a tick of 0.05 missed',
      '{"ch":"orderbook/full","update":{"CCCDDD":{"t":1,"s":1,"a":[["1.01","10"]],"b":[]}}}',
    ],
    [
      'a price of zero',
      '{"ch":"orderbook/full","update":{"AAABBB":{"t":1,"s":1,"a":[["0.00","1"]],"b":[]}}}',
    ],
    [
      'a price above 2^53',
      '{"ch":"orderbook/full","update":{"AAABBB":{"t":1,"s":1,"a":[["90071992547409.93","1"]],"b":[]}}}',
    ],
    ['a member twice', '{"ch":"orderbook/full","update":{"AAABBB":{"t":1,"s":1,"a":[],"b":[],"b":[]}}}'],
    ['a text that goes on', '{"ch":"orderbook/full","update":{"AAABBB":{"t":1,"s":1,"a":[],"b":[]}}}}'],
    ['a text cut short', '{"ch":"orderbook/full","update":{"AAABBB":{"t":1,"s":1,"a":[],"b":[]}}'],
    [
      'a time beyond the year 2255',
      '{"ch":"orderbook/full","update":{"AAABBB":{"t":9007199254741,"s":1,"a":[],"b":[]}}}',
    ],
  ])('leaves %s to the strict path and tells the sink nothing', (_what, text) => {
    expect(scanV3Public(Buffer.from(text), abcInstruments, buffer, sink)).toBe(false);
    expect(sink.take()).toEqual([]);
  });

  test('finds each of two thousand symbols by its bytes', () => {
    const spec = abcInstruments.get('AAABBB').spec;
    const many = new Instruments(
      Array.from({ length: 2_000 }, (_, n) => ({
        ...spec,
        symbol: `S${(n * 7919).toString(36).toUpperCase()}USDT`,
      })),
    );
    for (const instrument of many.all) {
      const text = `{"ch":"orderbook/full","update":{"${instrument.symbol}":{"t":1,"s":1,"a":[],"b":[]}}}`;
      expect(scanV3Public(Buffer.from(text), many, buffer, sink)).toBe(true);
      expect(sink.take()[0]?.[1]).toBe(instrument.symbol);
    }
  });
});

test('accepts no mutation that the strict path reads differently', () => {
  const seed = `scan-${process.env['FUZZ_SEED'] ?? '1'}`;
  process.stderr.write(`scanner mutations: seed ${seed}\n`);
  const random = new Random(seed);
  const frames = samples.map((text) => Buffer.from(text));
  if (recorded) {
    const instruments = instrumentsOf('fmfw-v3-20211009.symbols.txt.gz', 3);
    mutate(
      framesOf('fmfw-v3-20211009.partA.txt.gz').filter((frame) => frame.length < 600),
      instruments,
      random,
      60_000,
    );
  }
  const accepted = mutate(frames, abcInstruments, random, 100_000);
  expect(accepted).toBeGreaterThan(1_000);
});

/** Mutates `count` frames by one character each; returns how many the scanner accepted. */
function mutate(frames: readonly Buffer[], instruments: Instruments, random: Random, count: number): number {
  const alphabet = Buffer.from('0123456789.,:"[]{}-+eE\\ abstAB\n\u0000/u');
  let accepted = 0;
  for (let n = 0; n < count; n++) {
    const frame = random.pick(frames);
    const at = random.between(0, frame.length - 1);
    const letter = random.chance(0.9)
      ? alphabet[random.between(0, alphabet.length - 1)]
      : random.between(0, 255);
    const middle = Buffer.from([letter ?? 0]);
    const how = random.between(0, 2);
    const head = frame.subarray(0, at);
    const bytes =
      how === 0
        ? Buffer.concat([head, middle, frame.subarray(at + 1)])
        : how === 1
          ? Buffer.concat([head, middle, frame.subarray(at)])
          : Buffer.concat([head, frame.subarray(at + 1)]);
    if (!scanV3Public(bytes, instruments, buffer, sink)) {
      if (sink.notes.length > 0) throw new Error(`refused but told: ${bytes.toString()}`);
      continue;
    }
    accepted += 1;
    const scanned = JSON.stringify(sink.take(), plain);
    const result = decodeV3Public(bytes, instruments, buffer, sink);
    const strict = JSON.stringify(sink.take(), plain);
    if (!result.ok || scanned !== strict) throw new Error(`read differently: ${bytes.toString()}`);
  }
  return accepted;
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

test.skipIf(!recorded)('agrees with the strict path on every recorded frame, and reads nearly all', () => {
  const instruments = instrumentsOf('fmfw-v3-20211009.symbols.txt.gz', 3);
  const frames = framesOf('fmfw-v3-20211009.partA.txt.gz');
  let scanned = 0;
  for (const bytes of frames) {
    const fast = scanV3Public(bytes, instruments, buffer, sink);
    const received = sink.take();
    expect(decodeV3Public(bytes, instruments, buffer, sink)).toEqual({ ok: true });
    const truth = sink.take();
    if (fast) expect(received).toEqual(truth);
    else expect(received).toEqual([]);
    scanned += Number(fast);
    expect(readV3Public(bytes, instruments, buffer, sink)).toEqual({ ok: true });
    expect(sink.take()).toEqual(truth);
  }
  expect(frames).toHaveLength(668);
  // All but four subscription answers, four candles, and a snapshot with an ask at 9999999999999.000.
  expect(scanned).toBe(659);
});
