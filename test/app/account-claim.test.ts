import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { claimAccount, claimRefusal } from '../../src/app/process/account-claim.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';

const clock = new SystemClock();
const releases: (() => void)[] = [];
afterEach(() => {
  for (const release of releases.splice(0)) release();
});

async function claim(apiKey: string, directory: string, baseUrl = 'http://127.0.0.1:7'): Promise<() => void> {
  const release = await claimAccount({ clock, baseUrl, apiKey: `${apiKey}-${process.pid}`, directory });
  releases.push(release);
  return release;
}

test('one account is claimed once, and the sentence names who has it and no key', async () => {
  const release = await claim('one', '/runs/first');
  const refused = claim('one', '/runs/second');
  await expect(refused).rejects.toThrow(
    `another daemon trades with this venue.api_key at http://127.0.0.1:7: /runs/first (process ${process.pid}); stop it first`,
  );
  await expect(refused).rejects.not.toThrow(`one-${process.pid}`);
  const asked = { clock, baseUrl: 'http://127.0.0.1:7' };
  expect(await claimRefusal({ ...asked, apiKey: `one-${process.pid}` })).toContain('/runs/first');
  expect(await claimRefusal({ ...asked, apiKey: `other-${process.pid}` })).toBeUndefined();
  await claim('other', '/runs/second');
  await claim('one', '/runs/second', 'http://127.0.0.1:8');
  release();
  await claim('one', '/runs/second');
});

test.skipIf(process.platform !== 'linux')('a holder that says nothing is not waited for', async () => {
  const text = `http://127.0.0.1:7\nmute-${process.pid}`;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 32);
  const mute = createServer((peer) => releases.push(() => void peer.destroy()));
  mute.listen(`\0godwit-account-${hash}`);
  await once(mute, 'listening');
  releases.push(() => void mute.close());
  await expect(claim('mute', '/runs/second')).rejects.toThrow(
    'another daemon trades with this venue.api_key at http://127.0.0.1:7; stop it first',
  );
});
