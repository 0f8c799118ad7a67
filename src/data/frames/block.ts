import { assert } from '../../core/base/assert.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { Channel, Direction, Frame } from '../../core/model/frame.ts';
import { ByteReader, ByteWriter } from '../recording/index.ts';

const directions: readonly Direction[] = ['in', 'out', 'open', 'close'];

/** Collects frames for one block: time as a difference, channel and direction in one number, then the bytes. */
export class FrameBlockWriter {
  readonly #channels: readonly Channel[];
  readonly #writer = new ByteWriter(256 * 1024);
  #count = 0;
  #base = 0;
  #last = 0;

  /** `channels`: the table the file header carries; frames name a channel by its place in it. */
  constructor(channels: readonly Channel[]) {
    this.#channels = channels;
  }

  get count(): number {
    return this.#count;
  }

  /** Bytes collected. */
  get length(): number {
    return this.#writer.length;
  }

  /** Receive time of the first frame, 0 when there is none. */
  get base(): number {
    return this.#base;
  }

  add(frame: Frame): void {
    if (this.#count === 0) {
      this.#base = frame.receiveTime;
      this.#last = frame.receiveTime;
    }
    this.#writer.delta(frame.receiveTime, this.#last);
    const channel = this.#channels.indexOf(frame.channel);
    assert(channel >= 0, 'a frame names a channel that the header does not');
    this.#writer.varint(channel * 4 + directions.indexOf(frame.direction));
    this.#writer.bytes(frame.bytes);
    this.#last = frame.receiveTime;
    this.#count += 1;
  }

  /** The bytes of the block; the writer begins anew. */
  take(): Uint8Array {
    const bytes = this.#writer.take();
    this.#writer.clear();
    this.#count = 0;
    return bytes;
  }
}

/** The frames of a block. Their bytes are parts of `raw`. Throws `BadInput` when the block does not hold `count`. */
export function readFrameBlock(
  raw: Uint8Array,
  count: number,
  base: number,
  channels: readonly Channel[],
): readonly Frame[] {
  const reader = new ByteReader(raw);
  const frames: Frame[] = [];
  let last = base;
  for (let i = 0; i < count; i++) {
    last = reader.delta(last);
    const code = reader.varint();
    const channel = channels[Math.floor(code / 4)];
    if (channel === undefined) throw new BadInput(`expected a channel of the header, found number ${code}`);
    const direction = directions[code % 4] as Direction;
    frames.push({ channel, direction, receiveTime: last as Micros, bytes: reader.bytes() });
  }
  if (reader.left > 0)
    throw new BadInput(`expected ${count} frames in a block, found ${reader.left} more bytes`);
  return frames;
}
