import type { Clock } from '../../../core/base/clock.ts';
import type { Channel, Direction, Frame } from '../../../core/model/frame.ts';

/** Hears every frame as it crosses a socket, credentials cut out. */
export type Recorder = (frame: Frame) => void;

/** Makes the frames of one channel: stamps them, and lets the recorder hear them first. */
export class FrameTap {
  readonly #channel: Channel;
  readonly #clock: Clock;
  readonly #recorder: Recorder | undefined;

  constructor(channel: Channel, clock: Clock, recorder: Recorder | undefined) {
    this.#channel = channel;
    this.#clock = clock;
    this.#recorder = recorder;
  }

  /** A frame that carries `bytes`, received or sent now unless told otherwise. */
  frame(direction: Direction, bytes: Uint8Array, receiveTime = this.#clock.now()): Frame {
    const frame: Frame = { channel: this.#channel, direction, receiveTime, bytes };
    this.#recorder?.(frame);
    return frame;
  }

  /** The same for text. */
  text(direction: Direction, text: string): Frame {
    return this.frame(direction, Buffer.from(text, 'utf8'));
  }

  /** As `text`, for a frame nobody but the recorder wants: nothing is made when there is none. */
  note(direction: Direction, text: string): void {
    if (this.#recorder !== undefined) this.text(direction, text);
  }
}
