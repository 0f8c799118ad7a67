import { expect, test } from 'vitest';
import type { Micros } from '../../../../src/core/base/clock.ts';
import type { StrategyNoted } from '../../../../src/core/model/event.ts';
import { StrategyNotes } from '../../../../src/research/report/fold/run-details.ts';

function noted(second: number, level: StrategyNoted['level'], text = `word ${second}`): StrategyNoted {
  const time = (second * 1_000_000) as Micros;
  return { kind: 'strategyNoted', exchangeTime: time, receiveTime: time, strategy: 'twap', level, text };
}

test('keeps the first lines of strategies, counts the rest, and distinguishes warnings', () => {
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

test('reports a warning that repeats once, with how often it came', () => {
  const notes = new StrategyNotes();
  for (const second of [1, 2, 3]) notes.observe(noted(second, 'warn', 'refused'));
  notes.observe(noted(4, 'error', 'lost'));
  expect(notes.urgent).toEqual([
    '1970-01-01T00:00:01.000Z  strategy twap, warn: refused (3 times)',
    '1970-01-01T00:00:04.000Z  strategy twap, error: lost',
  ]);
  expect(notes.lines).toEqual(notes.urgent);
});
