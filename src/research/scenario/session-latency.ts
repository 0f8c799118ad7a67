import type { Event } from '../../core/model/event.ts';
import type { Latency } from '../../sim/index.ts';
import { interpolatedWay, joinWays } from '../../sim/index.ts';

const samplesMax = 200_000;

/**
 * The latencies of a session, measured on its own orders: from the moment our controls accepted a command to the time the
 * venue puts on its answer, and from there to the moment we heard of it. Where the venue's clock is so far off that a way
 * would be negative, both ways are taken as half of the round trip.
 */
export class SessionLatency {
  readonly #asked = new Map<string, number>();
  readonly #times: number[] = [];
  readonly #entries: number[] = [];
  readonly #reports: number[] = [];

  observe(event: Event): void {
    switch (event.kind) {
      case 'orderPending':
        this.#asked.set(event.command.request.clientOrderId, event.receiveTime);
        return;
      case 'orderReport': {
        if (event.reportType !== 'new') return;
        const asked = this.#asked.get(event.order.clientOrderId);
        this.#asked.delete(event.order.clientOrderId);
        if (asked !== undefined) this.#sample(asked, event.order.createdAt, event.receiveTime);
        return;
      }
      case 'orderRejected':
        this.#asked.delete(event.clientOrderId);
        return;
      case 'orderDenied':
        if (event.action !== 'cancel') this.#asked.delete(event.clientOrderId);
        return;
      default:
    }
  }

  get samples(): number {
    return this.#times.length;
  }

  /** Medians, in microseconds; 0 without samples. */
  get medians(): { readonly entry: number; readonly report: number } {
    return { entry: median(this.#entries), report: median(this.#reports) };
  }

  /** Latency by time, on straight lines between the samples; `undefined` without any. */
  latency(): Latency | undefined {
    if (this.#times.length === 0) return undefined;
    return joinWays(interpolatedWay(this.#times, this.#entries), interpolatedWay(this.#times, this.#reports));
  }

  #sample(asked: number, happened: number, heard: number): void {
    const previous = this.#times.at(-1);
    if (this.#times.length >= samplesMax || (previous !== undefined && asked < previous)) return;
    const isSkewed = happened < asked || happened > heard;
    const half = Math.floor(Math.max(0, heard - asked) / 2);
    this.#times.push(asked);
    this.#entries.push(isSkewed ? half : happened - asked);
    this.#reports.push(isSkewed ? half : heard - happened);
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
