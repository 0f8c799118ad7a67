import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextFrames } from '../../../src/venues/net/text-frames.ts';

const seed = 20_260_117;
const lengthMax = 70_000;

/** A frame as a server sends it; `masked` as it must not. */
function frame(first: number, payload: Buffer, masked = false): Buffer {
  const mask = masked ? 0x80 : 0;
  const { length } = payload;
  const head =
    length < 126
      ? Buffer.from([first, mask | length])
      : length < 65_536
        ? Buffer.from([first, mask | 126, length >> 8, length & 255])
        : Buffer.from([first, mask | 127, 0, 0, 0, 0, 0, length >> 16, (length >> 8) & 255, length & 255]);
  return Buffer.concat([head, masked ? Buffer.from([1, 2, 3, 4]) : Buffer.alloc(0), payload]);
}

/** Feeds chunks and puts what came out together again, in order. */
function run(chunks: readonly Buffer[], max = lengthMax): { texts: string[]; others: Buffer; whole: Buffer } {
  const texts: string[] = [];
  const others: Buffer[] = [];
  const whole: Buffer[] = [];
  const frames = new TextFrames(
    {
      text: (payload) => {
        texts.push(payload.toString('utf8'));
        whole.push(frame(0x81, payload));
      },
      other: (bytes) => {
        others.push(bytes);
        whole.push(bytes);
      },
    },
    max,
  );
  for (const chunk of chunks) frames.takeChunk(chunk);
  frames.endStream();
  return { texts, others: Buffer.concat(others), whole: Buffer.concat(whole) };
}

function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b);
  return [...places, bytes.length].map((place, i) => bytes.subarray(places[i - 1] ?? 0, place));
}

const payload = fc.oneof(
  { weight: 8, arbitrary: fc.string({ maxLength: 200 }) },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(300), 'y'.repeat(66_000)) },
);
/** Text, a whole message in fragments with a ping inside, binary, ping, pong, a masked frame. */
const piece = fc.tuple(
  fc.constantFrom('text', 'text', 'text', 'parts', 'binary', 'ping', 'pong', 'masked'),
  payload,
);

function bytesOf([kind, text]: readonly [string, string]): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  const short = bytes.subarray(0, 100);
  switch (kind) {
    case 'parts':
      return Buffer.concat([frame(0x01, short), frame(0x89, short), frame(0x00, bytes), frame(0x80, short)]);
    case 'binary':
      return frame(0x82, bytes);
    case 'ping':
      return frame(0x89, short);
    case 'pong':
      return frame(0x8a, short);
    case 'masked':
      return frame(0x81, short, true);
    default:
      return frame(0x81, bytes);
  }
}

describe('the reader of whole text messages', () => {
  test('picks them out of one chunk and gives everything else away', () => {
    const ping = frame(0x89, Buffer.from('p'));
    const { texts, others } = run([
      Buffer.concat([frame(0x81, Buffer.from('one')), ping, frame(0x81, Buffer.from('two'))]),
    ]);
    expect(texts).toEqual(['one', 'two']);
    expect(others).toEqual(ping);
  });

  test(`loses, repeats and reorders nothing, wherever the chunks are cut (seed ${seed})`, () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        (pieces, cuts) => {
          const bytes = Buffer.concat(pieces.map(bytesOf));
          expect(run(cutAt(bytes, cuts)).whole.equals(bytes)).toBe(true);
        },
      ),
      { seed, numRuns: 300 },
    );
  });

  test('gives away a text frame inside a fragmented message, for it is a breach of the protocol', () => {
    const bytes = Buffer.concat([frame(0x01, Buffer.from('a')), frame(0x81, Buffer.from('b'))]);
    expect(run([bytes])).toMatchObject({ texts: [], others: bytes });
  });

  test('gives away messages above its bound, and frames with reserved bits', () => {
    const long = frame(0x81, Buffer.from('12345678901'));
    const compressed = frame(0xc1, Buffer.from('z'));
    expect(run([Buffer.concat([long, compressed])], 10)).toMatchObject({ texts: [] });
  });

  test('takes nothing behind a close frame', () => {
    const close = frame(0x88, Buffer.from([3, 232]));
    const { texts, others } = run([Buffer.concat([close, frame(0x81, Buffer.from('late'))])]);
    expect(texts).toEqual([]);
    expect(others).toEqual(close);
  });
});
