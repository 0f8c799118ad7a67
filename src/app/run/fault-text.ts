import { timeText } from '../../core/base/clock.ts';
import type { StrategyStopped } from '../../core/model/event.ts';
import type { Trader } from '../../core/trader/trader.ts';

/** Which strategy was stopped, at which event of the run, and why. `sequence`: that of the stop itself. */
export function faultText(stop: StrategyStopped, sequence: number, trader: Trader): string {
  const { strategy, why } = stop;
  // A rule of ours stops a strategy that is told of nothing.
  const at = trader.stoppedAt(strategy) ?? { sequence, event: stop };
  const time = timeText(at.event.receiveTime);
  return `strategy ${strategy} was stopped: at event ${at.sequence} (${at.event.kind}, ${time}): ${why}`;
}
