import type { Control } from '../candidate.ts';
import { deny } from '../candidate.ts';

/** The same symbol, side, price and quantity from one strategy inside a second. Source: faults, section 6 (12). */
export const duplicate: Control = ({ strategy, request, replaces }, _view, memory) => {
  if (replaces !== undefined) return undefined;
  const other = strategy.recent.equalTo(request, memory.uptime, memory.duplicateWindow);
  return other === undefined
    ? undefined
    : deny(
        'DUPLICATE_ORDER',
        `order ${other.clientOrderId} asked for the same less than ${memory.options.duplicateMs} ms ago`,
      );
};
