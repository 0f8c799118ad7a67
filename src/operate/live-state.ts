import type { ServerResponse } from 'node:http';
import type { Cancel, Clock } from '../core/base/clock.ts';
import { millis } from '../core/base/clock.ts';
import type { SlicedWork } from '../core/base/slices.ts';
import { eachInSlices, runInSlices } from '../core/base/slices.ts';
import { textRows } from './long-list.ts';
import type { RunView } from './run-view.ts';
import { liveRows, liveViews } from './views/all.ts';
import type { HeldRow } from './views/positions.ts';
import { positionsView } from './views/positions.ts';
import type { View, ViewRow } from './views/view.ts';

/** Lists that stood beside the status before there were others: readers know them there. The rest is below `views`. */
const besideStatus = ['feeds', 'positions', 'margin', 'balances', 'orders', 'budgets', 'limits', 'controls'];
const ofMoney = liveViews.filter(({ isOfMoney }) => isOfMoney === true);
const ofOthers = liveViews.filter(({ isOfMoney }) => isOfMoney !== true);
const every = millis(250);
/** Ticks without a word until one says that the daemon is there. */
const silenceMax = 4;
/** Fills and alerts that wait for a tick. */
const newsMax = 1_000;
/** A reader that leaves more than this unread is dropped: what it would read is old. */
const unreadMax = 1_000_000;
const readersMax = 200;
/** Bytes that are written in one turn of the loop, if not to one reader alone: a write costs by its length. */
const turnBytesMax = 1_000_000;

/**
 * Live state as server-sent events, in one write four times a second: `state` when it changed, `journal` with what the journal took,
 * `fill` and `alert` for what came; a comment when there was nothing for a second. One text is made for
 * all readers, and none while there is no reader; a long one is made and written in several turns of the loop. A slow reader is dropped
 * and costs the trader nothing.
 */
export class LiveState {
  readonly #view: RunView;
  readonly #clock: Clock;
  readonly #readers = new Set<ServerResponse>();
  /** Readers that have no state yet. */
  readonly #fresh = new Set<ServerResponse>();
  #cancelTick: Cancel = ignore;
  #cancelSlices: Cancel = ignore;
  #isTelling = false;
  #news: string[] = [];
  #state = '';
  #silence = 0;

  constructor(view: RunView, clock: Clock) {
    this.#view = view;
    this.#clock = clock;
    view.onNews(
      (fill) => this.#noteNews('fill', fill),
      (alert) => this.#noteNews('alert', alert),
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
    if (this.#readers.size === 0) this.#tickLater();
    this.#readers.add(reader);
    this.#fresh.add(reader);
    reader.once('close', () => {
      this.#readers.delete(reader);
      this.#fresh.delete(reader);
      if (this.#readers.size === 0) this.#stop();
    });
    return true;
  }

  close(): void {
    this.#stop();
    for (const reader of this.#readers) reader.destroy();
  }

  #stop(): void {
    this.#cancelTick();
    this.#cancelSlices();
    this.#isTelling = false;
  }

  #noteNews(event: 'fill' | 'alert', value: object): void {
    if (this.#readers.size === 0) return;
    this.#news.push(textOf(event, JSON.stringify(value)));
    if (this.#news.length > newsMax) this.#news.shift();
  }

  #tickLater(): void {
    this.#cancelTick = this.#clock.after(every, () => {
      this.#tickLater();
      // A machine that is busy may not be through with the one before.
      if (this.#isTelling) return;
      this.#isTelling = true;
      this.#cancelSlices = runInSlices(this.#tellReaders(), this.#clock);
    });
  }

  *#tellReaders(): SlicedWork {
    try {
      yield* this.#tellState();
    } finally {
      this.#isTelling = false;
    }
  }

  *#tellState(): SlicedWork {
    const state = textOf('state', yield* stateText(this.#view));
    const lines = this.#view.tail.fresh();
    if (lines.length > 0) this.#news.push(textOf('journal', JSON.stringify(lines)));
    const news = this.#news.join('');
    this.#news = [];
    const said = state === this.#state ? news : state + news;
    this.#state = state;
    this.#silence = said === '' ? this.#silence + 1 : 0;
    const text = this.#silence === silenceMax ? ': here\n\n' : said;
    if (this.#silence === silenceMax) this.#silence = 0;
    const fresh = new Set(this.#fresh);
    this.#fresh.clear();
    const next = text === '' ? undefined : Buffer.from(text);
    // The state stands in the first one of a reader also when it did not change.
    const first = fresh.size === 0 ? undefined : Buffer.from(state + news);
    let written = 0;
    const readers = [...this.#readers];
    for (const reader of readers) {
      const bytes = fresh.has(reader) ? first : next;
      if (bytes === undefined || !this.#readers.has(reader)) continue;
      if (written > 0 && written + bytes.length > turnBytesMax) {
        yield;
        written = 0;
      }
      written += bytes.length;
      if (reader.writableLength > unreadMax) reader.destroy();
      else reader.write(bytes);
    }
  }
}

function textOf(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`;
}

/**
 * JSON of the live state, made in slices of rows. Figures of money are of one moment, the other rows are each of their own. The clock is not
 * part of it: a state in which nothing else changed is not sent again.
 */
function* stateText(view: RunView): SlicedWork<string> {
  const texts = new Map(liveViews.map(({ name }) => [name, '']));
  const positions: HeldRow[] = [];
  const take = ([{ name }, row]: readonly [View, ViewRow]): void => {
    const before = texts.get(name) ?? '';
    texts.set(name, `${before}${before === '' ? '' : ','}${JSON.stringify(row)}`);
    // Rows of a view are made of its fields.
    if (name === positionsView.name) positions.push(row as HeldRow);
  };
  for (const row of liveRows(view, ofMoney)) take(row);
  const { now: _, ...status } = view.status(positions);
  const head = JSON.stringify(status);
  const money = JSON.stringify({
    profits: Object.fromEntries(view.profits(positions)),
    drawdowns: Object.fromEntries(view.drawdowns()),
    strategyProfits: view.strategyProfits(positions),
  });
  yield* eachInSlices(liveRows(view, ofOthers), take, textRows);
  const list = (name: string): string => `"${name}":[${texts.get(name)}]`;
  const others = liveViews.map(({ name }) => name).filter((name) => !besideStatus.includes(name));
  const lists = besideStatus.map(list).join(',');
  return `{"status":${head},${lists},${money.slice(1, -1)},"views":{${others.map(list).join(',')}}}`;
}

function ignore(): void {}
