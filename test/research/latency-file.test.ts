import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readLatencyFile } from '../../src/research/latency-file.ts';

const path = join(mkdtempSync(join(tmpdir(), 'latency-')), 'latencies.csv');

function read(text: string, kind: 'measured' | 'interpolated') {
  writeFileSync(path, text);
  return readLatencyFile(path, kind);
}

describe('a file of latencies', () => {
  test('has one latency a line, or a time and a latency', () => {
    expect(read('micros\n100\n250\n', 'measured').micros).toEqual([100, 250]);
    expect(read('time,micros\n1,100\n5,250\n', 'interpolated')).toEqual({
      times: [1, 5],
      micros: [100, 250],
    });
  });

  test.each([
    ['a word', '100\nfast\n', 'measured', /:2: expected a latency in us, found "fast"/],
    ['a latency below 0', '-1\n', 'measured', /:1: expected a latency/],
    ['two numbers', '1,2\n', 'measured', /:1: expected a latency/],
    ['times that go back', '5,1\n4,1\n', 'interpolated', /:2: expected an ascending time/],
    ['nothing', '\n', 'measured', /expected measured latencies, found none/],
  ] as const)('%s is one sentence with the line', (_what, text, kind, sentence) => {
    expect(() => read(text, kind)).toThrow(sentence);
  });
});
