import { Socket } from 'node:net';
import { WebSocket } from 'ws';

type Emit = (this: unknown, event: unknown, ...given: unknown[]) => boolean;
type Send = (this: unknown, ...given: unknown[]) => void;
type Uncork = (this: Socket) => void;

/** Updates in a row that differ by the end of their sequence. */
export const updatesKnown = 500;
/** The quantity of the answer to the update of a sequence, in lots of 0.0001. */
export function answerLots(sequence: number): number {
  return 100 + (sequence % updatesKnown);
}

const updateMark = Buffer.from('"update"');
const sequenceMark = '"s":';
const sequenceDigits = 10;
const quantityMark = '"quantity":"0.';

/**
 * Looks at every packet and every send of this process from outside: when the packet of a book update came, when its answer was
 * handed to `send`, and when that had been written. An answer names its update by its quantity, so one that comes late from
 * another thread is measured from its own
 * packet. What it does between those moments is next to nothing, for it would be
 * measured too.
 */
export class WireProbe {
  /** Microseconds from the 'data' event to the call of `send` with its answer. */
  readonly own: number[] = [];
  /** Microseconds from the 'data' event to the end of the write. */
  readonly whole: number[] = [];
  readonly #packetAt = new Float64Array(updatesKnown);
  readonly #unwritten: number[] = [];

  constructor() {
    const probe = this as WireProbe;
    const emitData = Reflect.get(Socket.prototype, 'emit') as Emit;
    Reflect.set(Socket.prototype, 'emit', function emit(this: unknown, event: unknown, ...given: unknown[]) {
      if (event === 'data' && given[0] instanceof Uint8Array) probe.#arrived(given[0] as Buffer);
      return emitData.call(this, event, ...given);
    });
    const send = Reflect.get(WebSocket.prototype, 'send') as Send;
    Reflect.set(WebSocket.prototype, 'send', function sent(this: unknown, ...given: unknown[]) {
      probe.#sent(given[0]);
      send.call(this, ...given);
    });
    const uncork = Reflect.get(Socket.prototype, 'uncork') as Uncork;
    Reflect.set(Socket.prototype, 'uncork', function uncorked(this: Socket) {
      uncork.call(this);
      probe.#written(this);
    });
  }

  #arrived(packet: Buffer): void {
    const now = performance.now();
    for (let at = packet.indexOf(updateMark); at >= 0; at = packet.indexOf(updateMark, at + 1)) {
      const from = packet.indexOf(sequenceMark, at) + sequenceMark.length;
      const sequence = Number(packet.toString('latin1', from, from + sequenceDigits));
      if (sequence > 0) this.#packetAt[sequence % updatesKnown] = now;
    }
  }

  #sent(text: unknown): void {
    const now = performance.now();
    const at = typeof text === 'string' ? text.indexOf(quantityMark) : -1;
    if (at < 0) return;
    const from = at + quantityMark.length;
    const which = Number((text as string).slice(from, from + 4)) - answerLots(0);
    const packetAt = this.#packetAt[which] ?? 0;
    // What answers the snapshot belongs to no update.
    if (packetAt === 0) return;
    this.own.push((now - packetAt) * 1_000);
    this.#unwritten.push(packetAt);
  }

  #written(socket: Socket): void {
    if (this.#unwritten.length === 0 || socket.writableCorked > 0) return;
    const now = performance.now();
    for (const packetAt of this.#unwritten.splice(0)) this.whole.push((now - packetAt) * 1_000);
  }
}
