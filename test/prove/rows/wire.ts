import type { Row } from '../row.ts';

export const rows: readonly Row[] = [
  {
    name: 'decision-to-wire',
    shows:
      'an order leaves a millisecond after its decision beyond the sync of the disk, which is measured beside it (I2)',
    minutes: 1.3,
    isAlone: true,
    async measure() {
      const { wireFigures } = await import('../measure/wire.ts');
      return wireFigures(60);
    },
  },
];
