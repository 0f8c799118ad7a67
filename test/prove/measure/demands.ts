import { cancelWaitMax, unlimitedDemands } from '../../core/budgets/support/unlimited-demands.ts';
import type { Figure } from '../row.ts';

/** Unlimited demand for `forSeconds` of virtual time under every reading of the limit: what was refused, the worst rate, the longest wait. */
export function demandFigures(forSeconds: number): readonly Figure[] {
  const results = unlimitedDemands.map((demand) => ({ ...demand, ...demand.run(forSeconds) }));
  const readings = Map.groupBy(results, ({ name }) => name);
  return [
    {
      name: 'refused',
      value: results.reduce((sum, { refused }) => sum + refused, 0),
      unit: `of ${results.reduce((sum, { sent }) => sum + sent, 0)} requests`,
      limit: { atMost: 0 },
      seed: 11,
    },
    ...Array.from(readings, ([name, of]): Figure => {
      const worst = of.reduce((least, one) => (one.rate < least.rate ? one : least));
      return {
        name: `least rate ${name}`,
        value: Number(worst.rate.toFixed(1)),
        unit: 'orders/s',
        limit: { atLeast: worst.least },
        seed: worst.seed,
        note: `at ${worst.at}`,
      };
    }),
    {
      name: 'longest wait of a cancel',
      value: Math.max(...results.map((one) => one.cancelWaitMax)) / 1_000,
      unit: 'ms',
      limit: { atMost: cancelWaitMax / 1_000 },
      seed: 11,
      note: 'while new orders saturate the limit',
    },
  ];
}
