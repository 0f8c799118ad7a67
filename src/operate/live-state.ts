import type { ServerResponse } from 'node:http';
import { Observable, map, share } from 'rxjs';
import type { Clock } from '../core/base/clock.ts';
import { millis } from '../core/base/clock.ts';
import type { RunView } from './run-view.ts';
import { liveRows } from './views/all.ts';
import type { HeldRow } from './views/positions.ts';
import { positionsView } from './views/positions.ts';

/** Lists that stood beside the status before there were others: readers know them there. The rest is below `views`. */
const besideStatus = ['feeds', 'positions', 'margin', 'balances', 'orders', 'budgets', 'limits', 'controls'];
const every = millis(250);
/** Ticks without a word until one says that the daemon is there. */
const silenceMax = 4;
/** Fills and alerts that wait for a tick. */
const newsMax = 1_000;
/** A reader that leaves more than this unread is dropped: what it would read is old. */
const unreadMax = 1_000_000;
const readersMax = 200;

/** Texts that one tick has for readers. */
interface Tick {
  /** For a reader of which this is the first one: the state stands in it also when it did not change. */
  readonly first: () => Buffer;
  /** `undefined`: nothing is to be said. */
  readonly next: Buffer | undefined;
}

/**
 * Live state as server-sent events, in one write four times a second: `state` when it changed, `journal` with what the journal took,
 * `fill` and `alert` for what came; a comment when there was nothing for a second. One text is made for
 * all readers, and none while there is no reader. A slow reader is dropped and costs the trader nothing.
 */
export class LiveState {
  readonly #view: RunView;
  readonly #readers = new Set<ServerResponse>();
  readonly #ticks: Observable<Tick>;
  #news: string[] = [];
  #state = '';
  #silence = 0;

  constructor(view: RunView, clock: Clock) {
    this.#view = view;
    this.#ticks = ticks(clock).pipe(
      map(() => this.#tick()),
      share(),
    );
    view.onNews(
      (fill) => this.#note('fill', fill),
      (alert) => this.#note('alert', alert),
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
    let isFirst = true;
    const stream = this.#ticks.subscribe(({ first, next }) => {
      const bytes = isFirst ? first() : next;
      isFirst = false;
      if (bytes === undefined) return;
      if (reader.writableLength > unreadMax) reader.destroy();
      else reader.write(bytes);
    });
    reader.once('close', () => {
      stream.unsubscribe();
      this.#readers.delete(reader);
    });
    return true;
  }

  close(): void {
    for (const reader of this.#readers) reader.destroy();
  }

  #note(event: 'fill' | 'alert', value: object): void {
    if (this.#readers.size === 0) return;
    this.#news.push(textOf(event, JSON.stringify(value)));
    if (this.#news.length > newsMax) this.#news.shift();
  }

  #tick(): Tick {
    const lines = this.#view.tail.fresh();
    if (lines.length > 0) this.#news.push(textOf('journal', JSON.stringify(lines)));
    const news = this.#news.join('');
    this.#news = [];
    const state = textOf('state', stateText(this.#view));
    const said = state === this.#state ? news : state + news;
    this.#state = state;
    this.#silence = said === '' ? this.#silence + 1 : 0;
    const text = this.#silence === silenceMax ? ': here\n\n' : said;
    if (this.#silence === silenceMax) this.#silence = 0;
    return {
      first: () => Buffer.from(state + news),
      next: text === '' ? undefined : Buffer.from(text),
    };
  }
}

function textOf(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`;
}

/** The clock is not part of it: a state in which nothing else changed is not sent again. */
function stateText(view: RunView): string {
  const rows = liveRows(view);
  const beside = besideStatus.map((name) => [name, rows[name]]);
  const positions = rows[positionsView.name] as readonly HeldRow[];
  const { now: _, ...status } = view.status(positions);
  return JSON.stringify({
    status,
    ...Object.fromEntries(beside),
    profits: Object.fromEntries(view.profits(positions)),
    drawdowns: Object.fromEntries(view.drawdowns()),
    strategyProfits: view.strategyProfits(positions),
    views: Object.fromEntries(Object.entries(rows).filter(([name]) => !besideStatus.includes(name))),
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
