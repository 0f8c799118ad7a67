import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { seconds } from '../../../src/core/base/clock.ts';
import type { StartExchange, TroubleName } from '../../../src/exchange/index.ts';
import { Account } from '../support/account.ts';
import { shortLived } from '../support/cli.ts';
import { until } from '../support/until.ts';
import type { ExchangeRequest } from './exchange-process.ts';

const program = fileURLToPath(new URL('exchange-process.ts', import.meta.url));

/** The embedded exchange in a process of its own, with a market of ours and its switches of faults at hand. Kill it in a `finally`. */
export class Venue {
  readonly account: Account;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<void>>();
  #asked = 0;

  private constructor(child: ChildProcess, account: Account) {
    this.#child = child;
    this.account = account;
    child.on('message', ({ number, error }: { readonly number: number; readonly error?: string }) => {
      const waits = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (error === undefined) waits?.resolve();
      else waits?.reject(new Error(error));
    });
    child.on('exit', () => {
      for (const waits of this.#waiting.values()) waits.reject(new Error('the exchange has ended'));
    });
  }

  static async start(options: StartExchange): Promise<Venue> {
    const child = fork(program, [JSON.stringify(options)], {
      execArgv: [...shortLived],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    let out = '';
    child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
    const line = await until('the exchange', () => /^(.+)\n/.exec(out)?.[1], seconds(40));
    return new Venue(child, Account.of(line));
  }

  /** Calls a switch of `Faults` by its name, or an act of the market; resolves once it is done. */
  async act(call: string, ...args: readonly (string | number)[]): Promise<void> {
    this.#asked += 1;
    const waits = Promise.withResolvers<void>();
    this.#waiting.set(this.#asked, waits);
    this.#child.send({ number: this.#asked, call, args } satisfies ExchangeRequest);
    return waits.promise;
  }

  /** Begins a trouble of the product's table, as hard as it comes where nothing else is said. */
  begin(name: TroubleName, times = 0, ms = 0, symbol = ''): Promise<void> {
    return this.act('begin', name, times, ms, symbol);
  }

  /** Ends a trouble that was begun. */
  end(name: TroubleName): Promise<void> {
    return this.act('end', name);
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
