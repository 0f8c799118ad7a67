import type { Control } from '../candidate.ts';
import { deny, releasedLots } from '../candidate.ts';

/**
 * Halted: no order. Reducing: only orders that shrink the strategy's position, what is already working towards
 * that included. Source: faults, section 1.
 */
export const mode: Control = (candidate, view) => {
  if (view.mode === 'active') return undefined;
  if (view.mode === 'halted') return deny('MODE_HALTED', `trading is halted: ${view.modeWhy}`);
  const { request, lots, strategy, instrument } = candidate;
  const held = view.position(instrument.id, strategy.limits.name).quantity;
  const open = request.side === 'buy' ? -held : held;
  const working =
    view.workingLots(instrument.id, request.side, strategy.limits.name) - releasedLots(candidate);
  if (open > 0 && working + lots <= open) return undefined;
  return deny(
    'MODE_REDUCING',
    `expected an order that shrinks the position of ${held} lots (${working} lots already working), found ${request.side} ${lots}`,
  );
};
