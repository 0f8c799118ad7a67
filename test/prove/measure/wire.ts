import { closeSync, fdatasyncSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { millis } from '../../../src/core/base/clock.ts';
import { pause } from '../../../src/core/base/pause.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { readJournal } from '../../../src/core/journal/index.ts';
import { quantile } from '../../bench/support/print.ts';
import type { Figure } from '../row.ts';
import { DaemonProcess, LoadedExchange } from '../support/daemon-process.ts';
import { symbolOf } from '../support/loaded-exchange.ts';
import { loadText } from '../support/machine.ts';

const seed = 6;
const everyMs = 50;
const clock = new SystemClock();

/** The sync of the disk as the journal asks for it: as many bytes as a commit appends to its log, then their sync. */
export class DiskProbe {
  readonly tookMs: number[] = [];
  readonly #file: number;
  readonly #bytes = Buffer.alloc(3 * 4_120, 1);

  constructor(directory: string) {
    this.#file = openSync(join(directory, 'disk-probe'), 'w');
  }

  sync(): void {
    const begun = process.hrtime.bigint();
    writeSync(this.#file, this.#bytes);
    fdatasyncSync(this.#file);
    this.tookMs.push(Number(process.hrtime.bigint() - begun) / 1e6);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Decisions as the strategy noted them: the client id of each order, and when. */
function decisionsIn(directory: string): ReadonlyMap<string, bigint> {
  const found = new Map<string, bigint>();
  for (const { event } of readJournal(directory)) {
    if (event.kind !== 'strategyNoted') continue;
    for (const line of event.text.split(',')) {
      const [id = '', at = ''] = line.split(' ');
      if (/^\d+$/.test(at)) found.set(id, BigInt(at));
    }
  }
  return found;
}

/**
 * The real daemon with a strategy in a thread of its own, on an exchange in another process: from each decision to the moment at which the
 * exchange takes the order, and the disk's own sync in the run directory, measured by this process between the orders.
 */
export async function wireFigures(forSeconds: number): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-prove-'));
  const directory = join(folder, 'run');
  mkdirSync(directory);
  let exchange: LoadedExchange | undefined;
  let daemon: DaemonProcess | undefined;
  let probe: DiskProbe | undefined;
  try {
    exchange = await LoadedExchange.start({ seed, symbols: 2, levels: 50, own: [], flowPerSecond: 20 });
    const path = fileURLToPath(new URL('../strategies/decider.ts', import.meta.url));
    daemon = new DaemonProcess({
      account: exchange.account,
      directory,
      config: {
        strategies: [{ name: 'decider', path, params: { symbol: symbolOf(0), everyMs } }],
        orders: { duplicateMs: 0, lastTradeNeeded: false },
        log: { level: 'warn' },
      },
    });
    await daemon.ready();
    // Code gets compiled.
    await pause(clock, millis(5_000));
    await exchange.counts();
    probe = new DiskProbe(folder);
    const end = performance.now() + forSeconds * 1_000;
    while (performance.now() < end) {
      await pause(clock, millis(everyMs / 2));
      probe.sync();
    }
    const { arrivals } = await exchange.counts();
    daemon.cli.kill('SIGTERM');
    await daemon.cli.end();
    const decided = decisionsIn(directory);
    const wholeMs = arrivals.flatMap(([id, at]) => {
      const from = decided.get(id);
      return from === undefined ? [] : [Number(BigInt(at) - from) / 1e6];
    });
    return figuresOf(wholeMs, probe.tookMs);
  } finally {
    probe?.close();
    daemon?.cli.kill();
    exchange?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function figuresOf(wholeMs: readonly number[], diskMs: readonly number[]): readonly Figure[] {
  const note = loadText();
  const rounded = (value: number): number => Number(value.toFixed(3));
  const of = (part: number, name: string, atMost: number): readonly Figure[] => {
    const [whole, disk] = [quantile(wholeMs, part), quantile(diskMs, part)];
    return [
      { name: `decision to wire ${name}`, value: rounded(whole), unit: 'ms', seed, note },
      { name: `disk sync ${name}`, value: rounded(disk), unit: 'ms', seed, note },
      {
        name: `beyond the disk ${name}`,
        value: rounded(whole - disk),
        unit: 'ms',
        limit: { atMost },
        seed,
        note,
      },
    ];
  };
  return [
    ...of(0.5, 'p50', 1),
    ...of(0.99, 'p99', 5),
    { name: 'orders measured', value: wholeMs.length, unit: 'orders', limit: { atLeast: 100 }, seed },
  ];
}
