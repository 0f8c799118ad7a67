import type { Candidate, Control } from '../candidate.ts';
import { deny, releasedLots } from '../candidate.ts';

/**
 * The position if everything working on the order's side executes, of the strategy and of the account. An order
 * that leads back towards flat passes, however far beyond the limit the position stands.
 */
export const positionMax: Control = (candidate, view, memory) => {
  const { instrument, request, strategy } = candidate;
  const { name } = strategy.limits;
  const ownMost = strategy.limits.positionMax[instrument.id] ?? 0;
  // Without a limit nothing need be summed up.
  if (ownMost !== Number.POSITIVE_INFINITY) {
    const own = view.position(instrument.id, name).quantity;
    const ownWorst = worst(candidate, own, view.workingLots(instrument.id, request.side, name));
    if (ownWorst > ownMost) {
      return deny(
        'POSITION_MAX',
        `expected a position of strategy ${name} of at most ${ownMost} lots, found ${ownWorst} if all working orders fill`,
      );
    }
  }
  const most = memory.instruments[instrument.id]?.positionMax ?? 0;
  if (most === Number.POSITIVE_INFINITY) return undefined;
  const all = worst(
    candidate,
    view.netPosition(instrument.id),
    view.workingLots(instrument.id, request.side),
  );
  return all <= most
    ? undefined
    : deny(
        'POSITION_MAX',
        `expected a position of the account of at most ${most} lots, found ${all} if all working orders fill`,
      );
};

/** The position in the direction of the order when it and everything working beside it has executed. */
function worst(candidate: Candidate, held: number, working: number): number {
  const towards = candidate.request.side === 'buy' ? held : -held;
  return towards + working - releasedLots(candidate) + candidate.lots;
}
