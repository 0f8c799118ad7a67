import { expect, test } from 'vitest';
import { clientOptions } from '../../src/venues/options.ts';

test('unknown client options are refused', () => {
  expect(() => clientOptions.parse({ rest: { timeout: 1 } })).toThrow(/timeout/);
});
