import type { Amount } from '../base/amount.ts';
import { formatAmount } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import { microsPerSecond } from '../base/clock.ts';
import type { StrategyNoted } from '../model/event.ts';
import type { StrategyLog } from './context.ts';
import type { IntentSink } from './intent-sink.ts';

type Level = StrategyNoted['level'];
type Fields = Readonly<Record<string, unknown>>;

const textMax = 2_000;
const notesPerSecondMax = 1_000;

/** A strategy's log. Each note is one line; more than 1,000 in a second of event time are dropped and counted. */
export class NoteLog implements StrategyLog {
  readonly #sink: Pick<IntentSink, 'noteText'>;
  readonly #now: () => Micros;
  #second = -1;
  #count = 0;
  #dropped = 0;

  constructor(sink: Pick<IntentSink, 'noteText'>, now: () => Micros) {
    this.#sink = sink;
    this.#now = now;
  }

  debug(text: string, fields?: Fields): void {
    this.#noteText('debug', text, fields);
  }

  info(text: string, fields?: Fields): void {
    this.#noteText('info', text, fields);
  }

  warn(text: string, fields?: Fields): void {
    this.#noteText('warn', text, fields);
  }

  error(text: string, fields?: Fields): void {
    this.#noteText('error', text, fields);
  }

  #noteText(level: Level, text: string, fields: Fields | undefined): void {
    const second = Math.floor(this.#now() / microsPerSecond);
    if (second !== this.#second) this.#turn(second);
    if (this.#count >= notesPerSecondMax) {
      this.#dropped += 1;
      return;
    }
    this.#count += 1;
    this.#sink.noteText(level, oneLine(text, fields));
  }

  #turn(second: number): void {
    const dropped = this.#dropped;
    this.#second = second;
    this.#count = 0;
    this.#dropped = 0;
    if (dropped > 0) this.#sink.noteText('warn', `${dropped} notes of this strategy were dropped`);
  }
}

/** Text and fields on one line: control and direction marks are written as escapes, long ends are cut. */
function oneLine(text: unknown, fields: Fields | undefined): string {
  // Authors may write in plain JavaScript: whatever came is printed.
  const head = String(text).slice(0, textMax);
  const line = fields === undefined ? head : `${head} ${printFields(fields)}`;
  return escapeMarks(line.slice(0, textMax));
}

function printFields(fields: Fields): string {
  try {
    return Object.entries(fields)
      .map(([key, value]) => `${key}=${printValue(value)}`)
      .join(' ');
  } catch {
    return '(fields that cannot be printed)';
  }
}

function printValue(value: unknown): string {
  if (typeof value === 'string') return /^[\w.:+-]+$/.test(value) ? value : JSON.stringify(value);
  if (typeof value === 'object' && value !== null) {
    return JSON.stringify(value, (_key, part: unknown) =>
      typeof part === 'bigint' ? amountText(part) : part,
    );
  }
  return typeof value === 'bigint' ? amountText(value) : String(value);
}

/** An amount as the decimal it stands for: it is the one whole number of any size that a strategy is handed. */
function amountText(value: bigint): string {
  return formatAmount(value as Amount);
}

/** Controls, line separators and bidirectional marks would let one note look like two. */
export function escapeMarks(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu,
    (mark) => `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}
