import type { Cancel, Clock, Micros } from './clock.ts';
import { microsPerMilli } from './clock.ts';

/** Node fires a delay above 2^31 - 1 ms at once, so long waits are walked in chunks. */
const chunkMsMax = 2_000_000_000;

/** The machine's clock: the only file that may read ambient time or set ambient timers. */
export class SystemClock implements Clock {
  now(): Micros {
    return Math.round((performance.timeOrigin + performance.now()) * 1_000) as Micros;
  }

  uptime(): Micros {
    return Math.round(performance.now() * 1_000) as Micros;
  }

  after(delay: Micros, task: () => void): Cancel {
    const due = this.uptime() + delay;
    let timeout: NodeJS.Timeout;
    const wait = (): void => {
      const leftMs = Math.ceil((due - this.uptime()) / microsPerMilli);
      if (leftMs <= chunkMsMax) timeout = setTimeout(task, Math.max(0, leftMs));
      else timeout = setTimeout(wait, chunkMsMax);
    };
    wait();
    return () => clearTimeout(timeout);
  }
}
