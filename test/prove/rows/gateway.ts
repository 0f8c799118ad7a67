import type { Row } from '../row.ts';

export const rows: readonly Row[] = [
  {
    name: 'gateway',
    shows:
      'what a gateway adds to an order beyond the sync of the disk, alone and while fifty sockets read books',
    minutes: 2.5,
    isAlone: true,
    async measure() {
      const { gatewayFigures } = await import('../measure/gateway.ts');
      return gatewayFigures(30);
    },
  },
];
