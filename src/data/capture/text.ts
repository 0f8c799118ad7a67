import { BadInput } from '../../core/base/errors.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { Channel, Direction, Frame } from '../../core/model/frame.ts';
import { captureFormats } from '../frames/index.ts';
import { readLines, thrownBy } from '../recording/index.ts';

const addressed = /^([a-z]+:\/\/[^ ]+) (<->|<-|->) (\d{1,10}(?:\.\d+)?)(?:: ([\s\S]*))?$/;
const received = /^(\d{1,10}(?:\.\d+)?): /;
/** Enough of a line to see a stamp. */
const stampLengthMax = 40;

const reopenedReason = Buffer.from('the socket was opened again');

export type CapturedVenue = ReturnType<typeof captureFormats>[number];

/** The venue of a capture: that of the first address in it that a registered venue knows, or the first venue. */
export async function captureFormatOf(path: string): Promise<CapturedVenue> {
  const [first, ...others] = captureFormats();
  if (first === undefined) throw new BadInput(`${path}: no venue is registered whose captures can be read`);
  if (others.length === 0) return first;
  for await (const { lines } of readLines(path)) {
    for (const line of lines) {
      const [, url] = addressed.exec(latin(line)) ?? [];
      const found =
        url && [first, ...others].find((one) => one.captures.channelOf(pathOf(url)) !== undefined);
      if (found) return found;
    }
  }
  return first;
}

function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/[?#].*$/, '');
}

/** Content of a line of a capture. `configuration` lines carry no frame. */
export type CaptureLine =
  | { readonly kind: 'configuration'; readonly text: string }
  | {
      readonly kind: 'frame';
      readonly frame: Frame;
      readonly reopened: boolean;
      /** Whether it is the REST reply with the symbol list. */
      readonly isSymbolList: boolean;
    };

/**
 * Reads the text captures of the cryptofeed project, line by line.
 *
 * ```
 * <url> <-> <t>            a socket was opened      <url> <- <t>: <text>   we sent
 * <t>: <text>              we received              <url> -> <t>: <body>   a REST reply
 * configuration: <json>    what was asked for
 * ```
 * `t` is local time in seconds. A received line belongs to the socket opened last.
 */
export class CaptureReader {
  readonly #path: string;
  /** Channel of the socket opened last. */
  #channel: Channel | undefined;

  readonly #venue: CapturedVenue;

  /** `path` is only named in errors. */
  constructor(path: string, venue: CapturedVenue) {
    this.#path = path;
    this.#venue = venue;
  }

  /** Reads one line. Throws `BadInput` with file, line and what was expected. */
  read(line: Uint8Array, number: number): CaptureLine {
    const head = latin(line.subarray(0, stampLengthMax));
    const stamp = received.exec(head);
    if (stamp !== null) return this.#received(line, number, stamp);
    const text = Buffer.from(line).toString('utf8');
    if (text.startsWith('configuration: ')) return { kind: 'configuration', text: text.slice(15) };
    const match = addressed.exec(text);
    if (match === null) {
      throw this.#bad(
        number,
        'expected "<url> <-> <t>", "<url> <- <t>: <text>", "<t>: <text>", "<url> -> <t>: <text>" or "configuration: <json>"',
        text,
      );
    }
    const [, url = '', arrow, time = '', body] = match;
    if ((arrow === '<->') !== (body === undefined)) {
      throw this.#bad(
        number,
        'expected a text behind the time of a message, and none behind an opening',
        text,
      );
    }
    const direction: Direction = arrow === '<->' ? 'open' : arrow === '<-' ? 'out' : 'in';
    const channel = this.#channelOf(url, number);
    const reopened = direction === 'open' && this.#channel !== undefined;
    if (direction === 'open') this.#channel = channel;
    const bytes = Buffer.from(direction === 'open' ? url : (body ?? ''), 'utf8');
    const isSymbolList = arrow === '->' && this.#venue.captures.isSymbolList(url);
    return {
      kind: 'frame',
      reopened,
      isSymbolList,
      frame: { channel, direction, receiveTime: microsOf(time), bytes },
    };
  }

  #received(line: Uint8Array, number: number, stamp: RegExpExecArray): CaptureLine {
    if (this.#channel === undefined) {
      throw this.#bad(number, 'expected a line "<url> <-> <t>" before the first received text', stamp[0]);
    }
    const frame: Frame = {
      channel: this.#channel,
      direction: 'in',
      receiveTime: microsOf(stamp[1] ?? ''),
      bytes: line.subarray(stamp[0].length),
    };
    return { kind: 'frame', frame, reopened: false, isSymbolList: false };
  }

  #channelOf(url: string, number: number): Channel {
    const channel = this.#venue.captures.channelOf(pathOf(url));
    if (channel === undefined) throw this.#bad(number, `expected ${this.#venue.captures.expected}`, url);
    return channel;
  }

  #bad(number: number, expectation: string, found: string): BadInput {
    return new BadInput(
      `${this.#path}:${number}: ${expectation}, found ${JSON.stringify(found.slice(0, 80))}`,
    );
  }
}

/**
 * The frames of a capture file, plain or packed, in batches. A socket that is opened again was lost: a `close` frame
 * stands before. Throws `BadInput` with file, line and expectation.
 */
export async function* readCapture(path: string): AsyncGenerator<readonly Frame[], void, undefined> {
  const reader = new CaptureReader(path, await captureFormatOf(path));
  for await (const { number, lines } of readLines(path)) {
    const frames: Frame[] = [];
    const refusal = thrownBy(() => {
      for (const [index, line] of lines.entries()) {
        if (line.length === 0) continue;
        const read = reader.read(line, number + index);
        if (read.kind !== 'frame') continue;
        if (read.reopened) frames.push({ ...read.frame, direction: 'close', bytes: reopenedReason });
        frames.push(read.frame);
      }
    });
    // What stands before a line that is refused is yielded before the refusal.
    if (frames.length > 0) yield frames;
    if (refusal !== undefined) throw refusal.error;
  }
}

/** Whether the first line of a text looks like one of a capture. */
export function looksLikeCapture(line: string): boolean {
  return line.startsWith('configuration: ') || /^[a-z]+:\/\/[^ ]+ (<->|<-|->) \d/.test(line);
}

/** Seconds with a fraction to whole microseconds, rounded: the captures print doubles with up to seven digits. */
function microsOf(text: string): Micros {
  const [whole = '0', fraction = ''] = text.split('.');
  const padded = fraction.padEnd(7, '0');
  const micros = Number(padded.slice(0, 6)) + (Number(padded[6]) >= 5 ? 1 : 0);
  return (Number(whole) * 1_000_000 + micros) as Micros;
}

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
