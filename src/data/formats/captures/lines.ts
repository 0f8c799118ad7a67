import type { Micros } from '../../../core/base/clock.ts';
import { BadInput } from '../../../core/base/errors.ts';
import { secondsOf, listRows, textOf } from '../fields.ts';
import type { FileHead } from '../format.ts';
import { itemsOfLines } from '../line-items.ts';
import type { MarketWriter, Decoder, SourceItem } from '../market-writer.ts';
import type { Members } from '../../../core/base/members.ts';

/** One line of a text capture of any venue. */
export interface CaptureItem extends SourceItem {
  readonly path: string;
  readonly number: number;
  readonly receiveTime: Micros;
  /** `open`: a socket was opened. `sent`, `received`: on it. `reply`: of a REST call. */
  readonly kind: 'open' | 'sent' | 'received' | 'reply';
  /** Address of the call for a reply, of the socket otherwise. */
  readonly url: string;
  readonly body: Uint8Array;
}

const addressed = /^([a-z]+:\/\/[^ ]+) (<->|<-|->) (\d{1,10}(?:\.\d+)?)(?:: )?/;
const received = /^(\d{1,10}(?:\.\d+)?): /;
const kinds = { '<->': 'open', '<-': 'sent', '->': 'reply' } as const;

/**
 * The lines of a text capture of the cryptofeed project, of whatever venue. `configuration:` lines are passed over.
 * Throws `BadInput` with file, line and expectation.
 */
async function* readCaptureLines(path: string): AsyncGenerator<readonly CaptureItem[], void, undefined> {
  let socket = '';
  yield* itemsOfLines(path, (line, number) => {
    const item = itemOf(line, path, number, socket);
    if (item?.kind === 'open') socket = item.url;
    return item;
  });
}

/** Content of a capture without market data, for a sentence: recorders write symbol lists into a file beside the sockets. */
async function contentOf(path: string): Promise<string> {
  let url: string | undefined;
  for await (const items of readCaptureLines(path)) {
    if (items.some(({ kind }) => kind === 'received')) return 'none';
    url ??= items.find(({ kind }) => kind === 'reply')?.url;
  }
  return url === undefined
    ? 'no message'
    : `replies to ${url} alone, such as a list of symbols; give the capture of the socket`;
}

/** How captures are read. */
export const captureLines = { read: readCaptureLines, contentOf } as const;

/**
 * Whether the beginning of a file is a capture of sockets or calls of one of these hosts. Its configuration, and replies of other
 * hosts of the venue, may come first.
 */
export function isCaptureOf(head: FileHead, hosts: RegExp): boolean {
  return head.text.split('\n', headLinesMax).some((line) => {
    const url = addressed.exec(line.slice(0, urlLengthMax))?.[1];
    return url !== undefined && URL.canParse(url) && hosts.test(new URL(url).host);
  });
}

const headLinesMax = 200;
const urlLengthMax = 16_384;

/** A decoder of what a venue sends over its sockets and answers to calls. */
export interface VenueDecoder {
  received(body: Uint8Array, writer: MarketWriter, item: CaptureItem): void;
  /** The body of a REST reply; absent where none matters. */
  reply?(body: Uint8Array, writer: MarketWriter, item: CaptureItem): void;
}

/** Decoder of what is common to captures: a socket opened again was lost before. */
export function captureDecoder(venue: VenueDecoder): Decoder<CaptureItem> {
  const opened = new Set<string>();
  return {
    accept: (item, writer) => {
      if (item.kind === 'received') venue.received(item.body, writer, item);
      else if (item.kind === 'reply') venue.reply?.(item.body, writer, item);
      else if (item.kind === 'open') {
        if (opened.has(item.path)) writer.disconnected();
        opened.add(item.path);
      }
    },
  };
}

function itemOf(line: Uint8Array, path: string, number: number, socket: string): CaptureItem | undefined {
  const start = Buffer.from(line.subarray(0, 4_096)).toString('latin1');
  const stamp = received.exec(start);
  if (stamp !== null) {
    if (socket === '') {
      throw new BadInput(`${path}:${number}: expected "<url> <-> <t>" before the first received text`);
    }
    return {
      path,
      number,
      receiveTime: secondsOf(stamp[1], 'the local time'),
      kind: 'received',
      url: socket,
      body: line.subarray(stamp[0].length),
    };
  }
  if (start.startsWith('configuration: ')) return undefined;
  const match = addressed.exec(start);
  if (match === null) {
    throw new BadInput(
      `${path}:${number}: expected "<url> <-> <t>", "<url> <- <t>: <text>", "<t>: <text>" or "<url> -> <t>: <text>", found ${JSON.stringify(start.slice(0, 80))}`,
    );
  }
  const [whole, url = '', arrow, time] = match;
  return {
    path,
    number,
    receiveTime: secondsOf(time, 'the local time'),
    kind: kinds[arrow as keyof typeof kinds],
    url,
    body: line.subarray(whole.length),
  };
}

/**
 * Emits the levels of a message whose sides are lists of `[price, size, ...]` under these names. Throws `BadInput` when
 * they are something else.
 */
export function writeLevels(row: Members, bids: string, asks: string, writer: MarketWriter): void {
  for (const level of listRows(row[bids], `"${bids}"`)) {
    writer.level(0, textOf(level[0], 'a price'), textOf(level[1], 'a size'));
  }
  for (const level of listRows(row[asks], `"${asks}"`)) {
    writer.level(1, textOf(level[0], 'a price'), textOf(level[1], 'a size'));
  }
}
