import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Micros } from '../../../src/core/base/clock.ts';
import { millis, seconds } from '../../../src/core/base/clock.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { hasJournal, lastRunIn, readJournal } from '../../../src/core/journal/index.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { StartExchange } from '../../../src/exchange/index.ts';
import { Cli, godwit } from '../support/cli.ts';
import { Observer } from '../support/observer.ts';
import type { Findings, VenueTruth } from '../support/observer.ts';
import { strategyOf } from '../support/stage.ts';
import { until } from '../support/until.ts';
import { TcpProxy } from './tcp-proxy.ts';
import { Venue } from './venue.ts';

const clock = new SystemClock();

export interface WorldSetup {
  readonly seed: number;
  readonly exchange?: StartExchange;
  /** Kinds of orders of the restless strategy. */
  readonly kinds?: string;
  /** Sections of the configuration beside those of every world. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Host that the daemon finds the proxies by. */
  readonly host?: string;
  /** A module that the daemon's process loads first. */
  readonly preload?: string;
}

/** Books of the daemon after a scenario, and how they became so. */
export interface Settled {
  readonly findings: Findings;
  /** From the end of the fault until orders, executions, balances and positions were those of the exchange. */
  readonly convergeMs: number;
  /** From then until an order left again, without an operator. */
  readonly resumedMs: number;
}

/** Waits at most so long for equal books and for trading to go on: what is not so by then is a finding. */
const settleMax = seconds(100);

/**
 * The exchange, the daemon and a proxy between them for REST and one for the sockets, each in a process of its own but the proxies, which
 * are here. Close it in a `finally`.
 */
export class World {
  readonly venue: Venue;
  readonly rest: TcpProxy;
  readonly sockets: TcpProxy;
  readonly observer: Observer;
  readonly directory: string;
  /** While this file exists the module `resolver.ts` resolves no name. */
  readonly noNames: string;
  readonly daemon: Cli;
  readonly #folder: string;
  readonly #settings: readonly string[];

  private constructor(parts: {
    readonly venue: Venue;
    readonly rest: TcpProxy;
    readonly sockets: TcpProxy;
    readonly folder: string;
    readonly setup: WorldSetup;
  }) {
    const { venue, rest, sockets, folder, setup } = parts;
    this.venue = venue;
    this.rest = rest;
    this.sockets = sockets;
    this.#folder = folder;
    this.directory = join(folder, 'run');
    this.observer = new Observer((path) => venue.account.ask(path), this.directory);
    const config = join(folder, 'config.yaml');
    this.noNames = `${config}.no-names`;
    const { host = '127.0.0.1', preload } = setup;
    writeFileSync(config, JSON.stringify(configuration(setup)));
    this.#settings = [
      '--config',
      config,
      ...venue.account.settings(this.directory, {
        'venue.base_url': `http://${host}:${rest.port}`,
        'venue.ws_url': `ws://${host}:${sockets.port}`,
      }),
    ];
    const { environment } = venue.account;
    const args = ['trade', '--mode', 'sim', '--json', ...this.#settings];
    const node = preload === undefined ? [] : ['--import', preload];
    this.daemon = new Cli(args, environment, undefined, undefined, node);
  }

  /** Open once orders of the daemon are executed. */
  static async open(setup: WorldSetup): Promise<World> {
    const venue = await Venue.start({ seed: setup.seed, publish: { balanceBatchMs: 50 }, ...setup.exchange });
    const rest = await TcpProxy.start(venue.account.rest);
    const sockets = await TcpProxy.start(venue.account.ws);
    const folder = mkdtempSync(join(tmpdir(), 'godwit-chaos-'));
    const world = new World({ venue, rest, sockets, folder, setup });
    try {
      await venue.act('stir');
      await until(
        `the first orders; the daemon says ${world.daemon.err}`,
        () => world.ordersSent() > 5,
        settleMax,
        millis(50),
      );
      return world;
    } catch (error) {
      await world.close();
      throw new Error(`the daemon did not trade: ${world.daemon.err.slice(-500)}`, { cause: error });
    }
  }

  /** New orders, lists and replacements that left since then. */
  ordersSent(sinceMs = 0): number {
    return this.sockets.sent.filter(({ text, atMs }) => atMs >= sinceMs && raises(text)).length;
  }

  /** Records of the run since then, by wall time. */
  events(sinceMs: number): readonly Event[] {
    if (!hasJournal(this.directory)) return [];
    const place = lastRunIn(this.directory);
    return [...readJournal(this.directory, { from: place, anyGrid: true })]
      .map(({ event }) => event)
      .filter(({ receiveTime }) => receiveTime >= sinceMs * 1_000);
  }

  /** The first record of a kind since then; its wall time in ms. */
  async record(kind: Event['kind'], sinceMs: number, limit: Micros = seconds(30)): Promise<number> {
    const found = await until(
      `a record ${kind}`,
      () => this.events(sinceMs).find((event) => event.kind === kind),
      limit,
      millis(100),
    );
    return found.receiveTime / 1_000;
  }

  /** What the operator's interface answers. */
  async ask(path: string, act?: object): Promise<unknown> {
    const { url, token } = JSON.parse(readFileSync(join(this.directory, 'operate.json'), 'utf8')) as Record<
      'url' | 'token',
      string
    >;
    const answer = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(act !== undefined && {
        method: 'POST',
        body: JSON.stringify({ who: 'test', why: 'chaos', ...act }),
      }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  async act(act: string, more: object = {}): Promise<void> {
    await this.ask('/api/acts', { act, ...more });
  }

  async rows<Row>(name: string): Promise<readonly Row[]> {
    return (await this.ask(`/api/${name}`)) as readonly Row[];
  }

  /** Which book is as it should be, by what the daemon shows. */
  async isLive(symbol = 'ETHUSDT'): Promise<boolean> {
    const feeds = await this.rows<{ readonly symbol: string; readonly status: string }>('feeds');
    return feeds.some((feed) => feed.symbol === symbol && feed.status === 'live');
  }

  /** Until a book is live again; how long that took, in ms. */
  async liveAgain(sinceMs: number, symbol = 'ETHUSDT', limit = seconds(60)): Promise<number> {
    await until(`a live book of ${symbol}`, () => this.isLive(symbol), limit, millis(20));
    return Date.now() - sinceMs;
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => void clock.after(millis(ms), resolve));
  }

  /** Faults end, nobody trades; the books of the daemon come to be those of the exchange; then trading goes on. */
  async settle(): Promise<Settled> {
    this.rest.pass();
    this.sockets.pass();
    await this.venue.act('clear');
    await this.venue.act('calm');
    await this.act('pause');
    const begun = Date.now();
    let findings: Findings | undefined;
    const agrees = async (): Promise<boolean> => {
      const truth = await this.observer.truth();
      const found = this.observer.compare(truth);
      findings = found && { ...found, differences: [...found.differences, ...(await this.#shown(truth))] };
      return findings?.differences.length === 0;
    };
    await until('equal books', agrees, settleMax, millis(250)).catch(() => {});
    const convergeMs = Date.now() - begun;
    if (findings === undefined) throw new Error('there is no journal to compare');
    await this.act('resume');
    await this.venue.act('stir');
    const resumed = Date.now();
    await until('an order', () => this.ordersSent(resumed) > 0, settleMax, millis(20)).catch(
      (error: unknown) => {
        throw new Error(`trading did not go on: ${this.daemon.err.slice(-600)}`, { cause: error });
      },
    );
    return { findings, convergeMs, resumedMs: Date.now() - resumed };
  }

  /** Differences between what the daemon shows its operator and the exchange. */
  async #shown({ orders }: VenueTruth): Promise<readonly string[]> {
    const live = orders.filter(({ isLive }) => isLive).map(({ clientOrderId }) => clientOrderId);
    const shown = await this.rows<{ readonly clientOrderId: string }>('orders');
    const fills = await this.rows<object>('fills');
    const differences: string[] = [];
    const text = (ids: readonly string[]): string => ids.toSorted().join(' ');
    if (text(shown.map(({ clientOrderId }) => clientOrderId)) !== text(live))
      differences.push(`orders are shown as ${text(shown.map(({ clientOrderId }) => clientOrderId))}`);
    if (fills.length !== Math.min(1_000, this.observer.tradesSeen))
      differences.push(`${fills.length} fills are shown, and there are ${this.observer.tradesSeen}`);
    return differences;
  }

  /** Ends the daemon in good order: differences that its audit, its report and the exchange have. */
  async end(): Promise<readonly string[]> {
    this.rest.pass();
    this.sockets.pass();
    await this.venue.act('calm');
    this.daemon.kill('SIGTERM');
    const said = await this.daemon.end();
    const differences: string[] = [];
    if (said.code !== 143) differences.push(`the daemon ended with ${said.code}: ${said.err.slice(-300)}`);
    const found = await this.observer.look();
    differences.push(...(found?.differences ?? ['there is no journal']));
    const report = JSON.parse(said.out.trim().split('\n').at(-1) ?? '{}') as {
      readonly instruments?: readonly { readonly fills: number }[];
    };
    const fills = (report.instruments ?? []).reduce((sum, one) => sum + one.fills, 0);
    if (fills !== this.observer.tradesSeen)
      differences.push(`the summary has ${fills} fills, and the exchange ${this.observer.tradesSeen}`);
    const audit = await godwit(['audit', '--json', ...this.#settings], this.venue.account.environment);
    if (audit.code !== 0)
      differences.push(
        ...((JSON.parse(audit.out) as { differences: string[] }).differences ?? [audit.err]).slice(0, 5),
      );
    return differences;
  }

  async close(): Promise<void> {
    this.daemon.kill();
    await Promise.all([this.rest.close(), this.sockets.close(), this.venue.close()]);
    await this.daemon.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Whether a frame may make the exposure larger. */
export function raises(text: string): boolean {
  return /"method":"\w+_(?:new_order|new_order_list|replace_order)"/.test(text);
}

function configuration({ seed, kinds = 'spot,list,margin,futures', config }: WorldSetup): object {
  return {
    run: { seed },
    log: { level: 'silent' },
    strategies: [
      // In the host that is the default, a worker.
      { ...strategyOf('restless', { everyMs: 40, kinds }), host: 'worker' },
    ],
    orders: {
      // Absence is proven sooner than after 90 s: the exchange of the test shows an order at once.
      reconcile: { absentMs: 6_000 },
      executions: { max: 1_000 },
    },
    ...config,
  };
}
