import type { Dispatcher } from 'undici';
import type { Cancel, Clock, Micros } from '../../core/base/clock.ts';
import { millis } from '../../core/base/clock.ts';
import { withoutEncoding } from './content-encoding.ts';
import { retryAfterOf } from './file-client.ts';
import { ListPieces } from './list-pieces.ts';
import type { ClientNetwork, HttpPool } from './network.ts';
import { openNetwork } from './network.ts';
import type { ClientOptions } from '../options.ts';

/** One HTTP request, complete. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Reply that came back. Status 0: nothing usable, and `why`. */
export interface HttpReply {
  readonly status: number;
  /** JSON as UTF-8: a long list in pieces, each a list of at most `pieceRows` rows, anything else whole. */
  readonly texts: readonly Uint8Array[];
  /** The `Date` header. */
  readonly date: string | undefined;
  /** Pause that the server asks for before the next request. */
  readonly retryAfter?: Micros | undefined;
  readonly why: string;
  /** Whether the request surely never left. */
  readonly unsent: boolean;
}

/**
 * HTTP over a pool of kept-alive connections, by undici's dispatch. Nothing is ever sent twice, redirects are not
 * followed, and a request without a whole answer in time loses its connection. Promises never reject.
 * Source: API v3, "Conventions" 5; faults, section 3 (N15).
 */
export class RestTransport {
  readonly #pool: HttpPool;
  readonly #clock: Clock;
  readonly #options: ClientOptions['rest'];
  #inFlight = 0;

  constructor(
    origin: string,
    clock: Clock,
    options: ClientOptions['rest'],
    network: ClientNetwork = openNetwork,
  ) {
    this.#clock = clock;
    this.#options = options;
    this.#pool = network.pool(origin, options);
  }

  /** Requests waiting or unanswered. */
  get inFlight(): number {
    return this.#inFlight;
  }

  send(request: HttpRequest): Promise<HttpReply> {
    if (this.#inFlight >= this.#options.inFlightMax) {
      return Promise.resolve(failed('too many requests wait for an answer', true));
    }
    if (request.signal?.aborted === true) return Promise.resolve(failed('given up before it left', true));
    this.#inFlight += 1;
    return new Promise((resolve) => {
      const handler = new Exchange(this.#options.bodyBytesMax, request.signal, (reply) => {
        this.#inFlight -= 1;
        resolve(reply);
      });
      handler.limit(this.#clock, this.#options.timeoutMs);
      this.#pool.dispatch(
        {
          method: request.method,
          path: request.path,
          headers: request.headers as Record<string, string>,
          body: request.body ?? null,
          idempotent: request.method === 'GET',
        },
        handler,
      );
    });
  }

  /** Cuts what is still under way. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

function failed(why: string, unsent: boolean): HttpReply {
  return { status: 0, texts: [], date: undefined, why, unsent };
}

/** Bytes of an answer that are taken in one turn of the loop. Node would read up to 2 MiB of a connection in one. */
const turnBytesMax = 131_072;

/** One request, with the callbacks of undici. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #bytesMax: number;
  readonly #signal: AbortSignal | undefined;
  readonly #done: (reply: HttpReply) => void;
  readonly #pieces = new ListPieces();
  /** Bytes of an answer that has an encoding. */
  readonly #encoded: Buffer[] = [];
  #bytes = 0;
  /** Number of bytes with which the answer is held until the next turn. */
  #heldAt = turnBytesMax;
  #status = 0;
  #date: string | undefined;
  #retryAfter: string | undefined;
  #encoding: string | undefined;
  #ended = false;
  #why = '';
  #controller: Dispatcher.DispatchController | undefined;
  #clock: Clock | undefined;
  #cancelDeadline: Cancel = () => {};

  constructor(bytesMax: number, signal: AbortSignal | undefined, done: (reply: HttpReply) => void) {
    this.#bytesMax = bytesMax;
    this.#signal = signal;
    this.#done = done;
    signal?.addEventListener('abort', this.#onAbort);
  }

  limit(clock: Clock, timeoutMs: number): void {
    this.#clock = clock;
    this.#cancelDeadline = clock.after(millis(timeoutMs), () =>
      this.#giveUp(`no answer within ${timeoutMs} ms`),
    );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Given up while it waited for a connection: it must not leave now.
    if (this.#ended) controller.abort(new Error(this.#why));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#status = status;
    const { date, 'content-encoding': encoding, 'retry-after': retryAfter } = headers;
    this.#encoding = encoding === undefined ? undefined : String(encoding);
    this.#date = typeof date === 'string' ? date : undefined;
    this.#retryAfter = typeof retryAfter === 'string' ? retryAfter : undefined;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes >= this.#heldAt) {
      this.#heldAt = this.#bytes + turnBytesMax;
      controller.pause();
      setImmediate(() => controller.resume());
    }
    if (this.#bytes > this.#bytesMax) this.#giveUp(`the answer is longer than ${this.#bytesMax} bytes`);
    else if (this.#ended) return;
    else if (this.#encoding === undefined) this.#pieces.add(chunk);
    else this.#encoded.push(chunk);
  }

  onResponseEnd(): void {
    const plain =
      this.#encoding === undefined
        ? undefined
        : withoutEncoding(Buffer.concat(this.#encoded), this.#encoding, this.#bytesMax);
    if (plain !== undefined && 'why' in plain) {
      this.#end(failed(plain.why, false));
      return;
    }
    if (plain !== undefined) this.#pieces.add(plain);
    this.#end({
      status: this.#status,
      texts: this.#pieces.texts(),
      date: this.#date,
      retryAfter: this.#clock && retryAfterOf(this.#retryAfter, this.#clock.now()),
      why: '',
      unsent: false,
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(failed(error.message, this.#controller === undefined));
  }

  readonly #onAbort = (): void => this.#giveUp('given up by the caller');

  #giveUp(why: string): void {
    if (this.#ended) return;
    this.#why = why;
    const controller = this.#controller;
    this.#end(failed(why, controller === undefined));
    controller?.abort(new Error(why));
  }

  #end(reply: HttpReply): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelDeadline();
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#done(reply);
  }
}
