import type { Cancel, Micros } from '../../core/base/clock.ts';
import { later, seconds } from '../../core/base/clock.ts';
import type { Trader } from '../../core/trader/index.ts';
import type { RunAt } from '../../research/report/index.ts';
import { obstacles } from '../../operate/index.ts';
import type { ServiceManager } from '../process/service-manager.ts';
import { statusNotice } from '../process/service-manager.ts';
import { standingOf } from './account-now.ts';

/** Until it is ready, the daemon asks for so much more time at every beat. */
export const startExtension = seconds(60);
const beatMax = seconds(10);
const firstBeats = seconds(1);

export interface ReportedDaemon {
  readonly trader: Pick<Trader, 'view' | 'hosts' | 'safeStates'>;
  readonly at: RunAt;
  readonly now: () => Micros;
}

/**
 * Tells the service manager how the daemon stands. Its beats are timers of the core: where the event loop or the core stands still,
 * there is none, and the watchdog ends the process. Ready means that orders can leave, or that only an operator can change
 * that they cannot.
 */
export class ServiceReport {
  readonly #manager: ServiceManager;
  readonly #daemon: ReportedDaemon;
  readonly #every: Micros;
  #ready = false;
  #stopped = false;
  #status = '';
  #cancel: Cancel = () => {};

  constructor(manager: ServiceManager, daemon: ReportedDaemon) {
    this.#manager = manager;
    this.#daemon = daemon;
    this.#every = Math.min(beatMax, (manager.watchdog ?? Number.POSITIVE_INFINITY) / 3) as Micros;
    this.#beat();
  }

  /** The configuration is read again. */
  reloading(): void {
    if (this.#ready && !this.#stopped) this.#manager.tell(['RELOADING=1']);
  }

  /** It was read. */
  reloaded(): void {
    if (this.#ready && !this.#stopped) this.#manager.tell(['READY=1']);
  }

  /** The run stops: nothing more is told. `goesOn`: another run of this process follows, so the daemon does not stop. */
  stopping(goesOn = false): void {
    this.#stopped = true;
    this.#cancel();
    if (goesOn) {
      this.#manager.tell([`EXTEND_TIMEOUT_USEC=${startExtension}`, 'WATCHDOG=1']);
      return;
    }
    this.#manager.tell(['STOPPING=1', statusNotice('stops: cancels own orders')]);
  }

  #beat(): void {
    const { trader, at, now } = this.#daemon;
    const missing = obstacles(trader);
    const notices: string[] = [];
    if (!this.#ready) {
      this.#ready = missing.length === 0 || trader.view.modeLatched;
      notices.push(this.#ready ? 'READY=1' : `EXTEND_TIMEOUT_USEC=${startExtension}`);
    }
    if (this.#manager.watchdog !== undefined) notices.push('WATCHDOG=1');
    const status = missing.length === 0 ? standingOf(trader) : missing.join('; ');
    if (status !== this.#status) notices.push(statusNotice(status));
    this.#status = status;
    if (notices.length > 0) this.#manager.tell(notices);
    const pause = this.#ready ? this.#every : (Math.min(firstBeats, this.#every) as Micros);
    this.#cancel = at(later(now(), pause), () => this.#beat());
  }
}
