import type { Row } from '../row.ts';

export const rows: readonly Row[] = [
  {
    name: 'restart',
    shows:
      'a daemon with 25,000 live orders and a million records is ready again in ten seconds (I6, I7, I11)',
    minutes: 1.5,
    isAlone: true,
    async measure({ tell }) {
      const { restartFigures } = await import('../measure/restart.ts');
      return restartFigures({ orders: 25_000, records: 1_000_000, tell });
    },
  },
];
