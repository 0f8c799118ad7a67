import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { Secret } from '../../../src/core/base/secret.ts';

test('a secret shows itself only when it is asked for', () => {
  const secret = new Secret('correct horse battery');
  const shown = [
    String(secret),
    secret.toString(),
    JSON.stringify({ secret }),
    inspect(secret),
    inspect({ deep: { secret } }, { depth: 9, showHidden: true }),
    inspect(new Error('x', { cause: secret })),
    Object.entries(secret).join(),
  ].join('\n');
  expect(shown).not.toContain('horse');
  expect(secret.reveal()).toBe('correct horse battery');
});
