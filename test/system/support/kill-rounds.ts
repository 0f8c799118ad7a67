import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Micros } from '../../../src/core/base/clock.ts';
import { millis } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { Venue } from '../chaos/venue.ts';
import { Cli } from './cli.ts';
import { KeyFile } from '../../../src/app/gateway/key-file.ts';
import { Observer } from './observer.ts';
import type { Findings, VenueTruth } from './observer.ts';
import { freePort } from '../../support/free-port.ts';
import { ProgramLoad } from './program-load.ts';
import type { LoadSums } from './program-load.ts';
import { strategyOf } from './stage.ts';
import { until, waitMax } from './until.ts';

/** What one round found: all counts of trouble must be 0. */
export interface Round extends Findings {
  readonly round: number;
  readonly killedAfterMs: number;
  /** Orders and executions that the exchange has shown so far, and orders that were live at the kill, by product. */
  readonly orders: number;
  readonly trades: number;
  readonly live: Readonly<Record<string, number>>;
  /** Orders of the programs of a gateway so far. */
  readonly programs: readonly LoadSums[];
  /** From the restart until the daemon had compared the account and traded again. */
  readonly resumedMs: number;
}

export interface KillPlan {
  readonly rounds: number;
  readonly seed: number;
  readonly onRound?: (round: Round) => void;
  readonly stopped?: AbortSignal;
  /** Whether the daemon is a gateway, and two programs of others give the orders. */
  readonly gateway?: boolean;
}

const clock = new SystemClock();
const between = millis(30);

/**
 * A daemon that trades spot, order lists, margin and contracts on an exchange, killed at random moments and started again. While nobody
 * trades the exchange says what it has; what the next run knows before its first order must be that.
 */
export async function killRounds({
  rounds,
  seed,
  onRound,
  stopped,
  gateway = false,
}: KillPlan): Promise<readonly Round[]> {
  const random = new Random(seed);
  const folder = mkdtempSync(join(tmpdir(), 'godwit-kill-'));
  const directory = join(folder, 'run');
  const venue = await Venue.start({ seed, publish: { balanceBatchMs: 50 } });
  let daemon: Cli | undefined;
  let programs: readonly ProgramLoad[] = [];
  try {
    const { account } = venue;
    const config = join(folder, 'config.yaml');
    const served = gateway ? await gatewayOf(folder, seed) : undefined;
    writeFileSync(config, JSON.stringify({ ...configuration(seed), ...served?.config }));
    programs = served?.programs ?? [];
    const start = (): Cli =>
      new Cli(
        [
          gateway ? 'gateway' : 'trade',
          '--mode',
          'sim',
          '--json',
          '--config',
          config,
          ...account.settings(directory, {}),
        ],
        account.environment,
      );
    const observer = new Observer((path) => account.ask(path), directory);
    const done: Round[] = [];
    daemon = start();
    for (const program of programs) program.start(4);
    await venue.act('stir');
    const traded = async (): Promise<boolean> => (await account.fills()).length > 0;
    await until('the first execution', traded, waitMax, millis(200));
    for (let round = 1; round <= rounds; round++) {
      stopped?.throwIfAborted();
      const killedAfterMs = random.between(0, 500);
      await pause(millis(killedAfterMs));
      daemon.kill('SIGKILL');
      await daemon.end();
      await venue.act('calm');
      const truth = await observer.truth();
      const killed = observer.compare(truth, { as: 'killed' });
      const begun = clock.uptime();
      daemon = start();
      // Some are killed once more, while they find out what the first kill left.
      if (round % 10 === 0) {
        await pause(millis(random.between(100, 1_200)));
        daemon.kill('SIGKILL');
        await daemon.end();
        daemon = start();
      }
      const found = await restarted(observer, truth, daemon);
      const resumedMs = Math.round((clock.uptime() - begun) / 1_000);
      await venue.act('stir');
      const report: Round = {
        ...found,
        lost: found.lost + (killed?.lost ?? 0),
        differences: [...(killed?.differences ?? []), ...found.differences],
        round,
        killedAfterMs,
        orders: observer.ordersSeen,
        trades: observer.tradesSeen,
        programs: programs.map(({ sums }) => sums),
        live: countBy(truth.orders.filter(({ isLive }) => isLive).map(({ product }) => product)),
        resumedMs,
      };
      done.push(report);
      onRound?.(report);
    }
    await Promise.all(programs.map((program) => program.stop()));
    // Exits stay, and are known: nobody may execute one when the daemon is gone and cannot hear of it.
    await venue.act('calm');
    daemon.kill('SIGTERM');
    const said = await daemon.end();
    if (said.code !== 143) throw new Error(`the daemon ended with ${said.code}: ${said.err}`);
    const left = await observer.look();
    if (left === undefined || left.differences.length > 0)
      throw new Error(`after the end: ${left?.differences.join('; ')}`);
    return done;
  } finally {
    await Promise.all(programs.map((program) => program.stop()));
    daemon?.kill();
    await venue.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function configuration(seed: number): object {
  // As restless as they can be: the more is on its way, the more a kill can hit.
  const maker = { pauseMs: 20, requoteTicks: 1, halfSpreadTicksMin: 1, quantity: '0.01', symbol: 'ETHUSDT' };
  return {
    run: { seed },
    log: { level: 'silent' },
    // A worker less is a start that is sooner over: the strategy of all products has one, as by default.
    strategies: [
      strategyOf('market-maker', maker),
      strategyOf('restless', { everyMs: 15 }, { host: 'worker' }),
    ],
    orders: {
      // An order whose record is on disk and whose bytes never left is proven absent sooner than after 90 s.
      reconcile: { absentMs: 500 },
      executions: { max: 1_000 },
    },
  };
}

/** A gateway of two programs that trade the same symbol and give their orders the same ids, beside one strategy. */
async function gatewayOf(
  folder: string,
  seed: number,
): Promise<{ readonly config: object; readonly programs: readonly ProgramLoad[] }> {
  const port = await freePort();
  const keys = new KeyFile(join(folder, 'keys.json'));
  const names = ['grid', 'sheet'];
  const programs = names.map((name) => {
    const { apiKey, secret } = keys.make(name, 0);
    return new ProgramLoad({
      url: `http://127.0.0.1:${port}`,
      key: { apiKey, secret: secret.reveal() },
      // Ids are of one program alone.
      name: 'order',
      symbol: 'ETHUSDT',
      seed: seed + names.indexOf(name),
    });
  });
  const config = {
    // It trades beside the programs, on margin and contracts, too.
    strategies: [strategyOf('restless', { everyMs: 50 }, { host: 'worker' })],
    gateway: { port, keys: keys.path, answerMs: 3_000 },
    programs: names.map((name) => ({
      name,
      symbols: ['ETHUSDT'],
      limits: { positionMax: { ETHUSDT: '5' } },
    })),
  };
  return { config, programs };
}

const isOrder = (event: Event): boolean => event.kind === 'orderPending';

/** What the next run knows before its first order. */
async function restarted(observer: Observer, truth: VenueTruth, daemon: Cli): Promise<Findings> {
  const dead = observer.run;
  try {
    return await until(
      'an order of the next run',
      () => {
        const found = observer.compare(truth, { stop: isOrder, as: 'restart' });
        return found !== undefined && observer.run !== dead && found;
      },
      waitMax,
      between,
    );
  } catch (error) {
    throw new Error(`after the kill of ${dead}: ${daemon.out.slice(-300)} ${daemon.err}`, { cause: error });
  }
}

function countBy(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function pause(duration: Micros): Promise<void> {
  return new Promise((resolve) => void clock.after(duration, resolve));
}
