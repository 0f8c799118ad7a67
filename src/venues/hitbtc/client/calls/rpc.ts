import type { Clock } from '../../../../core/base/clock.ts';
import { millis } from '../../../../core/base/clock.ts';
import type { Channel, Direction, Frame } from '../../../../core/model/frame.ts';
import type { WireError, SocketId } from '../../wire/index.ts';
import { Deadlines } from '../../../net/index.ts';

/** The frames of one channel: who stamps them, and who records them. */
export interface FrameSource {
  readonly channel: Channel;
  readonly clock: Clock;
  readonly onFrame: ((frame: Frame) => void) | undefined;
}

/** A frame received or sent now unless a time is given. It is recorded before it is returned. */
export function makeFrame(
  { channel, clock, onFrame }: FrameSource,
  direction: Direction,
  content: Uint8Array | string,
  receiveTime = clock.now(),
): Frame {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  const frame: Frame = { channel, direction, receiveTime, bytes };
  onFrame?.(frame);
  return frame;
}

/** Records a frame that only a recording needs: nothing is made when there is none. */
export function recordFrame(source: FrameSource, direction: Direction, text: string): void {
  if (source.onFrame !== undefined) makeFrame(source, direction, text);
}

/** How a call on a socket ended. `silence`: no answer in time, the connection went, or nothing could be sent. */
export type RpcAnswer =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: WireError }
  | { readonly kind: 'silence'; readonly why: string };

export interface RpcCallsDeps {
  readonly clock: Clock;
  /** Begins every id, so that ids of calls and of commands never meet. */
  readonly prefix: string;
  readonly deadlineMs: number;
  readonly pendingMax: number;
  /** False: nothing was sent. */
  readonly send: (text: string) => boolean;
}

/** Takes the answer to a call. Called once, never from inside `call`. */
export type OnAnswer = (answer: RpcAnswer) => void;

/**
 * Calls of a session on its socket (logins, subscriptions), each with an id of its own and a deadline.
 * An answer to no pending call (late, repeated or wrong) is counted and ignored.
 * Source: faults, section 3 (W9).
 */
export class RpcCalls {
  readonly #setup: RpcCallsDeps;
  readonly #pending = new Map<string, OnAnswer>();
  readonly #deadlines: Deadlines<string>;
  #count = 0;
  #unmatched = 0;

  constructor(setup: RpcCallsDeps) {
    this.#setup = setup;
    this.#deadlines = new Deadlines(setup.clock, millis(setup.deadlineMs), (id) =>
      this.#settle(id, { kind: 'silence', why: `no answer within ${setup.deadlineMs} ms` }),
    );
  }

  /** Calls without an answer. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Answers that belonged to no call. */
  get unmatched(): number {
    return this.#unmatched;
  }

  /** Sends what `encode` makes of a fresh id. False: nothing was sent, and `onAnswer` is never called. */
  call(encode: (id: string) => string, onAnswer: OnAnswer): boolean {
    if (this.#pending.size >= this.#setup.pendingMax) return false;
    this.#count += 1;
    const id = `${this.#setup.prefix}${this.#count}`;
    if (!this.#setup.send(encode(id))) return false;
    this.#pending.set(id, onAnswer);
    this.#deadlines.start(id);
    return true;
  }

  /** An answer came. False when it belongs to no call of this session. */
  accept(id: SocketId | undefined, answer: RpcAnswer): boolean {
    if (typeof id === 'string' && this.#settle(id, answer)) return true;
    this.#unmatched += 1;
    return false;
  }

  /** The connection went: every call ends in silence. */
  abandon(why: string): void {
    const ids = [...this.#pending.keys()];
    for (const id of ids) this.#settle(id, { kind: 'silence', why });
    this.#deadlines.clear();
  }

  #settle(id: string, answer: RpcAnswer): boolean {
    const onAnswer = this.#pending.get(id);
    if (onAnswer === undefined) return false;
    this.#pending.delete(id);
    this.#deadlines.stop(id);
    onAnswer(answer);
    return true;
  }
}
