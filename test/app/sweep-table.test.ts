import { expect, test } from 'vitest';
import type { SweepResult } from '../../src/app/sweep/result.ts';
import { renderSweep } from '../../src/app/sweep/table.ts';
import type { Space } from '../../src/research/search/space.ts';

const space = { dimensions: [{ name: 'away' }] } as unknown as Space;

function result(objective: string, sharpeStep: number): SweepResult {
  const figures = { profit: 3, sharpe: 3_260.41, sharpeStep, drawdown: 1, fills: 12 };
  return {
    name: 'one',
    warning: '',
    doubts: [],
    identity: {},
    sections: [],
    objective,
    search: {},
    store: 'x.ndjson',
    trials: { tried: 1, stored: 0, failed: 0, withoutValue: 0 },
    split: undefined,
    best: [{ trial: 0, share: 1, point: { away: 2 }, value: 3, figures, digest: '00' }],
    failures: [],
    heatMaps: [],
    notes: [],
  };
}

test('a Sharpe ratio of less than days is left out of the table, which says why', () => {
  const text = renderSweep(result('profit', 1), space, false);
  expect(text).not.toContain('3260.41');
  expect(text).toContain('note: sharpe is left out: it comes of changes of a second, scaled to a year');
});

test('as the objective it stays, with a word on what it is', () => {
  const text = renderSweep(result('sharpe', 60), space, false);
  expect(text).toContain(
    'note: sharpe comes of changes of a minute, scaled to a year, because the data is short',
  );
});

test('one of days is shown', () => {
  const text = renderSweep(result('profit', 86_400), space, false);
  expect(text).toContain('3260.41');
  expect(text).not.toContain('note: sharpe');
});

test('a map in which nothing has a value is not drawn', () => {
  const heatMaps = [{ x: 'a', y: 'b', columns: ['1'], rows: ['2'], cells: [[null]] }];
  const text = renderSweep({ ...result('profit', 1), heatMaps }, space, false);
  expect(text).not.toContain('Infinity');
  expect(text).not.toContain('by b (down)');
});
