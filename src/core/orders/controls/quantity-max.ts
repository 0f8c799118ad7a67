import type { Control } from '../candidate.ts';
import { deny } from '../candidate.ts';

/** The largest quantity of one order. */
export const quantityMax: Control = ({ instrument, request }, _view, memory) => {
  const most = memory.instruments[instrument.id]?.quantityMax ?? 0;
  return request.quantity <= most
    ? undefined
    : deny(
        'QUANTITY_MAX',
        `expected at most ${most} lots of ${instrument.symbol}, found ${request.quantity}`,
      );
};
