import type { Row } from '../row.ts';

export const rows: readonly Row[] = [
  {
    name: 'cancels',
    shows: 'a halt ends 25,000 orders of all products in two seconds, and none of others (I7, I15)',
    minutes: 0.6,
    shortSeconds: 3,
    async measure({ isShort, tell }) {
      const { cancelFigures } = await import('../measure/cancels.ts');
      return cancelFigures(isShort ? 0.05 : 1, tell);
    },
  },
];
