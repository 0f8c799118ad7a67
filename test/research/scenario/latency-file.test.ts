import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readLatencyFile } from '../../../src/research/scenario/latency-ways.ts';

const path = join(mkdtempSync(join(tmpdir(), 'latency-')), 'latencies.csv');

function read(text: string, kind: 'measured' | 'interpolated') {
  writeFileSync(path, text);
  return readLatencyFile(path, kind);
}

describe('a file of latencies', () => {
  test.skipIf(process.platform === 'win32')('is no device, which may never end', () => {
    expect(() => readLatencyFile('/dev/zero', 'measured')).toThrow(
      '/dev/zero: expected a file of latencies, found a device',
    );
  });

  test('has one latency a line, or a time and a latency', () => {
    expect(read('micros\n100\n250\n', 'measured').micros).toEqual([100, 250]);
    const times = [1_700_000_000_000_001, 1_700_000_000_000_005];
    expect(read(`time,micros\n${times[0]},100\n${times[1]},250\n`, 'interpolated')).toEqual({
      times,
      micros: [100, 250],
    });
  });

  test.each([
    ['a word', '100\nfast\n', 'measured', /:2: expected a latency in us of 60000000 at most, found "fast"/],
    ['a latency below 0', '-1\n', 'measured', /:1: expected a latency/],
    ['two numbers', '1,2\n', 'measured', /:1: expected a latency/],
    ['nanoseconds', '60000000\n60000001\n', 'measured', /:2: expected a latency in us of 60000000 at most/],
    [
      'times that go back',
      '1700000000000005,1\n1700000000000004,1\n',
      'interpolated',
      /:2: expected an ascending time/,
    ],
    ['times in seconds', '1700000000,1\n', 'interpolated', /:1: expected an ascending time in us since 1970/],
    [
      'times in nanoseconds',
      '1700000000000000000,1\n',
      'interpolated',
      /:1: expected an ascending time in us/,
    ],
    ['nothing', '\n', 'measured', /expected measured latencies, found none/],
  ] as const)('%s is one sentence with the line', (_what, text, kind, sentence) => {
    expect(() => read(text, kind)).toThrow(sentence);
  });
});
