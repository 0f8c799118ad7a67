import { expect, test } from 'vitest';
import type { Micros } from '../../src/base/clock.ts';
import type { StrategyNoted } from '../../src/model/event.ts';
import { StrategyNotes } from '../../src/report/strategy-notes.ts';

function noted(second: number, level: StrategyNoted['level']): StrategyNoted {
  const time = (second * 1_000_000) as Micros;
  const text = `word ${second}`;
  return { kind: 'strategyNoted', exchangeTime: time, receiveTime: time, strategy: 'twap', level, text };
}

test('keeps the first lines of strategies, counts the rest, and tells warnings apart', () => {
  const notes = new StrategyNotes();
  expect(notes.lines).toEqual([]);
  for (let i = 0; i < 60; i++) notes.observe(noted(i, i % 5 === 0 ? 'warn' : 'info'));
  expect(notes.lines).toHaveLength(51);
  expect(notes.lines[1]).toBe('1970-01-01T00:00:01.000Z  strategy twap, info: word 1');
  expect(notes.lines.at(-1)).toBe('and 10 more lines of strategies');
  expect(notes.urgent).toHaveLength(11);
  expect(notes.urgent.slice(-2)).toEqual([
    '1970-01-01T00:00:45.000Z  strategy twap, warn: word 45',
    'and 2 more lines of strategies',
  ]);
});
