import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runFileIn } from '../../../src/app/operate/run-file.ts';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import { Account } from '../../system/support/account.ts';
import { Cli, launcher } from '../../system/support/cli.ts';
import { until } from '../../system/support/until.ts';
import type { ExchangeLoad, OwnCounts } from './loaded-exchange.ts';

/** `loaded-exchange.ts` in a process of its own. */
export class LoadedExchange {
  readonly account: Account;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, account: Account) {
    this.#child = child;
    this.account = account;
  }

  static async start(load: ExchangeLoad): Promise<LoadedExchange> {
    const file = fileURLToPath(new URL('loaded-exchange.ts', import.meta.url));
    const child = fork(file, { execArgv: ['--no-warnings', '--conditions=godwit-source'] });
    child.send(load);
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`the exchange ended with ${String(code)}`);
    });
    ended.catch(() => {});
    const [said] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
    return new LoadedExchange(child, Account.of(JSON.stringify(said)));
  }

  /** What became of the orders of the account since this was asked last. */
  async counts(): Promise<OwnCounts> {
    const answer = once(this.#child, 'message');
    this.#child.send({});
    return ((await answer) as [OwnCounts])[0];
  }

  close(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}

interface DaemonParts {
  readonly account: Account;
  /** The run directory. */
  readonly directory: string;
  /** Sections of the configuration beside `venue` and `run`. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly command?: 'trade' | 'gateway';
  /** Variables beside the keys. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** `godwit trade` or `godwit gateway`, as a user starts it. */
export class DaemonProcess {
  readonly cli: Cli;
  readonly directory: string;

  constructor({ account, directory, config, command = 'trade', environment = {} }: DaemonParts) {
    this.directory = directory;
    const file = join(directory, '..', 'godwit.yaml');
    const venue = {
      base_url: account.rest,
      ws_url: account.ws,
      api_key: '${env:KEY}',
      secret_key: '${env:SECRET}',
    };
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ ...config, venue, run: { directory } }));
    const variables = { ...account.environment, ...environment };
    this.cli = new Cli([command, '--mode', 'sim', '--json', '--config', file], variables, launcher);
  }

  /** Waits until orders can leave. */
  async ready(): Promise<void> {
    let why = 'it does not answer';
    const isReady = async (): Promise<boolean> => {
      const place = runFileIn(this.directory);
      if (place === undefined) return false;
      const answer = await fetch(`${place.url}/ready`).catch(() => undefined);
      why = (await answer?.text()) ?? why;
      return answer?.status === 200;
    };
    await until('the daemon to be ready', isReady, seconds(180), millis(10)).catch((error: unknown) => {
      throw new Error(`it is not ready: ${why}; it said ${this.cli.err}`, { cause: error });
    });
  }

  /** Asks its interface: a path, or an act when there is a body. */
  async ask(path: string, body?: object): Promise<string> {
    const place = runFileIn(this.directory);
    if (place === undefined) throw new Error(`the daemon has ended: ${this.cli.err}`);
    const headers = { authorization: `Bearer ${place.token}`, 'content-type': 'application/json' };
    const form = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${place.url}${path}`, form);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return text;
  }

  /** The sum of all samples of a metric whose labels hold `labels`. */
  async metric(name: string, labels = ''): Promise<number> {
    const text = await this.ask('/metrics');
    return [...text.matchAll(new RegExp(`^${name}(?:\\{([^}]*)\\})? (\\S+)$`, 'gm'))]
      .filter(([, found = '']) => found.includes(labels))
      .reduce((sum, [, , value]) => sum + Number(value), 0);
  }
}
