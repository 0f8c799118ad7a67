import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { isBarScenario } from '../../../src/research/scenario/bar-terms.ts';
import { scenarioSchema } from '../../../src/research/scenario/scenario.ts';
import { runBars } from '../../../src/app/backtest/bar-run.ts';
import { openBarData } from '../../../src/app/backtest/bar-source.ts';
import { configSchema } from '../../../src/app/config/schema.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { barRulesOf } from '../../../src/research/scenario/bar-fills.ts';
import { cpuMicros, median, print } from '../support/print.ts';

// EMA cross 10/20 on one-minute bars through the whole corridor, as the conformance scenario of that name runs it but
// over all bars. The bars are read before; the first passes are the compiler's. Usage: node bars-ours.ts BARS.csv.gz

const file = fileURLToPath(new URL('../../conformance/scenarios/nautilus-ema-cross.yaml', import.meta.url));
const path = process.argv[2] ?? '';
const text = parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
const scenario = scenarioSchema.parse({ ...text, data: [path], clock: {} });
const { instrument, fills } = scenario;
if (!isBarScenario(scenario) || fills.model !== 'bars' || instrument === undefined)
  throw new Error('the scenario is not one of bars with its instrument');
// Later bars have one more digit than the scenario's.
const noted = { lot: '1', ...instrument, tick: '0.0001' };
const data = await openBarData({ ...scenario, instrument: noted }, file);
const batches: (readonly Event[])[] = [];
for await (const batch of data.events()) batches.push(batch);
const bars = batches.reduce((sum, batch) => sum + batch.length, 0);
const { strategy } = scenario;
const rules = barRulesOf(fills);
const warmPasses = 10;
const passes = 20;

interface Passes {
  readonly first: number;
  /** Median and best of those after the compiler's. */
  readonly steady: number;
  readonly best: number;
  readonly orders: number;
  readonly digest: string;
}

/** Microseconds of processor time of whole runs: corridor, digest and statistics; loading the strategy included. */
async function run(params: Readonly<Record<string, unknown>>): Promise<Passes> {
  const path = fileURLToPath(new URL(strategy.path, `file://${dirname(file)}/`));
  const config = configSchema.parse({
    ...scenario.config,
    run: { seed: scenario.seed },
    strategies: [{ name: 'strategy', path, params, host: 'thread' }],
  });
  const times: number[] = [];
  let last: { readonly digest: string; readonly orders: { readonly filled: number } } | undefined;
  for (let pass = 0; pass < warmPasses + passes; pass++) {
    const start = cpuMicros();
    const { instruments } = data;
    const { balances } = scenario;
    const result = await runBars({ config, instruments, events: batches, rules, balances });
    times.push(cpuMicros() - start);
    if (last !== undefined && last.digest !== result.digest) throw new Error('two runs came out differently');
    last = result;
    if (result.bars < bars || result.denials.length > 0 || result.problems.length > 0)
      throw new Error('the run did not go through all bars, or an order was denied');
  }
  const steady = times.slice(warmPasses);
  return {
    first: times[0] ?? Number.NaN,
    steady: median(steady),
    best: Math.min(...steady),
    orders: last?.orders.filled ?? 0,
    digest: last?.digest.slice(0, 12) ?? '',
  };
}

const whole = await run(strategy.params);
// The same with a second average so slow that it never speaks: what is left is the price of a bar alone.
const quiet = await run({ ...strategy.params, slow: bars + 1 });
print({
  value: bars / (whole.steady / 1e6),
  bestOfProcessorTime: bars / (whole.best / 1e6),
  firstPass: bars / (whole.first / 1e6),
  withoutOrders: bars / (quiet.steady / 1e6),
  microsABar: quiet.best / bars,
  microsAnOrder: (whole.best - quiet.best) / whole.orders,
  bars,
  orders: whole.orders,
  digest: whole.digest,
});
