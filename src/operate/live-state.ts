import type { ServerResponse } from 'node:http';
import { Observable, distinctUntilChanged, filter, map, share, shareReplay } from 'rxjs';
import type { Clock } from '../core/base/clock.ts';
import { millis } from '../core/base/clock.ts';
import type { RunView } from './run-view.ts';
import { accountProfits } from './run-view.ts';

/** Orders in a state that is sent. */
const ordersMax = 200;
const every = millis(250);
/** A reader that leaves more than this unread is dropped: what it would read is old. */
const unreadMax = 1_000_000;
const readersMax = 200;

/**
 * Live state as server-sent events: `state` four times a second while it changes, `journal` as
 * often with what the journal took, `fill` and `alert` as they come. One text is made
 * for all readers, and none while there is no reader. A slow reader is dropped and costs the trader nothing.
 */
export class LiveState {
  readonly #readers = new Set<ServerResponse>();
  readonly #states: Observable<string>;
  readonly #lines: Observable<string>;

  constructor(view: RunView, clock: Clock) {
    this.#states = ticks(clock).pipe(
      map(() => stateText(view)),
      distinctUntilChanged(),
      map((data) => `event: state\ndata: ${data}\n\n`),
      // Who comes later is sent the latest one at once: perhaps nothing changes for long.
      shareReplay({ bufferSize: 1, refCount: true }),
    );
    this.#lines = ticks(clock).pipe(
      map(() => view.tail.fresh()),
      filter((lines) => lines.length > 0),
      map((lines) => `event: journal\ndata: ${JSON.stringify(lines)}\n\n`),
      share(),
    );
    view.onNews(
      (fill) => this.#send(`event: fill\ndata: ${JSON.stringify(fill)}\n\n`),
      (alert) => this.#send(`event: alert\ndata: ${JSON.stringify(alert)}\n\n`),
    );
  }

  get readers(): number {
    return this.#readers.size;
  }

  /** False, and nothing is done, when there are too many readers. */
  add(reader: ServerResponse): boolean {
    if (this.#readers.size >= readersMax) return false;
    reader.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    // The first state comes with the first tick; this opens the stream at once.
    reader.write(': live\n\n');
    this.#readers.add(reader);
    const streams = [this.#states, this.#lines].map((texts) =>
      texts.subscribe((text) => this.#write(reader, text)),
    );
    reader.once('close', () => {
      for (const stream of streams) stream.unsubscribe();
      this.#readers.delete(reader);
    });
    return true;
  }

  close(): void {
    for (const reader of this.#readers) reader.destroy();
  }

  #send(text: string): void {
    for (const reader of this.#readers) this.#write(reader, text);
  }

  #write(reader: ServerResponse, text: string): void {
    if (reader.writableLength > unreadMax) reader.destroy();
    else reader.write(text);
  }
}

/** The clock is not part of it: a state in which nothing else changed is not sent again. */
function stateText(view: RunView): string {
  const { now: _, ...status } = view.status();
  const strategyProfits = view.strategyProfits();
  const feeds = view.feeds().map(({ ageMs: _age, ...feed }) => feed);
  return JSON.stringify({
    status,
    feeds,
    positions: view.positions(),
    profits: Object.fromEntries(accountProfits(strategyProfits)),
    strategyProfits,
    orders: view.orders(ordersMax),
    budgets: view.budgets(),
    limits: view.limits(),
  });
}

function ticks(clock: Clock): Observable<void> {
  return new Observable((subscriber) => {
    let cancel = clock.after(every, function tick(): void {
      cancel = clock.after(every, tick);
      subscriber.next();
    });
    return () => cancel();
  });
}
