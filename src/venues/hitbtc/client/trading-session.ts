import type { Clock, Micros } from '../../../core/base/clock.ts';
import { later } from '../../../core/base/clock.ts';
import type { Logger } from '../../../core/base/logger.ts';
import type { ApiBudgets, Scope } from '../budgets/api.ts';
import type { Event } from '../../../core/model/event.ts';
import type { Frame } from '../../../core/model/frame.ts';
import type { VenueRefusal } from '../../../core/model/safe-state.ts';
import type { Product } from '../../../core/model/product.ts';
import type { Credentials } from '../../../core/base/secret.ts';
import type { SocketId } from '../wire/index.ts';
import { encodeV3BalanceSubscribe, encodeV3Login, encodeV3ReportsSubscribe } from '../wire/v3/index.ts';
import type { ClockOffset, OpenSocket, Socket } from '../../net/index.ts';
import { takeRequestSlot } from '../../net/index.ts';
import type { ClientOptions } from '../../options.ts';
import type { FrameSource, RpcAnswer } from './calls/index.ts';
import { makeFrame, recordFrame, RpcCalls } from './calls/index.ts';

export interface TradingSessionDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly credentials: Credentials;
  /** Products that are traded: their reports, and the balances that pay for them, are subscribed. */
  readonly products: () => readonly Product[];
  readonly options: ClientOptions;
  readonly budgets: ApiBudgets;
  readonly clockOffset: ClockOffset;
  readonly url: string;
  readonly openSocket: OpenSocket;
  readonly onFrame?: ((frame: Frame) => void) | undefined;
  readonly publish: (event: Event) => void;
  /** Takes every frame of the channel, the closing one included. */
  readonly accept: (frame: Frame) => void;
  /** The venue refused the login: its clock may differ from ours. Resolves when the offset was measured anew. */
  readonly measureClock: () => Promise<void>;
  /** The venue does not accept the key, and never has in this run: to try on would be in vain. */
  readonly onLoginRefused?: ((why: string) => void) | undefined;
}

/** Refusals that no later attempt with the same key will change. Source: API v3, "Error codes" (1001 to 1004). */
const lastingRefusals: ReadonlySet<number> = new Set([1001, 1002, 1003, 1004]);

/** Step of a session after it opened; each needs the one before. */
interface Step {
  readonly name: string;
  readonly scope: Scope;
  readonly encode: (id: string) => string;
}

/**
 * The trading socket: logs in, subscribes reports and balances, and then carries orders out and reports in.
 *
 * It is up once all of it is answered, and commands leave only then. Any refusal or silence on the way cuts the
 * connection, and a new one starts over after a pause. Source: v3-gaps, sections 2.1 to 2.5.
 */
export class TradingSession {
  readonly #setup: TradingSessionDeps;
  readonly #frames: FrameSource;
  readonly #rpc: RpcCalls;
  readonly #socket: Socket;
  /** Ends the steps of the present connection. */
  #life = new AbortController();
  #opened = false;
  #up = false;
  /** The step that the venue refused last, and since when it has refused any, by uptime; nothing once it took all. */
  #refused: { readonly what: string; readonly why: string; readonly since: Micros } | undefined;
  /** Logins refused for good since the start; a login that went well ends the count. */
  #refusals: number | undefined = 0;

  constructor(setup: TradingSessionDeps) {
    this.#setup = setup;
    this.#frames = { channel: 'v3/trading', clock: setup.clock, onFrame: setup.onFrame };
    this.#rpc = new RpcCalls({
      clock: setup.clock,
      prefix: 't',
      deadlineMs: setup.options.calls.loginMs,
      pendingMax: setup.options.calls.pendingMax,
      send: (text) => this.#socket.send(text),
    });
    this.#socket = setup.openSocket(setup.url, {
      opened: () => this.#start(),
      received: (bytes) => setup.accept(makeFrame(this.#frames, 'in', bytes)),
      closed: (why) => {
        setup.log.warn({ session: 'trading', why }, 'connection lost');
        this.#stop(why);
      },
    });
  }

  /** Logged in and subscribed. */
  get isUp(): boolean {
    return this.#up;
  }

  /** When it connects next, by uptime; `undefined` while it is connected or connects. */
  get connectsAt(): number | undefined {
    return this.#socket.connectsAt;
  }

  /** Refusals of the login and of what follows it. Times are uptimes. */
  get refused(): readonly VenueRefusal[] {
    if (this.#refused === undefined) return [];
    const nextLook = this.#socket.connectsAt ?? this.#setup.clock.uptime();
    return [{ kind: 'loginRefused', subject: 'trading', ...this.#refused, nextLook }];
  }

  open(): void {
    this.#socket.open();
  }

  /** Hands a command to the connection. False: nothing was sent. */
  send(text: string): boolean {
    if (!this.#up || !this.#socket.send(text)) return false;
    recordFrame(this.#frames, 'out', text);
    return true;
  }

  /** An answer that belongs to no command. */
  replied(id: SocketId | undefined, answer: RpcAnswer): void {
    this.#rpc.accept(id, answer);
  }

  async close(): Promise<void> {
    this.#stop('closed by us');
    await this.#socket.close();
  }

  #start(): void {
    recordFrame(this.#frames, 'open', this.#setup.url);
    this.#opened = true;
    this.#life = new AbortController();
    void this.#climb(this.#life.signal);
  }

  #stop(why: string): void {
    this.#life.abort();
    const wasOpened = this.#opened;
    const wasUp = this.#up;
    this.#opened = false;
    this.#up = false;
    // Commands in flight are settled first: an order is unknown before the session is down.
    if (wasOpened) this.#setup.accept(makeFrame(this.#frames, 'close', why));
    this.#rpc.abandon(why);
    if (!wasUp) return;
    const now = this.#setup.clock.now();
    this.#setup.publish({
      kind: 'sessionDown',
      session: 'trading',
      why,
      exchangeTime: now,
      receiveTime: now,
    });
  }

  async #climb(signal: AbortSignal): Promise<void> {
    for (const step of this.#steps()) {
      const answer = await this.#ask(step, signal);
      if (signal.aborted) return;
      if (answer.kind === 'result') continue;
      const why = answer.kind === 'error' ? `${answer.error.code} ${answer.error.message}` : answer.why;
      this.#setup.log.warn({ session: 'trading', step: step.name, why }, 'step refused');
      if (answer.kind === 'error') this.#noteRefused(step, why);
      if (step.scope === 'login' && answer.kind === 'error') await this.#loginRefused(answer.error.code, why);
      if (!signal.aborted) this.#socket.cut(`${step.name} refused: ${why}`);
      return;
    }
    this.#up = true;
    this.#refused = undefined;
    this.#refusals = undefined;
    const now = this.#setup.clock.now();
    this.#setup.publish({ kind: 'sessionUp', session: 'trading', exchangeTime: now, receiveTime: now });
  }

  #noteRefused({ name, scope }: Step, why: string): void {
    const what = scope === 'login' ? 'the login' : `the subscription of ${name}`;
    this.#refused = { what, why, since: this.#refused?.since ?? this.#setup.clock.uptime() };
  }

  /** A wrong clock looks like a wrong key: only a second refusal, with the clock measured anew, is final. */
  async #loginRefused(code: number, why: string): Promise<void> {
    await this.#setup.measureClock();
    if (this.#refusals === undefined || !lastingRefusals.has(code)) return;
    this.#refusals += 1;
    if (this.#refusals === 2) this.#setup.onLoginRefused?.(why);
  }

  async #ask(step: Step, signal: AbortSignal): Promise<RpcAnswer> {
    const { budgets, clock } = this.#setup;
    const slot = await takeRequestSlot(budgets, step.scope, clock, signal);
    if (slot < 0) return { kind: 'silence', why: 'the connection went' };
    const answer = await new Promise<RpcAnswer>((resolve) => {
      const sent = this.#rpc.call(step.encode, resolve);
      if (!sent) resolve({ kind: 'silence', why: 'nothing could be sent' });
    });
    const limited = answer.kind === 'error' && answer.error.code === 429;
    budgets.settle(slot, limited ? 'limited' : 'acknowledged');
    return answer;
  }

  #steps(): readonly Step[] {
    const products = this.#setup.products();
    const reports = (product: Product): Step => ({
      name: `${product} orders`,
      scope: 'subscribe',
      encode: (id) => this.#noted(encodeV3ReportsSubscribe(product, id)),
    });
    const balances = (wallet: 'spot' | 'futures'): Step => ({
      name: `${wallet} balances`,
      scope: 'subscribe',
      encode: (id) => this.#noted(encodeV3BalanceSubscribe(wallet, 'updates', id)),
    });
    return [
      { name: 'login', scope: 'login', encode: (id) => this.#login(id) },
      ...products.map(reports),
      // Margin is set aside from the balances of spot trading.
      ...(products.some((product) => product !== 'futures') ? [balances('spot')] : []),
      ...(products.includes('futures') ? [balances('futures')] : []),
    ];
  }

  #login(id: string): string {
    const { clock, clockOffset, credentials, options } = this.#setup;
    const now = later(clock.now(), clockOffset.offset);
    // The login is kept without its credentials.
    recordFrame(this.#frames, 'out', `{"method":"login","id":"${id}"}`);
    return encodeV3Login(credentials, { now, windowMs: options.rest.windowMs }, id);
  }

  #noted(text: string): string {
    recordFrame(this.#frames, 'out', text);
    return text;
  }
}
