import type { Row } from '../row.ts';

export const rows: readonly Row[] = [
  {
    name: 'rate-budgets',
    shows:
      'unlimited demand for ten minutes is never refused, uses the limits and leaves cancels room (I14, I16)',
    minutes: 0.2,
    shortSeconds: 2,
    async measure() {
      const { demandFigures } = await import('../measure/demands.ts');
      return demandFigures(600);
    },
  },
];
