import { Socket } from 'node:net';
import { WebSocket } from 'ws';

type Emit = (this: unknown, event: unknown, ...given: unknown[]) => boolean;
type Send = (this: unknown, ...given: unknown[]) => void;
type Uncork = (this: Socket) => void;

/**
 * Looks at every packet and every send of this process from outside: when the bytes came, when an order was handed to
 * `send`, and when it had been written. What it does between those moments is next to nothing, for it would be measured too.
 */
export class WireProbe {
  /** Microseconds from the frame (or the end of the one before it in the same packet) to the call of `send`. */
  readonly own: number[] = [];
  /** Microseconds from the 'data' event to the end of the write. */
  readonly whole: number[] = [];
  #dataAt = 0;
  #frameAt = 0;
  #unwritten = 0;

  constructor() {
    const probe = this as WireProbe;
    const emitData = Reflect.get(Socket.prototype, 'emit') as Emit;
    Reflect.set(Socket.prototype, 'emit', function emit(this: unknown, event: unknown, ...given: unknown[]) {
      if (event === 'data') probe.#dataAt = probe.#frameAt = performance.now();
      return emitData.call(this, event, ...given);
    });
    const emitFrame = Reflect.get(WebSocket.prototype, 'emit') as Emit;
    Reflect.set(
      WebSocket.prototype,
      'emit',
      function emit(this: unknown, event: unknown, ...given: unknown[]) {
        if (event === 'message') probe.#frameAt = performance.now();
        return emitFrame.call(this, event, ...given);
      },
    );
    const send = Reflect.get(WebSocket.prototype, 'send') as Send;
    Reflect.set(WebSocket.prototype, 'send', function sent(this: unknown, ...given: unknown[]) {
      const now = performance.now();
      probe.own.push((now - probe.#frameAt) * 1_000);
      probe.#unwritten += 1;
      send.call(this, ...given);
      probe.#frameAt = performance.now();
    });
    const uncork = Reflect.get(Socket.prototype, 'uncork') as Uncork;
    Reflect.set(Socket.prototype, 'uncork', function uncorked(this: Socket) {
      uncork.call(this);
      probe.#written(this);
    });
  }

  #written(socket: Socket): void {
    if (this.#unwritten === 0 || socket.writableCorked > 0) return;
    const micros = (performance.now() - this.#dataAt) * 1_000;
    for (; this.#unwritten > 0; this.#unwritten--) this.whole.push(micros);
  }
}
