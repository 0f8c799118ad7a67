import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { namedStrategy } from '../../src/app/run/strategy-path.ts';

const home = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

test('a shipped strategy is found by its name, any other by its path', () => {
  expect(namedStrategy('market-maker', home)).toBe(`${home}/strategies/market-maker`);
  expect(namedStrategy('elsewhere/mine.ts', home)).toBe('elsewhere/mine.ts');
});

test('a name that nothing has is refused with the nearest, or with all', () => {
  expect(() => namedStrategy('markt-maker', home)).toThrow(
    'there is no strategy "markt-maker", did you mean market-maker?',
  );
  expect(() => namedStrategy('scalper', home)).toThrow(
    /no strategy "scalper", shipped are bracket, carry, grid, .*twap$/,
  );
});
