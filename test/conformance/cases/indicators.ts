import { readFileSync } from 'node:fs';
import * as indicators from '../../../src/core/strategy/index.ts';
import type { BarValues, Indicator } from '../../../src/core/strategy/index.ts';
import type { ConformanceCase } from '../case.ts';
import { data } from '../scenarios/run-scenario.ts';

const file = 'conformance/indicators_tulip_untest.txt';

/** One row of the file: its name, its options, then columns of inputs and of expected results. */
interface Vector {
  readonly name: string;
  readonly options: readonly number[];
  readonly columns: readonly (readonly number[])[];
}

/** An answer as the numbers of a vector, in its order. */
type Answers = readonly (readonly (number | undefined)[])[];

type Run = (vector: Vector) => Answers;

const runs: Readonly<Record<string, Run>> = {
  sma: ofPrices(indicators.sma),
  ema: ofPrices(indicators.ema),
  wma: ofPrices(indicators.wma),
  wilders: ofPrices(indicators.wilders),
  tema: ofPrices(indicators.tema),
  hma: ofPrices(indicators.hma),
  kama: ofPrices(indicators.kama),
  trima: ofPrices(indicators.trima),
  zlema: ofPrices(indicators.zlema),
  rsi: ofPrices(indicators.rsi),
  stochrsi: ofPrices(indicators.stochasticRsi),
  roc: ofPrices(indicators.roc),
  mom: ofPrices(indicators.momentum),
  cmo: ofPrices(indicators.cmo),
  dpo: ofPrices(indicators.dpo),
  trix: ofPrices(indicators.trix),
  tsf: ofPrices(indicators.forecast),
  vhf: ofPrices(indicators.vhf),
  apo: ofPrices(indicators.apo),
  ppo: ofPrices(indicators.ppo),
  macd: ofPrices(indicators.macd, ({ macd: line, signal, histogram }) => [line, signal, histogram]),
  bbands: ofPrices(indicators.bollinger, ({ lower, middle, upper }) => [lower, middle, upper]),
  tr: ofBars(indicators.trueRange, ['high', 'low', 'close']),
  atr: ofBars(indicators.atr, ['high', 'low', 'close']),
  natr: ofBars(indicators.natr, ['high', 'low', 'close']),
  cci: ofBars(indicators.cci, ['high', 'low', 'close']),
  willr: ofBars(indicators.williamsR, ['high', 'low', 'close']),
  ultosc: ofBars(indicators.ultimateOscillator, ['high', 'low', 'close']),
  // The file gives these no close; their definition reads none but for the true range of the file's own bars.
  adx: ofBars(indicators.adx, ['high', 'low']),
  dx: ofBars(indicators.dx, ['high', 'low']),
  stoch: ofBars(indicators.stochastic, ['high', 'low', 'close'], ({ k, d }) => [k, d]),
  aroon: ofBars(indicators.aroon, ['high', 'low'], ({ up, down }) => [down, up]),
  bop: ofBars(indicators.balanceOfPower, ['open', 'high', 'low', 'close']),
  obv: ofBars(indicators.obv, ['close', 'volume']),
  ad: ofBars(indicators.accumulation, ['high', 'low', 'close', 'volume']),
  mfi: ofBars(indicators.mfi, ['high', 'low', 'close', 'volume']),
  vwma: ofBars(indicators.vwma, ['close', 'volume']),
};

export const cases: readonly ConformanceCase[] = Object.keys(runs).map((name) => ({
  name: `Tulip Indicators: ${name}`,
  needs: [file],
  run: () => check(name),
}));

async function check(name: string): Promise<void> {
  const vector = vectors().find((one) => one.name === name);
  const run = runs[name];
  if (vector === undefined || run === undefined) throw new Error(`there is no vector ${name}`);
  const answers = run(vector);
  const length = answers.length;
  let compared = 0;
  const outputs = answers.find((one) => one[0] !== undefined)?.length ?? 0;
  const expected = vector.columns.slice(-outputs);
  for (let at = 0; at < length; at++) {
    for (let output = 0; output < outputs; output++) {
      const column = expected[output] ?? [];
      const want = column[at - (length - column.length)];
      const found = answers[at]?.[output];
      // The file and the library may begin at different bars; where both speak they must agree.
      if (want === undefined || found === undefined) continue;
      compared += 1;
      if (Math.abs(found - want) > 0.000_500_1) {
        throw new Error(`output ${output} of bar ${at}: expected ${want.toFixed(3)}, found ${found}`);
      }
    }
  }
  if (compared === 0) throw new Error('nothing could be compared');
}

/** Every vector of the file. Lines with braces are columns, others begin one. */
function vectors(): readonly Vector[] {
  const all: { name: string; options: number[]; columns: number[][] }[] = [];
  for (const line of readFileSync(new URL(file, data), 'utf8').split('\n')) {
    if (line.startsWith('#') || line.trim() === '') continue;
    if (line.startsWith('{')) {
      const numbers = line.slice(1, line.lastIndexOf('}')).split(',');
      all.at(-1)?.columns.push(numbers.filter((text) => text !== '').map(Number));
    } else {
      const [name = '', ...options] = line.trim().split(/\s+/);
      all.push({ name, options: options.map(Number), columns: [] });
    }
  }
  return all;
}

function ofPrices<Result>(
  make: (...options: number[]) => Indicator<number, Result>,
  pick: (result: Result) => readonly number[] = single,
): Run {
  return ({ options, columns: [prices = []] }) => {
    const indicator = make(...options);
    return prices.map((price) => picked(indicator.next(price), pick));
  };
}

function ofBars<Result>(
  make: (...options: number[]) => Indicator<BarValues, Result>,
  names: readonly (keyof BarValues)[],
  pick: (result: Result) => readonly number[] = single,
): Run {
  return ({ name, options, columns }) => {
    const indicator = make(...options);
    const closes = names.includes('close')
      ? undefined
      : vectors().find((one) => one.name === 'atr')?.columns[2];
    return (columns[0] ?? []).map((_, at) => {
      const bar = { open: 0, high: 0, low: 0, close: closes?.[at] ?? 0, volume: 0 };
      names.forEach((field, column) => {
        bar[field] = columns[column]?.[at] ?? Number.NaN;
      });
      if (name === 'obv' || name === 'vwma')
        Object.assign(bar, { open: bar.close, high: bar.close, low: bar.close });
      return picked(indicator.next(bar), pick);
    });
  };
}

function picked<Result>(
  result: Result | undefined,
  pick: (result: Result) => readonly number[],
): readonly (number | undefined)[] {
  return result === undefined ? [undefined] : pick(result);
}

function single(result: unknown): readonly number[] {
  return [Number(result)];
}
