import type { Event } from '../../model/event.ts';

/** What the person who watches a run should read at once, as one line; `undefined` for everything else. */
export function troubleOf(event: Event): string | undefined {
  switch (event.kind) {
    case 'strategyStopped':
      return hasFailed(event) ? `strategy ${event.strategy} was stopped: ${event.why}` : undefined;
    case 'strategyNoted':
      return event.level === 'warn' || event.level === 'error'
        ? `strategy ${event.strategy}, ${event.level}: ${event.text}`
        : undefined;
    case 'modeChanged':
      return event.latched && event.mode === 'halted'
        ? `trading halts until an operator clears it: ${event.why}`
        : undefined;
    case 'orderUnknown':
      return `order ${event.clientOrderId} is unknown (${event.why}); the venue is asked what became of it`;
    default:
      return undefined;
  }
}

/** Whether a strategy ended by a fault; one that was unloaded at the end of its run did not. */
export function hasFailed(event: Event): boolean {
  return event.kind === 'strategyStopped' && event.why !== 'unloaded';
}
