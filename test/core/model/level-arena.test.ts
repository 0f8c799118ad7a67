import { expect, test } from 'vitest';
import { LevelArena, levelStride } from '../../../src/core/model/level-arena.ts';

test('what was published stays as it was, whatever comes after', () => {
  const arena = new LevelArena();
  const kept: { levels: Float64Array; start: number; end: number; first: number }[] = [];
  for (let message = 0; message < 3_000; message++) {
    arena.begin();
    for (let level = 0; level < message % 40; level++) arena.push(1, message, level);
    kept.push({ levels: arena.chunk, start: arena.start, end: arena.end, first: message });
  }
  for (const { levels, start, end, first } of kept) {
    expect((end - start) / levelStride).toBe(first % 40);
    for (let at = start; at < end; at += levelStride) expect(levels[at + 1]).toBe(first);
  }
});

test('a message larger than a chunk fits, and one given up leaves no trace', () => {
  const arena = new LevelArena();
  arena.begin();
  for (let level = 0; level < 100_000; level++) arena.push(0, level, 1);
  expect((arena.end - arena.start) / levelStride).toBe(100_000);
  const before = arena.end;
  arena.begin();
  arena.push(0, 1, 1);
  arena.abandon();
  expect(arena.end).toBe(before);
});
