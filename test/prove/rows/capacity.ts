import type { Row } from '../row.ts';

export const rows: readonly Row[] = [
  {
    name: 'capacity',
    shows:
      'a daemon with 25,000 live orders and 500 books of 200 levels a side knows each, and reads take less than a millisecond',
    minutes: 3,
    isAlone: true,
    async measure({ tell }) {
      const { capacityFigures } = await import('../measure/capacity.ts');
      return capacityFigures({ orders: 25_000, books: 500, levels: 200, tell });
    },
  },
];
