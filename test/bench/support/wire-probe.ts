import { Socket } from 'node:net';
import { WebSocket } from 'ws';

type Method = (this: unknown, ...given: unknown[]) => unknown;

/**
 * Looks at every packet and every send of this process from outside: when the bytes came, when an order was handed to
 * `send`, and when it had been written.
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
    wrap(Socket.prototype, 'emit', (call, [event]) => {
      if (event === 'data') {
        this.#dataAt = performance.now();
        this.#frameAt = this.#dataAt;
      }
      return call();
    });
    wrap(WebSocket.prototype, 'emit', (call, [event]) => {
      if (event === 'message') this.#frameAt = performance.now();
      return call();
    });
    wrap(WebSocket.prototype, 'send', (call) => {
      this.own.push((performance.now() - this.#frameAt) * 1_000);
      this.#unwritten += 1;
      const result = call();
      this.#frameAt = performance.now();
      return result;
    });
    wrap(Socket.prototype, 'uncork', (call, _given, socket) => {
      const result = call();
      if (this.#unwritten === 0 || (socket as Socket).writableCorked > 0) return result;
      const micros = (performance.now() - this.#dataAt) * 1_000;
      for (; this.#unwritten > 0; this.#unwritten--) this.whole.push(micros);
      return result;
    });
  }
}

function wrap(
  target: object,
  name: string,
  around: (call: () => unknown, given: readonly unknown[], self: unknown) => unknown,
): void {
  const method = Reflect.get(target, name) as Method;
  const wrapped: Method = function (...given) {
    return around(() => Reflect.apply(method, this, given), given, this);
  };
  Reflect.set(target, name, wrapped);
}
