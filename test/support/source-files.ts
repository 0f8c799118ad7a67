import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { ScenarioResult } from '../../src/app/backtest/scenario-result.ts';
import { runScenario } from '../../src/app/backtest/scenario-run.ts';
import { loadScenario } from '../../src/research/scenario/load.ts';
import { configuredScenario } from '../../src/app/run/scenario-config.ts';

const home = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** When the files below begin, in milliseconds. */
export const begin = 1_700_000_000_000;

/** A moment of one symbol: best prices and a trade at them. */
export interface Moment {
  /** Milliseconds after `begin`. */
  readonly at: number;
  readonly bid: string;
  readonly ask: string;
  /** Price of a trade and its taker. */
  readonly trade?: readonly [string, 'buy' | 'sell'];
}

export interface RawFile {
  readonly symbol: string;
  readonly moments: readonly Moment[];
  /** Milliseconds from the exchange to the recorder. */
  readonly latency?: number;
  /** Milliseconds by which the venue's clock is ahead. */
  readonly ahead?: number;
}

/** A file as Binance streams are recorded: a whole book of one level a side, its changes, and trades. */
export function rawLines({ symbol, moments, latency = 5, ahead = 0 }: RawFile): readonly string[] {
  let bid = '';
  let ask = '';
  let sequence = 1;
  return moments.flatMap(({ at, bid: nextBid, ask: nextAsk, trade }, index) => {
    const T = begin + at + ahead;
    const stamp = `${begin + at + latency}000000`;
    const line = (message: unknown) => `${stamp} ${JSON.stringify(message)}`;
    if (index === 0) {
      [bid, ask] = [nextBid, nextAsk];
      return [line({ lastUpdateId: 1, T, symbol, bids: [[bid, '10.0']], asks: [[ask, '10.0']] })];
    }
    const b = [...(bid === nextBid ? [] : [[bid, '0.0']]), [nextBid, '10.0']];
    const a = [...(ask === nextAsk ? [] : [[ask, '0.0']]), [nextAsk, '10.0']];
    [bid, ask] = [nextBid, nextAsk];
    sequence += 1;
    const depth = { e: 'depthUpdate', E: T, T, s: symbol, U: sequence, u: sequence, pu: sequence - 1, b, a };
    const lines = [line({ stream: `${symbol.toLowerCase()}@depth@0ms`, data: depth })];
    if (trade === undefined) return lines;
    const [p, taker] = trade;
    const data = { e: 'trade', E: T, T, s: symbol, t: index, p, q: '1.0', X: 'MARKET', m: taker === 'sell' };
    return [...lines, line({ stream: `${symbol.toLowerCase()}@trade`, data })];
  });
}

/** A folder in which scenarios of several sources are written and run. */
export class SourceFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'sources-'));

  raw(name: string, file: RawFile): void {
    writeFileSync(join(this.path, name), gzipSync(rawLines(file).join('\n')));
  }

  write(name: string, text: string): string {
    const file = join(this.path, name);
    writeFileSync(file, text);
    return file;
  }

  async run(text: string): Promise<ScenarioResult> {
    return await runScenario({
      loaded: configuredScenario(loadScenario(this.write('scenario.yaml', text)), home),
      details: true,
    });
  }
}

/** Prices that walk by one tick of 0.1 every `step` milliseconds, from a seed. */
export function walk(
  seed: number,
  { start, count, step, from = 0 }: { start: number; count: number; step: number; from?: number },
): readonly Moment[] {
  let state = seed;
  let ticks = start;
  return Array.from({ length: count }, (_, index) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const up = state / 2_147_483_648 < 0.5;
    ticks += up ? 1 : -1;
    const [bid, ask] = [(ticks / 10).toFixed(1), ((ticks + 2) / 10).toFixed(1)];
    return {
      at: from + index * step,
      bid,
      ask,
      trade: up ? ([ask, 'buy'] as const) : ([bid, 'sell'] as const),
    };
  });
}
