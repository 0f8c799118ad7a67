import type { Row } from '../row.ts';

export const rows: readonly Row[] = [
  {
    name: 'isolation',
    shows:
      'a strategy is called no more than twice as late while another one floods, each in a thread of its own (I20)',
    minutes: 1.3,
    isAlone: true,
    async measure() {
      const { isolationFigures } = await import('../measure/isolation.ts');
      return isolationFigures(60);
    },
  },
];
