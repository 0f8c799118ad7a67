import type { Row } from '../row.ts';

export const rows: readonly Row[] = [
  {
    name: 'virtual-day',
    shows: 'a day with a fault every hour leaves nothing behind in memory, timers and files (I21)',
    minutes: 8,
    isAlone: true,
    async measure({ tell, stopped }) {
      const { dayFigures } = await import('../measure/day.ts');
      return dayFigures({ hours: 24, tell, stopped });
    },
  },
];
