import type { Row } from '../row.ts';

export const rows: readonly Row[] = [
  {
    name: 'reconnect',
    shows:
      '500 books that are lost together are live again at the pace of the venue, those with orders first (I14)',
    minutes: 0.5,
    async measure() {
      const { reconnectFigures } = await import('../measure/reconnect.ts');
      return reconnectFigures(500);
    },
  },
];
