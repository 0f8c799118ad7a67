import { closeSync, existsSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs';
import type { Clock, Micros } from '../../core/base/clock.ts';
import { micros, seconds } from '../../core/base/clock.ts';
import { pause } from '../../core/base/pause.ts';
import { unwritable } from '../../data/recording/index.ts';
import type { FileClient, FileReply, FileSink } from '../../venues/net/index.ts';
import { Pace } from './pace.ts';

/** End of a request for a file: it is there, the server has none, or nothing more can be had now. */
export type Fetched =
  | { readonly kind: 'file'; readonly bytes: number }
  | { readonly kind: 'absent' }
  | { readonly kind: 'stopped'; readonly why: string };

export interface FetcherDeps {
  readonly client: Pick<FileClient, 'get'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Requests in a second at most. */
  readonly rate: number;
  /** Host, for sentences. */
  readonly host: string;
  /** Says that a pause is made. */
  readonly onWait: (text: string) => void;
}

const attemptsMax = 5;
/** All pauses that a server asks for one file come to no more than this. */
const waitMax = seconds(900);

/** Requests for files of one server: no more in a second than are allowed, and pauses where the server asks for them. */
export class Fetcher {
  readonly #deps: FetcherDeps;
  readonly #pace: Pace;

  constructor(deps: FetcherDeps) {
    this.#deps = deps;
    this.#pace = new Pace(deps.rate, deps.clock);
  }

  /** A short text, such as a checksum; `undefined` in the place of a file that is there. */
  async text(path: string): Promise<{ readonly fetched: Fetched; readonly text: string }> {
    let pieces: Uint8Array[] = [];
    let length = 0;
    const fetched = await this.#fetch(path, () => 0, {
      begin: () => {
        pieces = [];
        length = 0;
      },
      write: (bytes) => {
        length += bytes.length;
        if (length <= textBytesMax) pieces.push(bytes);
      },
    });
    return { fetched, text: Buffer.concat(pieces).toString('utf8') };
  }

  /**
   * Writes a file to `out`, behind what is there of it. `onBytes` hears how much there is, and how much there will be. Rejects with
   * `BadInput` when the disk refuses.
   */
  async file(
    path: string,
    out: string,
    onBytes: (bytes: number, length: number | undefined) => void,
  ): Promise<Fetched> {
    const sink = new DiskSink(out, onBytes);
    try {
      return await this.#fetch(path, () => sink.length, sink);
    } finally {
      sink.close();
    }
  }

  async #fetch(path: string, offset: () => number, sink: FileSink): Promise<Fetched> {
    const { clock, signal, host, onWait } = this.#deps;
    let waited = 0;
    let why = '';
    for (let attempt = 0; attempt < attemptsMax;) {
      if (attempt > 0) await pause(clock, seconds(2 ** (attempt - 1)), signal);
      const ask = (): Promise<FileReply> => this.#deps.client.get({ path, offset: offset(), sink, signal });
      const reply = await this.#pace.run(signal, ask);
      if (reply === undefined || signal.aborted) return { kind: 'stopped', why: 'it was stopped' };
      if (reply.isWhole) return { kind: 'file', bytes: reply.length ?? offset() };
      // All of it is there already: the server has no byte behind it.
      if (reply.status === 416 && offset() > 0) return { kind: 'file', bytes: offset() };
      if (reply.status === 404) return { kind: 'absent' };
      if (reply.status === 429 || reply.status === 503) {
        const delay = reply.retryAfter ?? seconds(2 ** Math.min(attempt, 5));
        why = `${host} answered ${reply.status} (too many requests)`;
        if (waited + delay > waitMax)
          return { kind: 'stopped', why: `${why} and asks for a pause of ${secondsText(delay)}` };
        waited += delay;
        if (reply.retryAfter === undefined) attempt += 1;
        onWait(`${why}: waiting ${secondsText(delay)}`);
        await pause(clock, micros(delay), signal);
        continue;
      }
      const final = refusalOf(reply, host);
      if (final !== undefined) return { kind: 'stopped', why: final };
      why = unansweredText(reply, host, path);
      attempt += 1;
    }
    return { kind: 'stopped', why };
  }
}

const textBytesMax = 4_096;

function unansweredText({ status, why }: FileReply, host: string, path: string): string {
  if (status === 0) return `${host} gave no answer (${why})`;
  return status >= 300 ? `${host} answered ${status}` : `${host} did not send all of ${path} (${why})`;
}

/** Answers after which asking again is of no use, or makes it worse. */
function refusalOf({ status, retryAfter }: FileReply, host: string): string | undefined {
  const again = retryAfter === undefined ? '' : `; it may be asked again in ${secondsText(retryAfter)}`;
  if (status === 418) return `${host} has banned this address (418)${again}`;
  if (status === 451) return `${host} does not serve this region (451)`;
  if (status === 403) return `${host} refuses this address (403)`;
  return status >= 300 && status < 500 && status !== 408 && status !== 416
    ? `${host} answered ${status}, where a file was expected`
    : undefined;
}

function secondsText(time: Micros): string {
  return `${Math.ceil(time / 1e6)} s`;
}

/** The part of a file that is there, and what comes behind it. */
class DiskSink implements FileSink {
  readonly #path: string;
  readonly #onBytes: (bytes: number, length: number | undefined) => void;
  #file: number | undefined;
  #total: number | undefined;
  /** Bytes that are there. */
  length: number;

  constructor(path: string, onBytes: (bytes: number, length: number | undefined) => void) {
    this.#path = path;
    this.#onBytes = onBytes;
    this.length = existsSync(path) ? statSync(path).size : 0;
  }

  begin(offset: number, total: number | undefined): void {
    this.#total = total;
    this.#guarded(() => {
      this.#file ??= openSync(this.#path, existsSync(this.#path) ? 'r+' : 'w');
      if (offset < this.length) ftruncateSync(this.#file, offset);
    });
    this.length = offset;
  }

  write(bytes: Uint8Array): void {
    this.#guarded(() => {
      for (let at = 0; at < bytes.length;) {
        const written = writeSync(this.#file as number, bytes, at, bytes.length - at, this.length);
        at += written;
        this.length += written;
      }
    });
    this.#onBytes(this.length, this.#total);
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      throw unwritable(this.#path, error);
    }
  }
}
