import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
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

const seed = 8;
const clock = new SystemClock();
/** Quiet and flooded turns follow one another. */
const turnMs = 4_000;
/** Of a handler that floods, ten times a second: hardly less than it is stopped for. And how long it computes besides. */
const flood = { intents: 90, busyMs: 20 };

interface Samples {
  readonly quiet: readonly number[];
  readonly flooded: readonly number[];
}

/** µs from the receipt of a change to the call with it, as the strategy noted them; the first turn is left out. */
function samplesIn(directory: string): Samples {
  const found: [turn: number, micros: number][] = [];
  for (const { event } of readJournal(directory)) {
    if (event.kind !== 'strategyNoted' || event.strategy !== 'listener') continue;
    for (const part of event.text.split(',')) {
      const [turn = '', micros = ''] = part.split(' ');
      if (/^\d+$/.test(turn)) found.push([Number(turn), Number(micros)]);
    }
  }
  const first = found[0]?.[0];
  const of = (parity: number): readonly number[] =>
    found.filter(([turn]) => turn !== first && turn % 2 === parity).map(([, micros]) => micros);
  return { quiet: of(0), flooded: of(1) };
}

/** The real daemon with two strategies in threads of their own: how much later one is called while the other floods. */
export async function isolationFigures(forSeconds: number): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-prove-'));
  const directory = join(folder, 'run');
  mkdirSync(directory);
  let exchange: LoadedExchange | undefined;
  let daemon: DaemonProcess | undefined;
  try {
    exchange = await LoadedExchange.start({ seed, symbols: 2, levels: 50, own: [], flowPerSecond: 200 });
    const path = (name: string): string =>
      fileURLToPath(new URL(`../strategies/${name}.ts`, import.meta.url));
    const symbol = symbolOf(0);
    daemon = new DaemonProcess({
      account: exchange.account,
      directory,
      config: {
        strategies: [
          { name: 'listener', path: path('listener'), params: { symbol, turnMs } },
          { name: 'flooder', path: path('flooder'), params: { symbol, turnMs, ...flood } },
        ],
        orders: { duplicateMs: 0, lastTradeNeeded: false },
        log: { level: 'silent' },
      },
    });
    await daemon.ready();
    await pause(clock, millis(forSeconds * 1_000));
    const status = await daemon.ask('/api/strategies');
    daemon.cli.kill('SIGTERM');
    await daemon.cli.end();
    return figuresOf(samplesIn(directory), status);
  } finally {
    daemon?.cli.kill();
    exchange?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function figuresOf({ quiet, flooded }: Samples, status: string): readonly Figure[] {
  const note = loadText();
  const ms = (values: readonly number[], part: number): number =>
    Number((quantile(values, part) / 1_000).toFixed(3));
  const [calm, busy] = [ms(quiet, 0.99), ms(flooded, 0.99)];
  const shown = { unit: 'ms', seed, note } as const;
  return [
    { name: 'call of another strategy p50, quiet', value: ms(quiet, 0.5), ...shown },
    { name: 'call of another strategy p99, quiet', value: calm, ...shown },
    { name: 'call of another strategy p50, flooded', value: ms(flooded, 0.5), ...shown },
    { name: 'call of another strategy p99, flooded', value: busy, ...shown },
    {
      name: 'flooded to quiet p99',
      value: Number((busy / calm).toFixed(2)),
      unit: 'times',
      limit: { atMost: 2 },
      seed,
      note,
    },
    {
      name: 'calls measured',
      value: Math.min(quiet.length, flooded.length),
      unit: 'calls',
      limit: { atLeast: 100 },
      seed,
      note: status.includes('"state":"stopped"') ? 'the flooding strategy was stopped' : note,
    },
  ];
}
