import type { Socket as NetSocket } from 'node:net';
import { WebSocket } from 'ws';
import type { RawData } from 'ws';
import type { Cancel, Clock, Micros } from '../../core/base/clock.ts';
import { micros, millis } from '../../core/base/clock.ts';
import type { Random } from '../../core/base/random.ts';
import { Backoff } from '../../core/base/backoff.ts';
import type { ClientOptions } from '../options.ts';
import type { ReceiveTimes, Socket, SocketListener } from './socket.ts';
import type { ClientNetwork } from './network.ts';
import { openNetwork } from './network.ts';
import { TextFrames } from './text-frames.ts';

export interface WsSocketDeps {
  readonly url: string;
  readonly listener: SocketListener;
  readonly clock: Clock;
  readonly random: Random;
  readonly options: ClientOptions['socket'];
  /** Only for market data: its scanner takes the bytes of known symbols and ASCII, and nothing else. */
  readonly skipUtf8Validation: boolean;
  /** The machine's own unless said otherwise. @internal */
  readonly network?: ClientNetwork | undefined;
}

const noTimer: Cancel = () => {};

/**
 * A text socket over `ws` that connects again after every loss, with jittered and capped pauses.
 *
 * No compression (50 us a message), messages of 4 MiB at most, pings answered by `ws`. After a while without a byte
 * it pings, and after a longer one it cuts the connection. All sends of one callback leave in one write.
 * Source: v3-gaps, section 1.7; faults, section 3 (N1, N2, N13, W11).
 */
export class WsSocket implements Socket {
  readonly #setup: WsSocketDeps;
  readonly #backoff: Backoff;
  #connectsAt: Micros | undefined;
  #ws: WebSocket | undefined;
  #tcp: NetSocket | undefined;
  #corked = false;
  #ended = false;
  #openedAt = 0 as Micros;
  #heardAt = 0 as Micros;
  #why = '';
  #cancelTimer: Cancel = noTimer;
  readonly #uncork = (tcp: NetSocket): void => {
    if (tcp === this.#tcp) this.#corked = false;
    tcp.uncork();
  };

  constructor(setup: WsSocketDeps) {
    const { retryMs, retryMsMax, attemptsPerMinute } = setup.options;
    this.#setup = setup;
    this.#backoff = new Backoff(
      { firstMs: retryMs, maxMs: retryMsMax, perMinute: attemptsPerMinute },
      setup.random,
    );
  }

  get isOpen(): boolean {
    return this.#ws !== undefined && this.#ws.readyState === WebSocket.OPEN;
  }

  get connectsAt(): Micros | undefined {
    return this.#connectsAt;
  }

  open(): void {
    if (!this.#ended && this.#ws === undefined) this.#connect();
  }

  send(text: string): boolean {
    const ws = this.#ws;
    if (ws === undefined || ws.readyState !== WebSocket.OPEN) return false;
    if (ws.bufferedAmount > this.#setup.options.backlogBytesMax) {
      this.cut('the peer does not read what is sent');
      return false;
    }
    this.#cork();
    ws.send(text);
    return true;
  }

  cut(why: string): void {
    if (this.#ws === undefined) return;
    if (this.#why === '') this.#why = why;
    this.#ws.terminate();
  }

  async close(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelTimer();
    const ws = this.#ws;
    if (ws === undefined) return;
    await new Promise<void>((resolve) => {
      ws.removeAllListeners();
      ws.on('error', ignore);
      ws.once('close', () => resolve());
      if (ws.readyState === WebSocket.OPEN) ws.close(1000);
      else ws.terminate();
      this.#cancelTimer = this.#setup.clock.after(millis(250), () => ws.terminate());
    });
    this.#cancelTimer();
    ws.removeAllListeners();
    this.#ws = undefined;
  }

  #connect(): void {
    const { url, options, clock } = this.#setup;
    this.#why = '';
    this.#connectsAt = undefined;
    const { network = openNetwork, skipUtf8Validation: skipUTF8Validation } = this.#setup;
    const { payloadBytesMax: maxPayload, proxy } = options;
    const ws = network.connect(url, { skipUTF8Validation, maxPayload, proxy });
    this.#ws = ws;
    this.#cancelTimer = clock.after(millis(options.connectMs), () => this.cut('no connection in time'));
    ws.on('upgrade', (response) => {
      this.#tcp = response.socket;
    });
    ws.on('open', () => {
      if (this.#setup.skipUtf8Validation) this.#pickTexts(ws);
      this.#opened();
    });
    ws.on('message', (bytes) => this.#received(bytes));
    ws.on('ping', () => this.#noteActivity());
    ws.on('pong', () => this.#noteActivity());
    ws.on('error', (error) => {
      if (this.#why === '') this.#why = error.message;
    });
    ws.on('close', (code, reason) => this.#closed(code, reason.toString('utf8')));
  }

  #opened(): void {
    const { clock, listener } = this.#setup;
    this.#cancelTimer();
    this.#openedAt = clock.uptime();
    this.#heardAt = this.#openedAt;
    this.#watch(millis(this.#setup.options.pingMs));
    listener.opened();
  }

  /**
   * Puts a reader of whole text messages in front of `ws`, which gets every other byte. Where `ws` does not listen as it does today, it keeps everything.
   */
  #pickTexts(ws: WebSocket): void {
    const tcp = this.#tcp;
    const [given, ...others] = tcp?.listeners('data') ?? [];
    if (tcp === undefined || given === undefined || others.length > 0) return;
    const { listener, options, clock } = this.#setup;
    let arrival: ReceiveTimes = { now: clock.now(), uptime: clock.uptime() };
    const frames = new TextFrames(
      {
        text: (payload) => {
          if (this.#ws === ws && !this.#ended) listener.received(payload, arrival);
        },
        other: (bytes) => Reflect.apply(given, tcp, [bytes]),
      },
      options.payloadBytesMax,
    );
    const take = (chunk: Buffer): void => {
      this.#noteActivity();
      arrival = { now: clock.now(), uptime: this.#heardAt };
      frames.takeChunk(chunk);
    };
    tcp.off('data', given as (chunk: Buffer) => void);
    tcp.on('data', take);
    ws.on('error', () => frames.endStream());
    // What is still unread when the connection ends is read by `ws` itself.
    tcp.prependListener('close', () => {
      tcp.off('data', take);
      frames.endStream();
    });
  }

  #received(bytes: RawData): void {
    this.#noteActivity();
    // With the default binary type `ws` gives one Buffer per message.
    this.#setup.listener.received(bytes as Buffer);
  }

  #noteActivity(): void {
    this.#heardAt = this.#setup.clock.uptime();
  }

  /** Looks after `delay` whether anything came; pings when not, and cuts when the ping had no answer either. */
  #watch(delay: Micros): void {
    const { clock, options } = this.#setup;
    this.#cancelTimer = clock.after(delay, () => {
      const silent = clock.uptime() - this.#heardAt;
      if (silent >= millis(options.silenceMs)) {
        this.cut(`not a byte for ${Math.floor(silent / 1_000)} ms`);
        return;
      }
      const pingAfter = millis(options.pingMs);
      if (silent >= pingAfter && this.isOpen) this.#ws?.ping();
      const next = silent < pingAfter ? pingAfter - silent : millis(options.silenceMs) - silent;
      this.#watch(micros(Math.max(1, next)));
    });
  }

  #closed(code: number, reason: string): void {
    const { clock, options, listener } = this.#setup;
    this.#cancelTimer();
    this.#ws?.removeAllListeners();
    // A terminated connection may still raise an error, which has no handler any more.
    this.#ws?.on('error', ignore);
    this.#ws = undefined;
    this.#tcp = undefined;
    this.#corked = false;
    const lasted = this.#openedAt > 0 && clock.uptime() - this.#openedAt >= millis(options.stableMs);
    if (lasted) this.#backoff.reset();
    this.#openedAt = 0 as Micros;
    const why =
      this.#why === '' ? `closed with ${code}${reason === '' ? '' : ` ${printable(reason)}`}` : this.#why;
    // Schedule first: the listener may close this socket for good.
    const pause = this.#backoff.pause(clock.uptime());
    this.#connectsAt = micros(clock.uptime() + pause);
    this.#cancelTimer = clock.after(pause, () => this.#connect());
    listener.closed(why);
  }

  #cork(): void {
    const tcp = this.#tcp;
    if (this.#corked || tcp === undefined) return;
    this.#corked = true;
    tcp.cork();
    process.nextTick(this.#uncork, tcp);
  }
}

function ignore(): void {}

/** Close reasons come from outside: control characters and bidi marks never reach a log. */
function printable(text: string): string {
  return text.slice(0, 123).replace(/[^\x20-\x7e]/g, '?');
}
