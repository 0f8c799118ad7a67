import { expect, test } from 'vitest';
import { LevelBuffer, levelStride } from '../../../src/core/model/level-buffer.ts';

test('what was published stays as it was, whatever comes after', () => {
  const buffer = new LevelBuffer();
  const kept: { levels: Float64Array; start: number; end: number; first: number }[] = [];
  for (let message = 0; message < 3_000; message++) {
    buffer.beginMessage();
    for (let level = 0; level < message % 40; level++) buffer.push(1, message, level);
    kept.push({ levels: buffer.chunk, start: buffer.start, end: buffer.end, first: message });
  }
  for (const { levels, start, end, first } of kept) {
    expect((end - start) / levelStride).toBe(first % 40);
    for (let at = start; at < end; at += levelStride) expect(levels[at + 1]).toBe(first);
  }
});

test('a message larger than a chunk fits, and one given up leaves no trace', () => {
  const buffer = new LevelBuffer();
  buffer.beginMessage();
  for (let level = 0; level < 100_000; level++) buffer.push(0, level, 1);
  expect((buffer.end - buffer.start) / levelStride).toBe(100_000);
  const before = buffer.end;
  buffer.beginMessage();
  buffer.push(0, 1, 1);
  buffer.abandon();
  expect(buffer.end).toBe(before);
});
