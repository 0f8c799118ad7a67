import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Key, RunningExchange } from './exchange.ts';
import { until } from './waiting.ts';

const launcher = fileURLToPath(new URL('../../../bin/godwit.js', import.meta.url));

/** A gateway of its own process, in front of an exchange. To a client it is an exchange with one account for each program. */
export interface RunningGateway extends RunningExchange {
  /** Ends the process without a warning, and starts another on the same directory and port. */
  killAndStart(): Promise<void>;
}

/**
 * Starts a gateway on an account of an exchange (`demo` when none is named), with these programs (the section `programs`) and more of the configuration. It
 * ends with this process.
 */
export async function startGateway(
  exchange: RunningExchange,
  programs: readonly { readonly name: string; readonly symbols: readonly string[] }[],
  more: object = {},
  account = 'demo',
): Promise<RunningGateway> {
  const directory = mkdtempSync(join(tmpdir(), 'godwit-gateway-'));
  const file = join(directory, 'gateway.yaml');
  const { apiKey, secret } = exchange.key(account);
  const env = { ...process.env, GATEWAY_KEY: apiKey, GATEWAY_SECRET: secret };
  let port = 0;
  const write = (): void =>
    writeFileSync(
      file,
      JSON.stringify({
        venue: {
          base_url: exchange.rest,
          ws_url: exchange.ws,
          api_key: '${env:GATEWAY_KEY}',
          secret_key: '${env:GATEWAY_SECRET}',
        },
        run: { directory: join(directory, 'run') },
        log: { level: 'warn' },
        // Two daemons and the clients share one address, and its limits: a page would ask for the candles of days.
        operate: { enabled: false },
        gateway: { keys: join(directory, 'keys.json'), port },
        programs,
        ...more,
      }),
    );
  write();
  const keys = new Map<string, Key>();
  for (const { name } of programs) {
    const made = spawnSync(process.execPath, [launcher, 'gateway', 'add', name, '--json', '--config', file], {
      env,
      encoding: 'utf8',
    });
    if (made.status !== 0) throw new Error(`no key of ${name}: ${made.stderr}`);
    const key = JSON.parse(made.stdout) as { api_key: string; secret_key: string };
    keys.set(name, { apiKey: key.api_key, secret: key.secret_key, rights: ['R1', 'R2'] });
  }
  let running = await launch(file, env);
  port = Number(new URL(running.rest).port);
  write();
  const kill = (): void => void running.child.kill('SIGKILL');
  process.once('exit', kill);
  const ready = async (): Promise<void> => {
    const { apiKey: user, secret: password } = [...keys.values()][0] ?? { apiKey: '', secret: '' };
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
    await until('the run of the gateway', async () => {
      const { status } = await fetch(`${running.rest}/api/3/spot/balance`, { headers: { authorization } });
      return status === 200 ? true : undefined;
    });
  };
  await ready();
  return {
    get rest() {
      return running.rest;
    },
    get ws() {
      return running.rest.replace('http', 'ws');
    },
    key(account) {
      const found = keys.get(account);
      if (found === undefined) throw new Error(`no key of the program ${account}`);
      return found;
    },
    ownKey: (name) => exchange.ownKey(name),
    async killAndStart() {
      running.child.kill('SIGKILL');
      await running.ended;
      running = await launch(file, env);
      await ready();
    },
    async stop() {
      running.child.kill('SIGTERM');
      const forced = setTimeout(kill, 12_000);
      await running.ended;
      clearTimeout(forced);
      process.off('exit', kill);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function launch(file: string, env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [launcher, 'gateway', '--mode', 'sim', '--config', file], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (part: Buffer) => (text += part.toString()));
  let isOver = false;
  const ended = new Promise<void>((resolve) =>
    child.once('exit', () => {
      isOver = true;
      resolve();
    }),
  );
  const rest = await until('the address of the gateway', () => {
    if (isOver) throw new Error(`the gateway ended: ${text}`);
    return /at (http:\/\/[^/\s]+)\/api\/3/.exec(text)?.[1];
  });
  return { child, ended, rest };
}
