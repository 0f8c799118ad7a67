import type { Control } from '../candidate.ts';
import { deny } from '../candidate.ts';

/** A strategy that was stopped sends nothing any more. Source: faults, S8. */
export const stopped: Control = ({ strategy }, view) => {
  const why = view.stopped(strategy.limits.name);
  return why === undefined
    ? undefined
    : deny('STRATEGY_STOPPED', `strategy ${strategy.limits.name} was stopped: ${why}`);
};

/** Orders leave only while the trading session is up. */
export const session: Control = (_candidate, view) =>
  view.sessionUp('trading') ? undefined : deny('SESSION_DOWN', 'the trading session is down');

/** No order before the reconciliation after a start or an outage has finished. Source: faults, section 6 (22). */
export const reconciled: Control = (_candidate, _view, memory) =>
  memory.reconciled
    ? undefined
    : deny('NOT_RECONCILED', 'orders and balances are being compared with the venue');
