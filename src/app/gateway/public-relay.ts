import type { Clock } from '../../core/base/clock.ts';
import type { Random } from '../../core/base/random.ts';
import { bucketOfSocket } from '../../exchange/base/index.ts';
import type { Connection, Location, Session } from '../../exchange/sockets/index.ts';
import type { ClientOptions } from '../../venues/index.ts';
import { WsSocket } from '../../venues/net/index.ts';

export interface PublicRelayDeps {
  /** Address as the documents write it, without `/api/3`. */
  readonly wsUrl: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly options: ClientOptions['socket'];
}

/** Connections to the venue at once: its limits count those of the daemon, too. */
const relaysMax = 20;
/** Messages that may wait until the connection to the venue is open. */
const waitingMax = 100;

/** Market data by socket, passed on: one connection to the venue for each of a program, which ends when the other does. */
export class PublicRelay {
  readonly #setup: PublicRelayDeps;
  #open = 0;

  constructor(setup: PublicRelayDeps) {
    this.#setup = setup;
  }

  /** Places of public market data of both versions. */
  locations(): readonly Location[] {
    return ['/api/3/ws/public', '/api/2/ws/public'].map((path) => ({
      path,
      bucket: bucketOfSocket(path),
      open: (connection) => this.#relay(connection, path),
    }));
  }

  #relay(connection: Connection, path: string): Session {
    if (this.#open >= relaysMax) {
      connection.close(1_013, `At most ${relaysMax} sockets of market data are passed on.`);
      return { onText: () => {}, onClose: () => {} };
    }
    const { wsUrl, clock, random, options } = this.#setup;
    const waiting: string[] = [];
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      this.#open -= 1;
      void upstream.close();
    };
    const upstream = new WsSocket({
      url: `${wsUrl}${path}`,
      clock,
      random: random.fork('relay'),
      options,
      skipUtf8Validation: false,
      listener: {
        opened: () => {
          for (const text of waiting.splice(0)) upstream.send(text);
        },
        received: (bytes) => connection.send(Buffer.from(bytes).toString('utf8')),
        // Its subscriptions are gone: the program connects anew and subscribes again, as at the venue.
        closed: () => {
          connection.close(1_012, 'The connection to the venue was lost.');
          end();
        },
      },
    });
    this.#open += 1;
    upstream.open();
    return {
      onText: (text) => {
        if (upstream.isOpen) upstream.send(text);
        else if (waiting.length < waitingMax) waiting.push(text);
        else connection.close(1_013, 'The connection to the venue is not open yet.');
      },
      onClose: end,
    };
  }
}
