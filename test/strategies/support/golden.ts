import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatAmount } from '../../../src/core/base/amount.ts';
import { configSchema } from '../../../src/app/config/schema.ts';
import { runScenario } from '../../../src/app/backtest/scenario-run.ts';
import { openData } from '../../../src/data/open/market-data.ts';
import type { RunReport } from '../../../src/research/report/sections/run.ts';
import { loadScenario } from '../../../src/research/scenario/load.ts';
import type { Event, OrderReport } from '../../../src/core/model/event.ts';
import type { Instruments } from '../../../src/core/model/instrument.ts';
import { configuredScenario, recordedScenario } from '../../../src/app/run/scenario-config.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = join(root, 'backtest/golden');

/** How all goldens are renewed, after the differences were understood. */
export const renewal = 'npm run goldens';

/** What is run: a recording below `backtest/feeds`, or a scenario below `backtest/scenarios`. */
export type GoldenRun =
  | {
      readonly strategy: string;
      readonly data: string;
      readonly params: Readonly<Record<string, unknown>>;
    }
  | { readonly strategy: string; readonly scenario: string };

/** What came of it. */
export interface GoldenOutcome {
  /** The hash over everything that happened: the journal's, as in the report. */
  readonly decisions: string;
  readonly orders: Readonly<Record<string, number>>;
  readonly denials: Readonly<Record<string, number>>;
  /** By currency. */
  readonly profit: Readonly<Record<string, string>>;
  /** Each as one line, oldest first: seconds since the start, symbol, side, quantity, price, fee. */
  readonly fills: readonly string[];
}

export interface Golden {
  readonly run: GoldenRun;
  readonly outcome: GoldenOutcome | undefined;
}

export function goldenNames(): readonly string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => basename(file, '.json'))
    .sort();
}

export function readGolden(name: string): Golden {
  const { run, outcome } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Golden;
  return { run, outcome };
}

export function writeGolden(name: string, golden: Golden): void {
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(golden, undefined, 2)}\n`);
}

/** Runs a golden backtest: a scenario, or a strategy with its params under the built-in configuration. */
export async function runGolden(run: GoldenRun): Promise<GoldenOutcome> {
  const reports: OrderReport[] = [];
  let start = 0;
  const watch = (event: Event): void => {
    if (start === 0) start = event.exchangeTime;
    if (event.kind === 'orderReport' && event.fill !== undefined) reports.push(event);
  };
  const { report, digest, problems, instruments } =
    'scenario' in run ? await runOfScenario(run.scenario, watch) : await runOfRecording(run, watch);
  if (problems.length > 0) throw new Error(problems.join('; '));
  const { fillRatio: _, ...orders } = report.orders;
  return {
    decisions: digest,
    orders: { ...orders } as GoldenOutcome['orders'],
    denials: Object.fromEntries(report.denials.map(({ code, count }) => [code, count])),
    profit: Object.fromEntries(report.results.map(({ currency, profit }) => [currency, profit])),
    fills: reports.map((one) => lineOf(one, instruments, start)),
  };
}

interface Ran {
  readonly report: RunReport;
  readonly digest: string;
  readonly problems: readonly string[];
  readonly instruments: Instruments;
}

async function runOfRecording(
  { strategy, data, params }: Extract<GoldenRun, { data: string }>,
  watch: (event: Event) => void,
): Promise<Ran> {
  const recording = await openData([join(root, 'backtest/feeds', data)]);
  const config = configSchema.parse({
    strategies: [{ name: strategy, path: join(root, 'strategies', strategy), params }],
    backtest: { balances: { ETH: '100', BTC: '10', USDT: '1000000' } },
  });
  const { report, digest, problems } = await runScenario({
    loaded: recordedScenario(config),
    data: { recording, prepared: 0 },
    watch,
  });
  if (report === undefined) throw new Error(`${strategy} has no report`);
  return { report, digest, problems, instruments: recording.instruments };
}

async function runOfScenario(name: string, watch: (event: Event) => void): Promise<Ran> {
  const loaded = loadScenario(join(root, 'backtest/scenarios', name));
  const { summary, report, digest, problems } = await runScenario({
    loaded: configuredScenario(loaded, root),
    watch,
  });
  if (report === undefined || summary === undefined) throw new Error(`${name} has no report`);
  return { report, digest, problems, instruments: summary.instruments };
}

function lineOf({ order, fill }: OrderReport, instruments: Instruments, start: number): string {
  if (fill === undefined) return '';
  const instrument = instruments.at(order.instrument);
  const seconds = ((fill.time - start) / 1e6).toFixed(3);
  const quantity = instrument.quantityText(fill.quantity);
  return `${seconds} ${instrument.symbol} ${order.side} ${quantity} at ${instrument.priceText(fill.price)} fee ${formatAmount(fill.fee)}`;
}

/** What differs, a line each, the telling things first; empty when nothing does. */
export function differences(kept: GoldenOutcome, found: GoldenOutcome): readonly string[] {
  const lines: string[] = [];
  for (const part of ['orders', 'denials', 'profit'] as const) {
    const keys = new Set([...Object.keys(kept[part]), ...Object.keys(found[part])]);
    for (const key of keys) {
      const [before, after] = [kept[part][key], found[part][key]];
      if (before !== after) lines.push(`${part} ${key}: was ${before ?? 'none'}, is ${after ?? 'none'}`);
    }
  }
  const at = kept.fills.findIndex((line, index) => line !== found.fills[index]);
  const first = at < 0 && found.fills.length > kept.fills.length ? kept.fills.length : at;
  if (first >= 0) {
    lines.push(`fill ${first + 1}: was ${kept.fills[first] ?? 'none'}, is ${found.fills[first] ?? 'none'}`);
  }
  if (kept.decisions !== found.decisions) {
    lines.push(`decisions: was ${kept.decisions.slice(0, 16)}, is ${found.decisions.slice(0, 16)}`);
  }
  return lines;
}
