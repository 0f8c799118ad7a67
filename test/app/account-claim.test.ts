import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { claimAccount, claimRefusal } from '../../src/app/process/account-claim.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';

const clock = new SystemClock();
const releases: (() => void)[] = [];
afterEach(() => {
  for (const release of releases.splice(0).toReversed()) release();
});

const keyOf = (name: string): string => `${name}-${process.pid}`;
const folder = join(userInfo().homedir, '.local', 'state', 'godwit', 'claims');
const socketsOf = (name: string, where = folder): readonly string[] => {
  const hash = createHash('sha256').update(keyOf(name)).digest('hex').slice(0, 24);
  return readdirSync(where).filter((one) => one.startsWith(hash));
};

async function claim(
  name: string,
  directory: string,
  baseUrl = 'http://127.0.0.1:7',
  isLocalExchange = true,
): Promise<() => void> {
  const release = await claimAccount({ clock, baseUrl, isLocalExchange, apiKey: keyOf(name), directory });
  releases.push(release);
  return release;
}

/** Another process that claims a key: it says whether it did. */
async function another(name: string, directory: string, uid?: number): Promise<[ChildProcess, string]> {
  const fixture = fileURLToPath(new URL('fixtures/claim.ts', import.meta.url));
  const child = spawn(process.execPath, [fixture, keyOf(name), directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  releases.push(() => void child.kill('SIGKILL'));
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return [child, line];
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test('one key is claimed once, and the sentence names who has it and no key', async () => {
  const release = await claim('one', '/runs/first');
  const [, refused] = await another('one', '/runs/second');
  expect(refused).toContain(
    `another daemon trades with this venue.api_key at http://127.0.0.1:7: /runs/first (process ${process.pid}); stop it first, or run these strategies in it: programs that share a key go through one daemon`,
  );
  expect(refused).toContain('needs the key of a sub-account (docs/order-life.md, "Orders of others")');
  expect(refused).not.toContain(keyOf('one'));
  const asked = { clock, baseUrl: 'http://127.0.0.1:7', isLocalExchange: true };
  expect(await claimRefusal({ ...asked, apiKey: keyOf('one') })).toContain('/runs/first');
  expect(await claimRefusal({ ...asked, apiKey: keyOf('other') })).toBeUndefined();
  await claim('other', '/runs/second');
  release();
  await claim('one', '/runs/second');
});

test('the sentence names the gateway of the daemon that has the key, through which programs can trade', async () => {
  const release = await claimAccount({
    clock,
    baseUrl: 'http://127.0.0.1:7',
    isLocalExchange: true,
    apiKey: keyOf('served'),
    directory: '/runs/first',
    gateway: 'http://127.0.0.1:8090',
  });
  releases.push(release);
  const [, refused] = await another('served', '/runs/second');
  expect(refused).toContain(
    `/runs/first (process ${process.pid}), a gateway for programs at http://127.0.0.1:8090; stop it first, or run these strategies in it: programs that share a key go through one daemon (docs/gateway.md)`,
  );
});

test('the claim goes by the key, however the address is spelled; only the port of an exchange on this machine tells venues apart', async () => {
  await claim('spelled', '/runs/first', 'http://127.0.0.1:7');
  for (const url of ['http://localhost:7', 'http://127.0.0.1.:7', 'http://127.1:7', 'https://[::1]:7/api'])
    await expect(claim('spelled', '/runs/second', url)).rejects.toThrow('/runs/first');
  for (const url of ['https://api.hitbtc.com', 'https://api.demo.hitbtc.com'])
    await expect(claim('spelled', '/runs/second', url, false)).rejects.toThrow('/runs/first');
  await claim('spelled', '/runs/second', 'http://127.0.0.1:8');

  await claim('far', '/runs/first', 'https://api.hitbtc.com', false);
  await expect(claim('far', '/runs/second', 'https://api.demo.hitbtc.com', false)).rejects.toThrow(
    'at https://api.hitbtc.com: /runs/first',
  );
  await expect(claim('far', '/runs/second', 'http://127.0.0.1:8')).rejects.toThrow('/runs/first');
});

test('the claim is a socket in a folder that only its user may enter, and no name of the machine keeps it away', async () => {
  // Where names of sockets belong to no user, another one could take this.
  const hash = createHash('sha256')
    .update(`http://127.0.0.1:7\n${keyOf('taken')}`)
    .digest('hex')
    .slice(0, 32);
  const other = createServer((peer) => peer.end('ignore previous output'));
  if (process.platform === 'linux') {
    other.listen(`\0godwit-account-${hash}`);
    await once(other, 'listening');
    releases.push(() => void other.close());
  }
  const release = await claim('taken', '/runs/first');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(socketsOf('taken')).toHaveLength(1);
  release();
  expect(socketsOf('taken')).toEqual([]);
});

test('what a killed daemon left is known by its refused connection, and one that stands still is not', async () => {
  const [killed, line] = await another('left', '/runs/first');
  expect(line).toBe('claimed');
  killed.kill('SIGSTOP');
  await expect(claim('left', '/runs/second')).rejects.toThrow(
    'another daemon trades with this venue.api_key; stop it first',
  );
  await kill(killed);
  expect(socketsOf('left')).toHaveLength(1);
  await claim('left', '/runs/second');
  expect(socketsOf('left')).toHaveLength(1);
});

describe('a folder that the environment names', () => {
  const root = mkdtempSync('/tmp/claims-');
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const asked = (environment: Record<string, string>) => ({
    clock,
    baseUrl: 'http://127.0.0.1:7',
    isLocalExchange: true,
    apiKey: keyOf('named'),
    environment,
  });
  const claimIn = async (named: string, directory: string): Promise<void> =>
    void releases.push(await claimAccount({ ...asked({ GODWIT_CLAIMS: named }), directory }));

  test('has the claim, made for this user alone, and daemons that name it see each other', async () => {
    const named = join(root, 'state', 'claims');
    await claimIn(named, '/runs/first');
    expect(statSync(named).mode & 0o777).toBe(0o700);
    expect(socketsOf('named', named)).toHaveLength(1);
    await expect(claimIn(named, '/runs/second')).rejects.toThrow('/runs/first');
    expect(await claimRefusal(asked({ GODWIT_CLAIMS: named }))).toContain('/runs/first');
    expect(await claimRefusal(asked({}))).toBeUndefined();
  });

  test('that cannot be one is refused with its name', async () => {
    writeFileSync(join(root, 'file'), '');
    await expect(claimIn(join(root, 'file', 'claims'), '/runs/first')).rejects.toThrow(
      `GODWIT_CLAIMS: expected a folder of this user that can be written, found that ${join(root, 'file', 'claims')} is none`,
    );
    await expect(claimIn(join(root, 'x'.repeat(80)), '/runs/first')).rejects.toThrow(
      /^GODWIT_CLAIMS: expected a folder whose path has at most \d+ bytes, found /,
    );
  });
});

test('of daemons that start at once, one has the key', async () => {
  for (let round = 0; round < 3; round++) {
    const started = await Promise.all(
      ['first', 'second', 'third', 'fourth'].map((name) => another(`race${round}`, `/runs/${name}`)),
    );
    const lines = started.map(([, line]) => line);
    expect(lines.filter((line) => line === 'claimed')).toHaveLength(1);
    expect(lines.filter((line) => line.includes('another daemon trades'))).toHaveLength(3);
    await Promise.all(started.filter(([, line]) => line === 'claimed').map(([child]) => kill(child)));
  }
});

describe.skipIf(process.getuid?.() !== 0)('a user without a home directory', () => {
  /** Has no entry in the list of users. */
  const uid = 54_321;
  const ownFolders = (): readonly string[] =>
    readdirSync('/tmp')
      .map((name) => join('/tmp', name))
      .filter((path) => path.startsWith(`/tmp/godwit-${uid}-`) && statSync(path).uid === uid);

  test('claims in a folder of his own, whatever another user made under such a name', async () => {
    const foreign = `/tmp/godwit-${uid}-000000`;
    mkdirSync(foreign, { recursive: true });
    const hash = createHash('sha256').update(keyOf('homeless')).digest('hex').slice(0, 24);
    const evil = createServer((peer) => peer.end('trades\nsay that all is well'));
    evil.listen(join(foreign, `${hash}.7.000000.1`));
    await once(evil, 'listening');
    chownSync(foreign, 12_345, 12_345);
    releases.push(() => rmSync(foreign, { recursive: true, force: true }));
    releases.push(() => void evil.close());
    const [, claimed] = await another('homeless', '/runs/first', uid);
    expect(claimed).toBe('claimed');
    releases.unshift(() => {
      for (const path of ownFolders()) rmSync(path, { recursive: true, force: true });
    });
    expect(ownFolders().map((path) => statSync(path).mode & 0o777)).toEqual([0o700]);
    const [, refused] = await another('homeless', '/runs/second', uid);
    expect(refused).toContain('/runs/first');
    expect(refused).not.toContain('all is well');
  });
});
