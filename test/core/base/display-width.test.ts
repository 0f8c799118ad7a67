import { expect, test } from 'vitest';
import {
  columnWidths,
  cutToWidth,
  displayWidth,
  padLeft,
  padRight,
} from '../../../src/core/base/display-width.ts';

test.each([
  ['BTCUSDT', 7],
  ['币安人生USDT', 12],
  ['한글', 4],
  ['ｱｶ', 2],
  ['ＡＢ', 4],
  ['😀USDT', 6],
  ['🇩🇪', 2],
  ['👨‍👩‍👧', 2],
  ['e\u0301', 1],
  ['ÆX', 2],
  ['𠮷野', 4],
  ['│░ 1 €', 6],
  ['\u001b[31m币\u001b[0m', 2],
  ['\u200b', 0],
])('%s takes %i columns', (text, width) => {
  expect(displayWidth(text)).toBe(width);
  expect(displayWidth(padLeft(text, 20))).toBe(20);
  expect(displayWidth(padRight(text, 20))).toBe(20);
  expect(padRight(text, 0)).toBe(text);
});

test('a text is cut before the character that no column is left for', () => {
  expect(cutToWidth('币安人生', 5)).toBe('币安');
  expect(cutToWidth('a👨‍👩‍👧b', 3)).toBe('a👨‍👩‍👧');
  expect(cutToWidth('abc', 2)).toBe('ab');
  expect(
    columnWidths([
      ['a', '币'],
      ['bcd', 'e', 'f'],
    ]),
  ).toEqual([3, 2, 1]);
});
