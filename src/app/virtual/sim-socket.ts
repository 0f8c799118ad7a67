import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Location, WriteQueue } from '../../exchange/sockets/index.ts';
import { Connection } from '../../exchange/sockets/index.ts';
import type { Clock } from '../../core/base/clock.ts';
import { micros } from '../../core/base/clock.ts';
import type { VirtualClock } from '../../core/base/virtual-clock.ts';
import type { CounterRandom } from './counter-random.ts';
import type { ServerPeer } from './server-end.ts';
import { ServerEnd } from './server-end.ts';
import type { Road, RoadState, Weather } from './weather.ts';

const open = 1;
const closed = 3;

/** The world as a link needs it. */
export interface LinkDeps {
  readonly time: VirtualClock;
  readonly weather: Weather;
  readonly road: Road;
  readonly random: CounterRandom;
  readonly location: Location;
  /** The exchange takes no socket now. */
  readonly isRefused: boolean;
  readonly exchangeClock: Clock;
  readonly outbox: WriteQueue;
  /** Text leaves the trader, or reaches it. */
  readonly sent: (road: Road, text: string) => void;
  readonly arrives: (road: Road, text: string) => void;
  /** The trader's process may have promises to run. */
  readonly touched: () => void;
}

/** One socket from the trader to the exchange: what `ws` shows at either end, and the road between. */
export class SimSocket extends EventEmitter implements ServerPeer {
  readyState = 0;
  readonly bufferedAmount = 0;
  readonly #parts: LinkDeps;
  readonly #server: ServerEnd;
  readonly #road: RoadState;
  #upAt = 0;
  #downAt = 0;
  /** Bytes on their way vanished: a real connection would be dead from there. */
  #upDead = false;
  #downDead = false;
  #silentSince: number | undefined;
  /** The client end speaks to nobody any more. */
  #gone = false;

  constructor(parts: LinkDeps) {
    super();
    this.#parts = parts;
    this.#road = parts.weather.roads[parts.road];
    this.#server = new ServerEnd(this);
    const { time } = parts;
    const refused = parts.isRefused || this.#road.refusedTo > time.now();
    const lost = Math.max(this.#road.upLostTo, this.#road.downLostTo) > time.now();
    this.#upDead = lost && !refused;
    if (this.#upDead) return;
    this.#later(this.#delay(), () => (refused ? this.fail('connect ECONNREFUSED') : this.#opened()));
  }

  get lostBytes(): boolean {
    return this.#upDead || this.#downDead;
  }

  /** Time at which the first byte towards the trader vanished. */
  get silentSince(): number | undefined {
    return this.#silentSince;
  }

  send(text: string): void {
    if (this.readyState !== open) return;
    this.#parts.sent(this.#parts.road, text);
    const answer = this.#parts.weather.refused(this.#parts.road, text);
    this.#up(() => {
      if (answer === undefined) this.#server.emit('message', Buffer.from(text, 'utf8'));
      else this.fromServer(answer);
    });
  }

  ping(): void {
    this.#up(() => this.#down(() => this.emit('pong')));
  }

  terminate(): void {
    this.fail('terminated');
  }

  close(code: number): void {
    this.#end(code, '');
    this.#up(() => this.#server.ended(code), true);
  }

  /** The connection breaks: what is on its way may still arrive, or not. */
  fail(why: string): void {
    if (this.readyState === closed) return;
    const { random, time } = this.#parts;
    this.#road.brokenBefore = this.#road.brokenAt;
    this.#road.brokenAt = time.now();
    const gone = random.chance(0.5) ? Math.max(0, this.#upAt - time.now()) + 1 : 0;
    if (gone === 0) this.#upAt = Number.POSITIVE_INFINITY;
    this.#later(gone === 0 ? this.#delay() : gone, () => this.#server.ended(1006));
    this.#downAt = Number.POSITIVE_INFINITY;
    this.readyState = closed;
    this.#later(1, () => {
      if (this.#gone) return;
      this.emit('error', new Error(why));
      this.#end(1006, '');
    });
  }

  /** The process at this end is no more: nobody hears of anything, bytes on the wire go on or not. */
  abandon(): void {
    this.#gone = true;
    this.fail('the process is gone');
    this.removeAllListeners();
  }

  /** A frame of the exchange sets out. */
  fromServer(text: string): void {
    const { weather, road, arrives } = this.#parts;
    for (const { text: received, later } of weather.arriving(road, text)) {
      this.#down(
        () => {
          if (this.readyState !== open) return;
          arrives(road, received);
          this.emit('message', Buffer.from(received, 'utf8'));
        },
        later,
        received.length,
      );
    }
  }

  /** Closes the link as the exchange's sockets do when they are asked to close. */
  hangUp(code: number, reason: string): void {
    const { connection } = this.#server;
    if (code === 1006) connection?.terminate();
    else connection?.close(code, reason);
  }

  pingFromServer(): void {
    this.#down(() => {
      if (this.readyState !== open) return;
      this.emit('ping');
      this.#up(() => this.#server.emit('pong'));
    });
  }

  closedByServer(code: number, reason: string): void {
    if (code === 1006) this.#later(1, () => this.fail('read ECONNRESET'));
    else this.#down(() => this.#end(code, reason));
  }

  #opened(): void {
    if (this.#gone || this.readyState !== 0) return;
    const { location, exchangeClock, outbox } = this.#parts;
    const connection = new Connection({
      ws: this.#server as unknown as WebSocket,
      socket: this.#server.stream as unknown as Duplex,
      address: '127.0.0.1',
      clock: exchangeClock,
      outbox,
      bufferedBytesMax: 1_048_576,
    });
    const session = location.open(connection);
    connection.serve({ onText: (text) => session.onText(text), onClose: () => session.onClose() });
    this.#server.connection = connection;
    this.readyState = open;
    this.emit('open');
  }

  #end(code: number, reason: string): void {
    if (this.#gone) return;
    this.readyState = closed;
    this.#gone = true;
    this.emit('close', code, Buffer.from(reason, 'utf8'));
  }

  #up(deliver: () => void, last = false): void {
    const { time } = this.#parts;
    if (this.#road.upLostTo > time.now() && !last) this.#upDead = true;
    if (this.#upDead) return;
    if (this.#upAt === Number.POSITIVE_INFINITY) return;
    this.#upAt = Math.max(time.now() + this.#delay(), this.#upAt + 1, this.#road.upHeldTo);
    this.#later(this.#upAt - time.now(), () => {
      if (this.#upAt !== Number.POSITIVE_INFINITY && !this.#server.over) deliver();
    });
  }

  #down(deliver: () => void, later = 0, bytes = 0): void {
    const { time } = this.#parts;
    if (this.#road.downLostTo > time.now()) {
      this.#downDead = true;
      this.#silentSince ??= time.now();
    }
    if (this.#downDead || this.#downAt === Number.POSITIVE_INFINITY) return;
    const carried = Math.round((bytes * 1_000_000) / this.#road.downBytesPerSecond);
    const at = Math.max(time.now() + this.#delay(), this.#downAt + 1 + carried, this.#road.downHeldTo);
    if (later === 0) this.#downAt = at;
    this.#later(at + later - time.now(), () => {
      if (!this.#gone) deliver();
    });
  }

  #delay(): number {
    const { random } = this.#parts;
    return Math.round(this.#road.delayMin + random.exponential(this.#road.delayMean));
  }

  #later(delay: number, task: () => void): void {
    const { time, touched } = this.#parts;
    time.after(micros(Math.max(1, Math.round(delay))), () => {
      touched();
      task();
    });
  }
}
