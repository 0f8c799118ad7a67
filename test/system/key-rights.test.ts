import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../src/core/base/random.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { ExchangeServer } from '../../src/exchange/server/server.ts';
import { Cli } from './support/cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'godwit-rights-'));
let exchange: ExchangeServer;

beforeAll(async () => {
  exchange = await ExchangeServer.start({ options: {}, clock: new SystemClock(), random: new Random(3) });
});
afterAll(async () => {
  await exchange.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(['trade', 'gateway'])(
  '%s starts with no key that may only read, and sends nothing',
  async (command) => {
    const key = exchange.accounts.get('demo').keys[1];
    const config = join(folder, `${command}.yaml`);
    const served = {
      trade: { strategies: [{ name: 'maker', path: 'strategies/market-maker' }] },
      gateway: {
        gateway: { keys: join(folder, 'keys.json') },
        programs: [{ name: 'grid', symbols: ['BTCUSDT'] }],
      },
    }[command];
    const venue = {
      base_url: exchange.restUrl,
      ws_url: exchange.wsUrl,
      api_key: '${env:KEY}',
      secret_key: '${env:SECRET}',
    };
    const directory = join(folder, command);
    writeFileSync(config, JSON.stringify({ venue, run: { directory }, ...served }));
    const cli = new Cli([command, '--mode', 'sim', '--config', config], {
      KEY: key?.apiKey ?? '',
      SECRET: key?.secret.reveal() ?? '',
    });
    const { code, err } = await cli.end();
    expect(err).toContain(
      'venue.api_key: expected a key with the rights to read and to trade, found one without R2 (trade)',
    );
    expect(code).toBe(78);
    expect(existsSync(join(directory, 'journal'))).toBe(false);
  },
);
