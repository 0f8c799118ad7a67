import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { millis } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { Account } from './account.ts';
import { Cli } from './cli.ts';
import { journalOf } from './journal-of.ts';
import { until, waitMax } from './until.ts';

/** What one round found: all counts of trouble must be 0. */
export interface Round {
  readonly round: number;
  readonly killedAfterMs: number;
  /** Orders the exchange has seen so far, and those that were live at the kill. */
  readonly orders: number;
  readonly live: number;
  /** Client ids the exchange has more than once. */
  readonly duplicates: number;
  /** Orders at the exchange whose intent is not in the journal: bytes that left before their record. */
  readonly unrecorded: number;
  /** Orders larger than their intent. */
  readonly oversized: number;
  /** From the restart until the daemon's open orders were the exchange's, and until it traded again. */
  readonly reconciledMs: number;
  readonly resumedMs: number;
}

export interface KillPlan {
  readonly rounds: number;
  readonly seed: number;
  readonly onRound?: (round: Round) => void;
}

const clock = new SystemClock();
/** Between two looks at the exchange: its limits are per address, and the daemon needs most of them. */
const between = millis(250);

/** A daemon on an exchange, killed at random moments and started again; checks what must hold each time. */
export async function killRounds({ rounds, seed, onRound }: KillPlan): Promise<readonly Round[]> {
  const random = new Random(seed);
  const folder = mkdtempSync(join(tmpdir(), 'godwit-kill-'));
  const directory = join(folder, 'run');
  const exchange = new Cli(['exchange', '--port', '0', '--seed', String(seed), '--json']);
  let daemon: Cli | undefined;
  try {
    const account = Account.of(await exchange.firstLine());
    const start = (): Cli => new Cli(tradeArguments(account, directory), account.environment);
    const done: Round[] = [];
    daemon = start();
    await traded(account, 0);
    for (let round = 1; round <= rounds; round++) {
      const killedAfterMs = random.between(0, 1_500);
      await new Promise<void>((resolve) => void clock.after(millis(killedAfterMs), resolve));
      daemon.kill('SIGKILL');
      await daemon.end();
      const atKill = await account.orders();
      const live = (await account.active()).length;
      const dead = journalOf(directory);
      const found = dead.compare(atKill);
      const begun = clock.uptime();
      daemon = start();
      await reconciled({ account, directory, dead: dead.run, daemon });
      const reconciledMs = since(begun);
      await traded(account, atKill.length);
      const resumedMs = since(begun);
      const report = { round, killedAfterMs, orders: atKill.length, live, ...found, reconciledMs, resumedMs };
      done.push(report);
      onRound?.(report);
    }
    daemon.kill('SIGTERM');
    const said = await daemon.end();
    if (said.code !== 143) throw new Error(`the daemon ended with ${said.code}: ${said.err}`);
    const left = await account.active();
    if (left.length > 0) throw new Error(`orders were left live: ${left.map(({ id }) => id).join(', ')}`);
    return done;
  } finally {
    daemon?.kill();
    exchange.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function tradeArguments(account: Account, directory: string): readonly string[] {
  const sets = account.settings(directory, {
    'log.level': 'silent',
    // An order whose record is on disk and whose bytes never left is proven absent sooner than after 90 s.
    'orders.reconcile.absentMs': '1500',
  });
  // As restless as it can be: the more is on its way, the more a kill can hit.
  const params = ['symbol=ETHUSDT', 'pauseMs=5', 'requoteTicks=1', 'halfSpreadTicksMin=1', 'quantity=0.01'];
  const strategy = ['--strategy', 'market-maker', ...params.flatMap((param) => ['--param', param])];
  return ['trade', '--mode', 'sim', '--json', ...strategy, ...sets];
}

/** The exchange has seen more orders than before. */
async function traded(account: Account, before: number): Promise<void> {
  const more = async (): Promise<boolean> => (await account.orders()).length > before;
  await until(`more than ${before} orders`, more, waitMax, between);
}

interface Restart {
  readonly account: Account;
  readonly directory: string;
  /** The run that was killed. */
  readonly dead: string;
  readonly daemon: Cli;
}

/** What the daemon believes is live, by its journal, is what is live; nothing of the dead run is left. */
async function reconciled({ account, directory, dead, daemon }: Restart): Promise<void> {
  let ours = '';
  let theirs = '';
  const alike = async (): Promise<boolean> => {
    const journal = journalOf(directory);
    ours = `run ${journal.run}, ${journal.runIsReconciled ? '' : 'not '}reconciled: ${journal.openIds.join(' ')}`;
    if (journal.run === dead || !journal.runIsReconciled) return false;
    const live = (await account.active()).map(({ id }) => id).sort();
    theirs = live.join(' ');
    return journal.openIds.join(' ') === theirs && live.every((id) => id.includes(`-${journal.run}-`));
  };
  try {
    await until('the daemon’s open orders are the exchange’s', alike, waitMax, between);
  } catch (error) {
    throw new Error(
      `after the kill of ${dead}: the daemon says ${ours}; the exchange says ${theirs}; output: ${daemon.out.slice(-300)} ${daemon.err}`,
      {
        cause: error,
      },
    );
  }
}

function since(uptime: number): number {
  return Math.round((clock.uptime() - uptime) / 1_000);
}
