import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runFileIn } from '../../src/app/operate/run-file.ts';
import { millis, seconds } from '../../src/core/base/clock.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import { Account } from '../system/support/account.ts';
import { Cli } from '../system/support/cli.ts';
import { journalOf } from '../system/support/journal-of.ts';
import { until } from '../system/support/until.ts';
import type { Sample } from './figures.ts';

export interface SoakPlan {
  readonly minutes: number;
  readonly everySeconds: number;
  readonly seed: number;
  readonly onSample?: (sample: Sample) => void;
}

/** What a soak came to. `lost`: orders that the exchange has and the journal has not, or has twice, or larger. */
export interface Soak {
  readonly samples: readonly Sample[];
  readonly lost: number;
  /** Own orders that are live at the exchange after the stop. */
  readonly left: number;
  /** From the restart until the daemon is ready, and until the command has an exit code after SIGTERM. */
  readonly restartMs: number;
  readonly stopMs: number;
  readonly exitCode: number;
  /** The last that the daemon said to a person: why it ended so. */
  readonly lastWords: string;
}

const clock = new SystemClock();
const pause = (time: number): Promise<void> =>
  new Promise((resolve) => void clock.after(millis(time), resolve));
const since = (begun: number): number => Math.round((clock.uptime() - begun) / 1_000);

/** A daemon on an exchange in a process of its own: looked at all the time, killed in the middle, stopped at the end. */
export async function soak({ minutes, everySeconds, seed, onSample }: SoakPlan): Promise<Soak> {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-soak-'));
  const directory = join(folder, 'run');
  const exchange = new Cli(['exchange', '--port', '0', '--seed', String(seed), '--json']);
  let daemon: Cli | undefined;
  try {
    const account = Account.of(await exchange.firstLine());
    const start = (): Cli => new Cli(tradeArguments(account, directory), account.environment);
    const samples: Sample[] = [];
    const begun = clock.uptime();
    const look = async (life: number, end: number): Promise<void> => {
      for (let next: number = clock.uptime(); next < end; next += seconds(everySeconds)) {
        await pause(Math.max(0, (next - clock.uptime()) / 1_000));
        const sample = await sampleOf(directory, life, (clock.uptime() - begun) / 1_000_000);
        samples.push(sample);
        onSample?.(sample);
      }
    };
    daemon = start();
    await ready(directory, daemon);
    const half = seconds(minutes * 30);
    await look(0, clock.uptime() + half);
    daemon.kill('SIGKILL');
    await daemon.end();
    let lost = await troubles(account, directory);
    const restarted = clock.uptime();
    daemon = start();
    await ready(directory, daemon);
    const restartMs = since(restarted);
    await look(1, clock.uptime() + half);
    const stopped = clock.uptime();
    daemon.kill('SIGTERM');
    const { code, err } = await daemon.end();
    const stopMs = since(stopped);
    lost += await troubles(account, directory);
    const left = (await account.active()).length;
    return { samples, lost, left, restartMs, stopMs, exitCode: code, lastWords: err.slice(-2_000) };
  } finally {
    daemon?.kill();
    exchange.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function tradeArguments(account: Account, directory: string): readonly string[] {
  const sets = account.settings(directory, {
    'log.level': 'warn',
    // What the kill left without an answer is proven absent within a short second life, too.
    'orders.reconcile.absentMs': '1500',
  });
  return ['trade', '--mode', 'sim', '--json', '--strategy', 'market-maker', ...sets];
}

async function ready(directory: string, daemon: Cli): Promise<void> {
  const answers = async (): Promise<boolean> => {
    const place = runFileIn(directory);
    if (place === undefined || place.pid !== daemon.child.pid) return false;
    const answer = await fetch(`${place.url}/ready`).catch(() => undefined);
    return answer?.status === 200;
  };
  await until('the daemon to be ready', answers, seconds(120), millis(50));
}

/** The newest thousand orders of the exchange beside the journal. */
async function troubles(account: Account, directory: string): Promise<number> {
  const { duplicates, unrecorded, oversized } = journalOf(directory).compare(await account.orders());
  return duplicates + unrecorded + oversized;
}

async function sampleOf(directory: string, life: number, time: number): Promise<Sample> {
  const place = runFileIn(directory);
  if (place === undefined) throw new Error('the daemon has ended by itself');
  const answer = await fetch(`${place.url}/metrics`, {
    headers: { authorization: `Bearer ${place.token}` },
  });
  const text = await answer.text();
  const of = (name: string): number[] =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) =>
      Number(value),
    );
  const sum = (name: string): number => of(name).reduce((total, value) => total + value, 0);
  return {
    life,
    time,
    rssBytes: sum('process_resident_memory_bytes'),
    heapBytes: sum('nodejs_heap_size_used_bytes'),
    lagP99Seconds: sum('nodejs_eventloop_lag_p99_seconds'),
    feedAgeSeconds: Math.max(0, ...of('godwit_feed_age_seconds')),
    commands: sum('godwit_answer_seconds_count'),
    fills: sum('godwit_fills_total'),
    unknown: unknownOf(text),
    processorSeconds: sum('process_cpu_seconds_total'),
    journalBytes: readdirSync(directory)
      .filter((name) => name.startsWith('journal'))
      .reduce((total, name) => total + statSync(join(directory, name)).size, 0),
  };
}

function unknownOf(text: string): number {
  return Number(/^godwit_orders\{state="unknown"\} (\d+)/m.exec(text)?.[1] ?? 0);
}
