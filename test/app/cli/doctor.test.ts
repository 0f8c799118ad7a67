import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { ExchangeServer } from '../../../src/exchange/server/server.ts';
import { run } from './support/run.ts';

interface Doctored {
  readonly ok: boolean;
  readonly checks: readonly { readonly check: string; readonly state: string; readonly text: string }[];
}

const folder = mkdtempSync(join(tmpdir(), 'godwit-doctor-'));
let exchange: ExchangeServer;

beforeAll(async () => {
  exchange = await ExchangeServer.start({ options: {}, clock: new SystemClock(), random: new Random(3) });
});
afterAll(async () => {
  await exchange.close();
  rmSync(folder, { recursive: true, force: true });
});

async function doctor(
  at: number,
  ...more: readonly string[]
): Promise<{ code: number; said: Doctored; out: string }> {
  const key = exchange.accounts.get('demo').keys[at];
  const secret = (name: string, text: string): string => {
    const path = join(folder, `${name}-${at}`);
    writeFileSync(path, text, { mode: 0o600 });
    return `\${file:${path}}`;
  };
  const config = join(folder, 'config.yaml');
  const venue = {
    base_url: exchange.restUrl,
    ws_url: exchange.wsUrl,
    api_key: secret('key', key?.apiKey ?? ''),
    secret_key: secret('secret', key?.secret.reveal() ?? ''),
  };
  const strategies = [{ name: 'maker', path: 'strategies/market-maker' }];
  writeFileSync(config, JSON.stringify({ venue, strategies, run: { directory: join(folder, 'run') } }));
  const { code, out, err } = await run(['doctor', '--config', config, '--json', ...more]);
  expect(err).toBe('');
  for (const word of [key?.apiKey ?? 'none', key?.secret.reveal() ?? 'none']) expect(out).not.toContain(word);
  return { code, said: JSON.parse(out) as Doctored, out };
}

const stateOf = ({ checks }: Doctored, name: string): string | undefined =>
  checks.find(({ check }) => check === name)?.state;

test('a key that may read and trade passes every check; one that may withdraw is named', async () => {
  const good = await doctor(2, '--mode', 'sim');
  expect(good.said.checks.map(({ check }) => check)).toEqual([
    'versions',
    'configuration',
    'disk',
    'run directory',
    'REST',
    'sockets',
    'sentinel',
    'venue switch',
    'clock',
    'key',
  ]);
  expect([good.code, stateOf(good.said, 'key'), stateOf(good.said, 'sockets')]).toEqual([0, 'ok', 'ok']);
  const rich = await doctor(0, '--mode', 'sim');
  expect(rich.said.checks.at(-1)).toEqual({
    check: 'key',
    state: 'warning',
    text: 'the key may withdraw: make one without that right, since a bot never needs it',
  });
  expect(rich.code).toBe(0);
  const live = await doctor(0, '--mode', 'live', '--set', 'account=main');
  expect([live.code, stateOf(live.said, 'configuration'), stateOf(live.said, 'key')]).toEqual([
    7,
    'ok',
    'failed',
  ]);
});

test('a key that may not trade, a directory of everyone and an address without an answer are found', async () => {
  const poor = await doctor(1, '--mode', 'sim');
  expect([poor.code, stateOf(poor.said, 'key')]).toEqual([7, 'failed']);
  mkdirSync(join(folder, 'run'));
  chmodSync(join(folder, 'run'), 0o777);
  expect(stateOf((await doctor(2)).said, 'run directory')).toBe('warning');
  const gone = await doctor(2, '--set', 'venue.base_url=http://127.0.0.1:9');
  expect([gone.code, gone.said.ok, stateOf(gone.said, 'REST')]).toEqual([7, false, 'failed']);
});

test('a configuration that trade refuses fails its check with the sentence of trade', async () => {
  const { code, said } = await doctor(2, '--mode', 'live');
  expect(code).toBe(7);
  expect(said.checks.find(({ check }) => check === 'configuration')).toEqual({
    check: 'configuration',
    state: 'failed',
    text: 'account: expected the name of the account for mode live, found nothing',
  });
});
