import type { Clock } from '../../core/base/clock.ts';
import type { Random } from '../../core/base/random.ts';
import type { Faults } from '../../exchange/base/index.ts';
import { bucketOfSocket } from '../../exchange/base/index.ts';
import type { Connection, Location, Session } from '../../exchange/sockets/index.ts';
import type { Scope } from '../../venues/hitbtc/budgets/api.ts';
import type { ClientOptions } from '../../venues/index.ts';
import { WsSocket } from '../../venues/net/index.ts';
import type { SharedBudgets } from './shared-budgets.ts';

export interface PublicRelayDeps {
  /** Address as the documents write it, without `/api/3`. */
  readonly wsUrl: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly options: ClientOptions['socket'];
  readonly faults: Faults;
  readonly budgets: SharedBudgets;
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

  /** Places that are passed on whole. */
  locations(...paths: readonly string[]): readonly Location[] {
    return paths.map((path) => ({
      path,
      bucket: bucketOfSocket(path),
      open: (connection) => this.open(connection, path),
    }));
  }

  /** Opens a connection to the venue at `path` for one of a program. */
  open(connection: Connection, path: string): Session {
    if (this.#open >= relaysMax) {
      connection.close(1_013, `At most ${relaysMax} sockets of market data are passed on.`);
      return { onText: () => {}, onClose: () => {} };
    }
    this.#open += 1;
    return new RelayedSocket({
      ...this.#setup,
      connection,
      path,
      onEnd: () => {
        this.#open -= 1;
      },
    });
  }
}

interface RelayedSocketDeps extends PublicRelayDeps {
  readonly connection: Connection;
  readonly path: string;
  readonly onEnd: () => void;
}

/** A connection of a program and one to the venue. What the program says waits for the latter, and for its place in the venue's limit. */
class RelayedSocket implements Session {
  readonly #setup: RelayedSocketDeps;
  readonly #upstream: WsSocket;
  readonly #waiting: string[] = [];
  readonly #scope: Scope;
  #isPassing = false;
  #isOver = false;

  constructor(setup: RelayedSocketDeps) {
    const { wsUrl, path, connection } = setup;
    this.#setup = setup;
    this.#scope = path.startsWith('/api/2/') ? 'publicV2' : 'publicSocket';
    this.#upstream = new WsSocket({
      url: `${wsUrl}${path}`,
      clock: setup.clock,
      random: setup.random.fork('relay'),
      options: setup.options,
      skipUtf8Validation: false,
      listener: {
        opened: () => this.#passWaiting(),
        received: (bytes) => {
          const text = Buffer.from(bytes).toString('utf8');
          if (!setup.faults.isFrozen || isReply(text)) connection.send(text);
        },
        // Its subscriptions are gone: the program connects anew and subscribes again, as at the venue.
        closed: () => this.#close(1_012, 'The connection to the venue was lost.'),
      },
    });
    this.#upstream.open();
  }

  onText(text: string): void {
    if (this.#waiting.length >= waitingMax) {
      this.#close(1_013, `More than ${waitingMax} messages wait for the venue.`);
      return;
    }
    this.#waiting.push(text);
    this.#passWaiting();
  }

  onClose(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#setup.onEnd();
    void this.#upstream.close();
  }

  #close(code: number, reason: string): void {
    this.#setup.connection.close(code, reason);
    this.onClose();
  }

  /** Passes on what waits, one message after another. */
  #passWaiting(): void {
    if (this.#isPassing || this.#isOver || !this.#upstream.isOpen || this.#waiting.length === 0) return;
    this.#isPassing = true;
    void this.#setup.budgets.takeSlot(this.#scope).then((settle) => {
      this.#isPassing = false;
      if (this.#isOver) return settle?.(false);
      if (settle === undefined) return this.#close(1_013, "The venue's limit of messages is used up.");
      const text = this.#waiting.shift();
      if (text !== undefined && this.#upstream.isOpen) this.#upstream.send(text);
      settle(false);
      return this.#passWaiting();
    });
  }
}

function isReply(text: string): boolean {
  return /^\{(?:"jsonrpc":"2\.0",)?"(?:result|error)":/.test(text);
}
