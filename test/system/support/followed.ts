import { runOperated } from '../../../src/app/live/operated.ts';
import { NextRun } from '../../../src/app/live/next-run.ts';
import { watchRun } from '../../../src/app/live/watch-run.ts';
import { runFileIn } from '../../../src/app/operate/run-file.ts';
import type { RunFile } from '../../../src/app/operate/run-file.ts';
import type { Cancel, Clock, Micros } from '../../../src/core/base/clock.ts';
import { later, seconds } from '../../../src/core/base/clock.ts';
import { silentLogger } from '../../../src/core/base/logger.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { VirtualClock } from '../../../src/core/base/virtual-clock.ts';
import type { AskedAct } from '../../../src/operate/act-rows.ts';
import type { RunReport } from '../../../src/research/report/sections/run.ts';
import type { Stage } from './stage.ts';
import { until } from './until.ts';

/** Tells the time of the machine, and its timers are due when the test says so. */
class HandClock implements Clock {
  readonly #real = new SystemClock();
  readonly #timers = new VirtualClock(0 as Micros);

  now(): Micros {
    return this.#real.now();
  }

  uptime(): Micros {
    return this.#real.uptime();
  }

  after(delay: Micros, task: () => void): Cancel {
    return this.#timers.after(delay, task);
  }

  second(): void {
    this.#timers.advanceTo(later(this.#timers.now(), seconds(1)));
  }
}

/** A row of the status line as JSON. */
export interface StatusJson {
  readonly symbol: string;
  readonly position: string;
  readonly sessionPosition: string;
  readonly profit: number;
  readonly fills: number;
  readonly marginAccounts?: readonly Readonly<Record<string, unknown>>[];
}

/**
 * One session of a stage as its operator follows it: status lines, the interface over HTTP, and the report at its stop. A second of the
 * status line passes when the test asks for it.
 */
export class Followed {
  readonly #stage: Stage;
  readonly #clock: HandClock;
  readonly #json: string[];
  readonly #text: string[] = [];
  readonly #file: RunFile;
  readonly #kill: (error: Error) => void;
  readonly #unwatch: Cancel;
  readonly ended: Promise<number>;

  private constructor(parts: {
    readonly stage: Stage;
    readonly clock: HandClock;
    readonly json: string[];
    readonly file: RunFile;
    readonly kill: (error: Error) => void;
    readonly ended: Promise<number>;
  }) {
    this.#stage = parts.stage;
    this.#clock = parts.clock;
    this.#json = parts.json;
    this.#file = parts.file;
    this.#kill = parts.kill;
    this.ended = parts.ended;
    const { trader, at } = parts.stage.daemon;
    const output = { data: (line: string) => void this.#text.push(line), progress: () => {}, colour: false };
    const { clock, budgets } = { clock: parts.clock, budgets: parts.stage.live.budgets };
    this.#unwatch = watchRun({ trader, at, budgets, clock, output, json: false }).end;
  }

  /**
   * Follows the session that the stage runs, from now on: to be called as soon as it is started, before anything came from the venue.
   * `paced`: the clock of its operator, where seconds pass by themselves.
   */
  static async of(stage: Stage, paced?: Clock): Promise<Followed> {
    const clock = new HandClock();
    const json: string[] = [];
    const killed = Promise.withResolvers<never>();
    let isKilled = false;
    void killed.promise.catch(() => void (isKilled = true));
    const { daemon, live, config } = stage;
    const { directory } = config.run;
    const ended = runOperated({
      daemon: {
        ...daemon,
        broken: Promise.race([daemon.broken, killed.promise]),
        stop: (...ending) => (isKilled ? Promise.resolve([]) : daemon.stop(...ending)),
      },
      next: new NextRun(),
      parts: live,
      mode: 'sim',
      source: { config, read: () => config },
      budgets: live.budgets,
      clock: paced ?? clock,
      output: { data: (line) => void json.push(line), progress: () => {}, colour: false },
      json: true,
      forMs: undefined,
      explains: () => ({ explain: () => Promise.reject(new Error('nothing is explained here')) }),
      recordTo: undefined,
      sessionLog: silentLogger,
      identity: { run: daemon.run },
      directory,
    });
    void ended.catch(() => {});
    const file = await until('the operator', () => runFileIn(directory));
    return new Followed({ stage, clock, json, file, kill: killed.reject, ended });
  }

  /** Lets a second pass; the rows of its status line, as JSON and as text. */
  second(): { readonly json: readonly StatusJson[]; readonly text: readonly string[] } {
    this.#json.length = 0;
    this.#text.length = 0;
    this.#clock.second();
    return { json: this.#json.map((line) => JSON.parse(line) as StatusJson), text: [...this.#text] };
  }

  /** Address of the page of its operator, with the token. */
  get page(): string {
    return `${this.#file.url}/#token=${this.#file.token}`;
  }

  /** What a path of the operator's interface answers. */
  async ask(path: string, act?: Partial<AskedAct>): Promise<string> {
    const body = act === undefined ? {} : { method: 'POST', body: JSON.stringify({ who: 'test', ...act }) };
    const answer = await fetch(`${this.#file.url}${path}`, {
      ...body,
      headers: { authorization: `Bearer ${this.#file.token}`, 'content-type': 'application/json' },
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return text;
  }

  async act(act: Partial<AskedAct>): Promise<void> {
    await this.ask('/api/acts', act);
  }

  /** The process is gone at once, as far as venue, journal and run directory can tell. */
  async killed(): Promise<void> {
    this.#unwatch();
    await this.#stage.daemon.trader.close();
    this.#kill(new Error('killed by the test'));
    await this.ended.catch(() => {});
  }

  /** An operator stops it; the report that it prints. */
  async stopped(): Promise<RunReport> {
    this.#unwatch();
    await this.act({ act: 'stop', why: 'the test is over' });
    await this.ended;
    this.#stage.wasStopped();
    return JSON.parse(this.#json.at(-1) ?? '') as RunReport;
  }
}
