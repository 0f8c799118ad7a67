import type { WebSocket } from 'ws';
import type { Clock } from '../../core/base/clock.ts';
import type { VirtualClock } from '../../core/base/virtual-clock.ts';
import type { ClientNetwork, HttpPool } from '../../venues/net/network.ts';
import { CounterRandom } from './counter-random.ts';
import { SimPool } from './sim-http.ts';
import type { VirtualExchange } from './exchange.ts';
import { SimSocket } from './sim-socket.ts';
import type { Road } from './weather.ts';
import { Weather } from './weather.ts';

/** Hears every byte that leaves a trader and every one that reaches it. */
export interface WireTap {
  /** A text frame, or a request as `METHOD path`, leaves. */
  sent(road: Road, text: string): void;
  /** A text frame, or an answer as `status body`, is about to be handed over. */
  arrives(road: Road, text: string, request?: string): void;
  /** A connection is made, so what was read on the one before is void. */
  connects(road: Road): void;
}

export interface SimNetworkDeps {
  readonly time: VirtualClock;
  readonly seed: number;
  readonly exchange: () => VirtualExchange;
  readonly exchangeClock: Clock;
  readonly tap: WireTap;
  readonly touched: () => void;
  readonly mark: (name: string) => void;
}

/** The roads between one trader after the other and the exchange, in one simulated weather. */
export class SimNetwork {
  readonly weather = new Weather();
  readonly #parts: SimNetworkDeps;
  readonly #sockets = new Set<{ readonly road: Road; readonly socket: SimSocket }>();
  readonly #pools = new Set<SimPool>();
  #made = 0;

  constructor(parts: SimNetworkDeps) {
    this.#parts = parts;
  }

  /** The network as a trader's client is given it. */
  asClient(): ClientNetwork {
    return {
      connect: (url) => this.#connect(url),
      pool: () => this.#pool(),
    };
  }

  /** The trader's process is gone, and its connections with it. */
  abandon(): void {
    for (const { socket } of this.#sockets) socket.abandon();
    this.#sockets.clear();
    for (const pool of this.#pools) pool.abandon();
    this.#pools.clear();
  }

  /** Connections of the trader, and all listeners of them. */
  get held(): { readonly sockets: number; readonly listeners: number } {
    let listeners = 0;
    for (const { socket } of this.#sockets)
      for (const name of socket.eventNames()) listeners += socket.listenerCount(name);
    return { sockets: this.#sockets.size, listeners };
  }

  /** Breaks the connections of a road. */
  cut(road: Road): void {
    for (const { road: of, socket } of this.#sockets) if (of === road) socket.fail('read ECONNRESET');
  }

  /** Bytes of these connections were lost: they can never go on. */
  cutLost(): void {
    for (const { socket } of this.#sockets) if (socket.lostBytes) socket.fail('bytes were lost');
  }

  /** Time since when no byte of the trader's connection on a road can arrive any more, true time; `undefined`: it can. */
  silentSince(road: Road): number | undefined {
    for (const { road: of, socket } of this.#sockets) if (of === road) return socket.silentSince;
    return undefined;
  }

  /** Whether the trader has a connection on a road that is open at its end. */
  isOpen(road: Road): boolean {
    for (const { road: of, socket } of this.#sockets) if (of === road && socket.readyState === 1) return true;
    return false;
  }

  /** The exchange hangs up on everybody; 1006 cuts instead. */
  closedByExchange(code: number, reason: string): void {
    for (const { socket } of this.#sockets) socket.hangUp(code, reason);
  }

  #connect(url: string): WebSocket {
    const { time, seed, exchange, exchangeClock, tap, touched } = this.#parts;
    const road: Road = url.endsWith('/trading') ? 'trading' : 'market';
    this.#made += 1;
    const socket = new SimSocket({
      time,
      weather: this.weather,
      road,
      random: new CounterRandom(seed, `network/${road}/${this.#made}`),
      isRefused: exchange().faults.isDown,
      location: exchange().location(new URL(url).pathname),
      exchangeClock,
      outbox: exchange().outbox,
      sent: (of, text) => tap.sent(of, text),
      arrives: (of, text) => tap.arrives(of, text),
      touched,
    });
    const entry = { road, socket };
    this.#sockets.add(entry);
    socket.once('close', () => this.#sockets.delete(entry));
    socket.once('open', () => tap.connects(road));
    return socket as unknown as WebSocket;
  }

  #pool(): HttpPool {
    const { time, seed, exchange, tap, touched, mark } = this.#parts;
    this.#made += 1;
    const pool = new SimPool({
      time,
      road: this.weather.roads.rest,
      weather: this.weather,
      random: new CounterRandom(seed, `network/rest/${this.#made}`),
      server: exchange().http,
      sent: (text) => tap.sent('rest', text),
      arrives: (text, request) => tap.arrives('rest', text, request),
      touched,
      mark,
    });
    this.#pools.add(pool);
    return pool.asPool();
  }
}
