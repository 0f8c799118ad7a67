import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { framed, isThrough, throughGateways } from './through.ts';

/** Addresses such as `http://127.0.0.1:4711` and `ws://127.0.0.1:4711`. */
export interface Place {
  readonly rest: string;
  readonly ws: string;
}

export interface Key {
  readonly apiKey: string;
  readonly secret: string;
  readonly rights: readonly string[];
  /** Where it is good; at the exchange itself when left out. */
  readonly at?: Place;
}

/** An exchange of its own process, as `godwit exchange` serves it. */
export interface RunningExchange {
  /** Such as `http://127.0.0.1:4711`. */
  readonly rest: string;
  /** Such as `ws://127.0.0.1:4711`. */
  readonly ws: string;
  /** The key of an account that has exactly these rights; all four when none are named. */
  key(account: string, rights?: string): Key;
  /** Its key with all four rights, at the exchange itself. */
  ownKey(account: string): Key;
  stop(): Promise<void>;
}

const launcher = fileURLToPath(new URL('../../../bin/godwit.js', import.meta.url));
const startMsMax = 20_000;

/** A market without orders but those of the conversation: every value is known in advance. */
export const still = { flow: { enabled: false } };

/** A market that lives: slowly, so that two readings of a book can meet between two changes, but with many trades. */
export const living = { flow: { eventsPerSecond: 6, takerShare: 0.3 } };

/**
 * Starts an exchange with these options (the section `exchange` of a configuration), and a gateway for each account where conversations go
 * through one. It ends with this process.
 */
export async function startExchange(options: object): Promise<RunningExchange> {
  if (!isThrough) return launchExchange(options);
  return throughGateways(await launchExchange(framed(options)), options);
}

/** Starts an exchange itself with these options, and more of the command line. */
export async function launchExchange(
  options: object,
  more: readonly string[] = [],
): Promise<RunningExchange> {
  const directory = mkdtempSync(join(tmpdir(), 'godwit-clients-'));
  const file = join(directory, 'exchange.yaml');
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ exchange: options }));
  const child = spawn(
    process.execPath,
    [launcher, 'exchange', '--port', '0', '--seed', '7', '--json', '--config', file, ...more],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const kill = (): void => void child.kill('SIGTERM');
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const line = await Promise.race([
    new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve)),
    ended.then(() => Promise.reject(new Error('the exchange ended before it was ready'))),
    late(startMsMax).then(() => Promise.reject(new Error('the exchange was not ready in time'))),
  ])
    .catch((error: unknown) => {
      kill();
      throw error;
    })
    // Read once, at the start.
    .finally(() => rmSync(directory, { recursive: true, force: true }));
  const { rest, ws, accounts } = JSON.parse(line) as Ready;
  const key = (account: string, rights = 'R1 R2 R3 R4'): Key => {
    const found = accounts.find((entry) => entry.account === account && entry.rights.join(' ') === rights);
    if (found === undefined) throw new Error(`no key of ${account} with ${rights}`);
    return { apiKey: found.api_key, secret: found.secret_key, rights: found.rights };
  };
  return {
    rest,
    ws,
    key,
    ownKey: (account) => key(account),
    async stop() {
      kill();
      const forced = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(forced);
      process.off('exit', kill);
    },
  };
}

interface Ready {
  readonly rest: string;
  readonly ws: string;
  readonly accounts: readonly {
    readonly api_key: string;
    readonly secret_key: string;
    readonly rights: readonly string[];
    readonly account: string;
  }[];
}

function late(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
