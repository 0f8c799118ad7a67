import type { BarFills } from '../../research/scenario/bar-fills.ts';
import type { BandLevel, BandModel } from './run-band.ts';

/** A slippage, as a number and as a scenario says it. */
export interface SlippageLevel extends BandLevel {
  readonly rate: string;
}

/** How much worse a bad slippage is at least, and the last step of the search. */
const worseMin = 0.0005;
const slippageMax = 0.05;

/** The slippage a scenario names, and four times as much, five basis points more at least. */
export function slippageLevels(rate: number): readonly SlippageLevel[] {
  return [levelOf(rate, ', as told'), levelOf(Math.max(rate * 4, rate + worseMin), ', bad')];
}

/** Four times as much; nothing beyond five per cent. */
export function steeperLevel(rate: number): SlippageLevel | undefined {
  if (rate >= slippageMax) return undefined;
  return levelOf(Math.min(slippageMax, Math.max(rate, worseMin) * 4));
}

/** What is believed about the way of a price through a bar, of which nobody knows more than four points. */
export function barModels(fills: BarFills): readonly BandModel<BarFills>[] {
  const { path, limits } = fills;
  return [
    {
      belief: 'pessimistic',
      text: 'pessimistic path, limits through',
      fills: { ...fills, path: 'pessimistic', limits: 'through' },
    },
    { belief: 'fitted', text: `${path} path, limits ${limits}`, fills },
    {
      belief: 'optimistic',
      text: 'highFirst path, limits reach',
      fills: { ...fills, path: 'highFirst', limits: 'reach' },
    },
    {
      belief: 'optimistic',
      text: 'lowFirst path, limits reach',
      fills: { ...fills, path: 'lowFirst', limits: 'reach' },
    },
  ];
}

function levelOf(rate: number, after = ''): SlippageLevel {
  const value = Number(rate.toFixed(10));
  return {
    value,
    rate: value.toFixed(10).replace(/\.?0+$/, ''),
    text: `${Number((value * 10_000).toPrecision(6))} bp${after}`,
  };
}
