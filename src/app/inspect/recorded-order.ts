import { Book } from '../../core/book/book.ts';
import type { Micros } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { Frame } from '../../core/model/frame.ts';
import { runChannel } from '../../core/model/frame.ts';
import type { Instrument } from '../../core/model/instrument.ts';
import type { BookView } from '../../core/model/market.ts';
import type { Recording } from '../../data/recording/index.ts';
import { openRecording } from '../../data/open/own-formats.ts';
import { readMark } from '../run/mark.ts';
import type { Declared, OrderStep, OrderTrace } from './order-trace.ts';
import { existsSync } from 'node:fs';

const levelsShown = 5;
const textMax = 400;

/** What a recording adds to the journal's story of an order. */
export interface RecordedOrder {
  readonly steps: readonly OrderStep[];
  readonly book: SeenBook | undefined;
  readonly notes: readonly string[];
}

/** The book when the order was declared, in text. */
export interface SeenBook {
  readonly status: string;
  readonly sequence: number;
  readonly ageMs: number;
  readonly bids: [price: string, quantity: string][];
  readonly asks: [price: string, quantity: string][];
}

/** Looks for the run of an order in the first of `folders` that exists. Damage is a note: the journal's story stands. */
export async function recordedOrder(
  folders: readonly string[],
  id: string,
  trace: OrderTrace,
): Promise<RecordedOrder> {
  const folder = folders.find((one) => existsSync(one));
  if (folder === undefined) return { steps: [], book: undefined, notes: [absent] };
  try {
    const recording = await openRecording([folder], { partial: true });
    const { steps, isThere } = await packetsOf(recording, id, trace);
    if (!isThere) return { steps: [], book: undefined, notes: [`${folder} does not hold run ${trace.run}`] };
    const { declared, instrument } = trace;
    const isKnown = declared !== undefined && instrument !== undefined;
    const book = isKnown ? await bookAt(recording, instrument, declared) : undefined;
    return { steps, book, notes: recording.findings };
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    return { steps: [], book: undefined, notes: [`the recording was not used: ${error.message}`] };
  }
}

const absent =
  'there is no recording (trade --record): the book at that time, the sync of the journal and the packets are not kept';

interface Packets {
  readonly steps: readonly OrderStep[];
  /** Whether the recording holds the run at all. */
  readonly isThere: boolean;
}

/** The packets that name the order, and when its records were on disk. */
async function packetsOf(recording: Recording, id: string, trace: OrderTrace): Promise<Packets> {
  const named = Buffer.from(`"${id}"`);
  const steps: OrderStep[] = [];
  let run: string | undefined;
  let durable = 0;
  let isThere = false;
  /** Since when the order's last command may leave. */
  let ready: Micros | undefined;
  const mark = (frame: Frame): void => {
    const found = readMark(frame);
    if (found.mark === 'start') {
      run = found.run;
      durable = 0;
      isThere ||= run === trace.run;
    } else if (found.mark === 'durable') {
      const isOwn = trace.commands.some((command) => command.run === run && command.index === durable);
      durable += 1;
      if (!isOwn) return;
      ready = frame.receiveTime;
      steps.push(stepOf(frame, 'durable', 'its record is on disk'));
    }
  };
  for await (const frames of recording.frames?.() ?? []) {
    for (const frame of frames) {
      if (frame.channel === runChannel) mark(frame);
      else if (frame.direction === 'in' || frame.direction === 'out') {
        const bytes = Buffer.from(frame.bytes.buffer, frame.bytes.byteOffset, frame.bytes.byteLength);
        if (!bytes.includes(named)) continue;
        const text = `${frame.channel}, ${bytes.byteLength} bytes: ${shortened(bytes.toString('utf8'))}`;
        if (frame.direction === 'in') steps.push(stepOf(frame, 'packet in', text));
        else {
          if (ready !== undefined) steps.push(stepOf(frame, 'budget', budgetText(frame.receiveTime - ready)));
          ready = undefined;
          steps.push(stepOf(frame, 'packet out', text));
        }
      }
    }
  }
  return { steps, isThere };
}

function budgetText(waited: number): string {
  return `it waited ${(waited / 1_000).toFixed(3)} ms for the gate and the request budget`;
}

function stepOf({ receiveTime }: Frame, step: string, text: string): OrderStep {
  return { time: receiveTime, step, text, sequence: undefined };
}

function shortened(text: string): string {
  return text.length <= textMax ? text : `${text.slice(0, textMax)}…`;
}

/** The book of an instrument as it stood when the order was declared. */
async function bookAt(
  recording: Recording,
  { symbol }: Instrument,
  { time }: Declared,
): Promise<SeenBook | undefined> {
  const instrument = recording.instruments.find(symbol);
  if (instrument === undefined) return undefined;
  const book = new Book(instrument.id);
  for await (const events of recording.events()) {
    for (const event of events) {
      if (event.receiveTime > time) return seen(book, instrument, time);
      if (event.kind !== 'bookSnapshot' && event.kind !== 'bookUpdate' && event.kind !== 'bookStale')
        continue;
      if (event.instrument === instrument.id) book.apply(event);
    }
  }
  return seen(book, instrument, time);
}

function seen(book: BookView, instrument: Instrument, time: Micros): SeenBook | undefined {
  if (book.status === 'empty') return undefined;
  const side = (name: 'buy' | 'sell'): SeenBook['bids'] =>
    book
      .levels(name, levelsShown)
      .map(({ price, quantity }) => [instrument.priceText(price), instrument.quantityText(quantity)]);
  return {
    status: book.status,
    sequence: book.sequence,
    ageMs: (time - book.receiveTime) / 1_000,
    bids: side('buy'),
    asks: side('sell'),
  };
}
