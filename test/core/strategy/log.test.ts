import { expect, test } from 'vitest';
import { parseAmount } from '../../../src/core/base/amount.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import { NoteLog } from '../../../src/core/strategy/log.ts';

test('amounts among the fields of a note are decimals, wherever they stand', () => {
  const notes: string[] = [];
  const log = new NoteLog({ noteText: (_level, text) => notes.push(text) }, () => seconds(1));
  const [paid, gained] = [parseAmount('-0.000123'), parseAmount('1250')];
  log.info('funding', { paid, at: 12 });
  log.warn('position', { margin: { gained, rows: [paid] }, none: undefined });
  expect(notes).toEqual([
    'funding paid=-0.000123 at=12',
    'position margin={"gained":"1250","rows":["-0.000123"]} none=undefined',
  ]);
});
