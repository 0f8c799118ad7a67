import type { Cancel } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/logger.ts';
import type { Event } from '../../core/model/event.ts';
import type { Trader } from '../../core/trader/index.ts';

/** A run at its beginning. */
export interface LoggedSession {
  readonly log: Logger;
  readonly trader: Pick<Trader, 'view' | 'instruments' | 'watchLanes'>;
  readonly run: string;
  readonly mode: string;
  readonly venue: string;
}

/**
 * Writes what a healthy run goes through into its log: its start, its sessions, the first order and its acceptance, and each change of
 * the trading mode. So a log without a line of trouble says that it has seen a run.
 */
export function logSession({ log, trader, run, mode, venue }: LoggedSession): Cancel {
  const { view, instruments } = trader;
  log.info({ run, mode, venue }, 'the run has started');
  let first: string | undefined;
  let isAccepted = false;
  const up = (session: string): void =>
    log.info(
      {},
      session === 'trading' ? 'logged in: the trading session is up' : `the ${session} session is up`,
    );
  for (const session of ['market', 'trading'] as const) if (view.sessionUp(session)) up(session);
  const observe = (event: Event): void => {
    switch (event.kind) {
      case 'sessionUp':
        up(event.session);
        return;
      case 'sessionDown':
        log.warn({ why: event.why }, `the ${event.session} session is down`);
        return;
      case 'modeChanged':
        log.info({ why: event.why }, `trading is ${event.mode}`);
        return;
      case 'orderPending': {
        if (first !== undefined) return;
        const { strategy, request } = event.command;
        first = request.clientOrderId;
        const { symbol } = instruments.at(request.instrument);
        log.info({ order: first, strategy, symbol, side: request.side }, 'the first order is on its way');
        return;
      }
      case 'orderReport':
        if (isAccepted || event.order.clientOrderId !== first) return;
        isAccepted = true;
        log.info({ order: first, report: event.reportType }, 'the venue has answered the first order');
        return;
      default:
    }
  };
  return trader.watchLanes(
    () => {},
    ({ event }) => observe(event),
  );
}
