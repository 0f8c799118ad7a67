import type { Dispatcher } from 'undici';
import type { Cancel, Clock, Micros } from '../../core/base/clock.ts';
import { micros, microsPerMilli, millis, seconds } from '../../core/base/clock.ts';
import type { ClientOptions } from '../options.ts';
import type { HttpPool } from './network.ts';
import { openNetwork } from './network.ts';

/** Place that the bytes of a file go to. Both may throw: the request is given up then, and the error is that of `get`. */
export interface FileSink {
  /**
   * The server answers with the bytes from `offset` on; what was written behind it does not count. `length`: bytes of the whole
   * file, where the server tells it.
   */
  begin(offset: number, length: number | undefined): void;
  write(bytes: Uint8Array): void;
}

export interface FileRequest {
  readonly path: string;
  /** Bytes that are there already: the server is asked for the rest, and may send all. */
  readonly offset: number;
  readonly sink: FileSink;
  readonly signal?: AbortSignal | undefined;
}

/** The end of a request for a file. */
export interface FileReply {
  /** 0: no answer. */
  readonly status: number;
  /** Whether everything the server announced has come. */
  readonly isWhole: boolean;
  /** Bytes of the whole file, where the server tells it. */
  readonly length: number | undefined;
  /** Pause that the server asks for. */
  readonly retryAfter: Micros | undefined;
  /** Reason why it is not whole, in a few words. */
  readonly why: string;
}

/** A server may ask for no longer pause than this. */
const retryAfterMax = seconds(86_400);

/** The header `Retry-After`, in seconds or as a date; `undefined` when it is neither. Source: RFC 9110, 10.2.3. */
export function retryAfterOf(header: string | undefined, now: Micros): Micros | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const wait = /^\d{1,9}$/.test(text) ? seconds(Number(text)) : Date.parse(text) * microsPerMilli - now;
  return Number.isNaN(wait) ? undefined : micros(Math.min(Math.max(0, wait), retryAfterMax));
}

/**
 * Files over HTTP, piece by piece, so that memory does not grow with them. A request without a byte for `timeoutMs` is given up.
 * Redirects are not followed.
 */
export class FileClient {
  readonly #pool: HttpPool;
  readonly #clock: Clock;
  readonly #timeoutMs: number;

  constructor(origin: string, clock: Clock, options: ClientOptions['rest']) {
    this.#pool = openNetwork.pool(origin, options);
    this.#clock = clock;
    this.#timeoutMs = options.timeoutMs;
  }

  /** Asks once. Rejects with what the sink throws, and with nothing else. */
  get(request: FileRequest): Promise<FileReply> {
    return new Promise((resolve, reject) => {
      const { path, offset } = request;
      const handler = new Download(request, this.#clock, { resolve, reject });
      handler.limit(this.#timeoutMs);
      this.#pool.dispatch(
        {
          method: 'GET',
          path,
          headers: offset > 0 ? { range: `bytes=${offset}-` } : {},
          body: null,
          idempotent: true,
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

interface End {
  resolve(reply: FileReply): void;
  reject(error: unknown): void;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** One request, with the callbacks of undici. */
class Download implements Dispatcher.DispatchHandler {
  readonly #request: FileRequest;
  readonly #clock: Clock;
  readonly #end: End;
  #status = 0;
  #length: number | undefined;
  #retryAfter: Micros | undefined;
  #isWanted = false;
  #isEnded = false;
  #heardAt = 0;
  #cancelDeadline: Cancel = () => {};
  #controller: Dispatcher.DispatchController | undefined;

  constructor(request: FileRequest, clock: Clock, end: End) {
    this.#request = request;
    this.#clock = clock;
    this.#end = end;
    this.#heardAt = clock.uptime();
    request.signal?.addEventListener('abort', this.#onAbort);
  }

  limit(timeoutMs: number): void {
    const left = this.#heardAt + millis(timeoutMs) - this.#clock.uptime();
    if (left <= 0) this.#giveUp(`no byte within ${timeoutMs} ms`);
    else this.#cancelDeadline = this.#clock.after(micros(left), () => this.limit(timeoutMs));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isEnded) controller.abort(new Error('given up'));
    else if (this.#request.signal?.aborted === true) this.#onAbort();
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    this.#heardAt = this.#clock.uptime();
    this.#status = status;
    this.#retryAfter = retryAfterOf(textOf(headers['retry-after']), this.#clock.now());
    const { offset, sink } = this.#request;
    const length = Number(textOf(headers['content-length']) ?? Number.NaN);
    const begins =
      status === 206 ? Number(/^bytes (\d+)-/.exec(textOf(headers['content-range']) ?? '')?.[1]) : 0;
    this.#isWanted = status === 200 || (status === 206 && begins === offset);
    if (!this.#isWanted) return;
    if (!Number.isNaN(length)) this.#length = begins + length;
    this.#guarded(() => sink.begin(begins, this.#length));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#heardAt = this.#clock.uptime();
    if (this.#isWanted) this.#guarded(() => this.#request.sink.write(chunk));
  }

  onResponseEnd(): void {
    this.#resolve(this.#isWanted, this.#isWanted ? '' : `status ${this.#status}`);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#resolve(
      false,
      error.message === '' ? String((error as NodeJS.ErrnoException).code) : error.message,
    );
  }

  readonly #onAbort = (): void => this.#giveUp('given up');

  #giveUp(why: string): void {
    if (this.#isEnded) return;
    this.#resolve(false, why);
    this.#controller?.abort(new Error(why));
  }

  #guarded(act: () => void): void {
    if (this.#isEnded) return;
    try {
      act();
    } catch (error) {
      this.#close();
      this.#end.reject(error);
      this.#controller?.abort(new Error('given up'));
    }
  }

  #resolve(isWhole: boolean, why: string): void {
    if (this.#isEnded) return;
    this.#close();
    const [status, length, retryAfter] = [this.#status, this.#length, this.#retryAfter];
    this.#end.resolve({ status, isWhole, length, retryAfter, why });
  }

  #close(): void {
    this.#isEnded = true;
    this.#cancelDeadline();
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
  }
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0];
}
