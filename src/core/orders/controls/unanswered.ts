import { millis } from '../../base/clock.ts';
import type { Control } from '../candidate.ts';
import { deny } from '../candidate.ts';

/** An answer takes less; the gate may hold an order back besides. */
const answerMs = 500;

/**
 * No further order while as many as the limit of unknown orders are without an answer: unknown already, or on their way
 * when the oldest of them is overdue. So an outage alone does not come to the limit, and trading goes on by itself.
 * Source: faults, section 6 (16), and I24.
 */
export const unanswered: Control = (_candidate, view, memory) => {
  const { options, uptime } = memory;
  const { oldestSentAt, sent } = view.inFlight;
  const overdue = millis(options.reconcile.sendDelayMsMax + answerMs);
  const onTheirWay = oldestSentAt !== undefined && uptime - oldestSentAt > overdue ? sent : 0;
  const count = view.unknownCount() + onTheirWay;
  const most = Math.max(1, options.unknownOrdersMax);
  if (count < most) return undefined;
  return deny('UNANSWERED_ORDERS', `expected fewer than ${most} orders without an answer, found ${count}`);
};
