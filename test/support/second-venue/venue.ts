import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { Observable } from 'rxjs';
import type { Cancel } from '../../../src/core/base/clock.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { micros, millis } from '../../../src/core/base/clock.ts';
import { Topic } from '../../../src/core/bus/topic.ts';
import type { Venue } from '../../../src/core/bus/venue.ts';
import type { Command } from '../../../src/core/model/command.ts';
import type { Event, SessionName } from '../../../src/core/model/event.ts';
import type { Direction, Frame } from '../../../src/core/model/frame.ts';
import { Instruments } from '../../../src/core/model/instrument.ts';
import type { ConnectDeps, OpenVenueSetup, VenueBudgets, VenueModule } from '../../../src/venues/port.ts';
import { VenueFailed } from '../../../src/venues/port.ts';
import { ToyAccount } from './account.ts';
import { ToyDecoder, toyChannel } from './decoder.ts';
import { toySymbol } from './exchange.ts';

class ToyFailed extends VenueFailed {
  override readonly code = 'TOY_FAILED';
}

const noLimits: VenueBudgets = {
  take: () => 0,
  wait: () => micros(0),
  settle: () => {},
  usage: () => {
    const free = { used: 0, capacity: 1_000 };
    return { cancel: free, read: free, replace: free, new: free };
  },
};

/** The second venue: no lists, no replacements, ids of at most 24 letters, a smallest order of 100 C. */
const toy: VenueModule = {
  name: 'toy',
  capabilities: {
    orderLists: [],
    replace: false,
    cancelAll: false,
    margin: false,
    keepAlive: { msMin: 100, msMax: 60_000 },
    clientOrderId: { pattern: /^[a-z0-9-]{8,24}$/, lengthMax: 24, text: '8 to 24 of a-z0-9-' },
    minimumNotional: { C: '100' },
    feeCurrency: 'quote',
    evidence: { absentMs: 700, aliveMs: 200, marginMs: 1_000 },
  },
  frames: { venue: 'toy', channels: [toyChannel], decoder: (options) => new ToyDecoder(options) },
  accountDecoder: (setup) => new ToyAccount(setup),
  addresses: ({ base_url: baseUrl = '' }) => ({ baseUrl, wsUrl: baseUrl }),
  budgets: () => noLimits,
  connect: (setup) =>
    Promise.resolve({
      listInstruments: () => listOf(setup),
      open: (parts) => new ToyVenue(setup, parts),
    }),
};
export default toy;

function socketOf({ settings }: ConnectDeps): Socket {
  const { hostname, port } = new URL(settings.base_url ?? '');
  const socket = connect(Number(port), hostname);
  socket.setEncoding('utf8');
  socket.on('error', () => {});
  return socket;
}

async function listOf(setup: ConnectDeps): Promise<Instruments> {
  const socket = socketOf(setup);
  await new Promise<void>((resolve, reject) => {
    socket.once('close', () => reject(new ToyFailed('the toy exchange does not answer', true)));
    socket.once('data', () => resolve());
    socket.write('{"op":"symbols"}\n');
  });
  socket.destroy();
  const { name: symbol, base, quote, tick, lot } = toySymbol;
  return new Instruments([
    {
      symbol,
      type: 'spot',
      baseCurrency: base,
      quoteCurrency: quote,
      feeCurrency: quote,
      tickSize: tick,
      quantityIncrement: lot,
      takeRate: '0',
      makeRate: '0',
      status: 'working',
      marginTrading: false,
    },
  ]);
}

/** One connection for market and account, opened anew when it is lost. */
class ToyVenue implements Venue {
  readonly events: Observable<Event>;
  readonly #topic = new Topic<Event>();
  readonly #setup: ConnectDeps;
  readonly #parts: OpenVenueSetup;
  readonly #market: ToyDecoder;
  readonly #account: ToyAccount;
  readonly #deadlines = new Map<number, Cancel>();
  /** Calls of the switch without an answer; their numbers are below that of the login. */
  readonly #alive = new Map<number, (why: string) => void>();
  #aliveRef = -1;
  #socket: Socket | undefined;
  #isUp = new Set<SessionName>();
  #cancel: Cancel = () => {};
  #closed = false;

  constructor(setup: ConnectDeps, parts: OpenVenueSetup) {
    this.#setup = setup;
    this.#parts = parts;
    const publish = (event: Event): void => this.#publish(event);
    this.#market = new ToyDecoder({ instruments: parts.instruments, publish });
    this.#account = new ToyAccount({ instruments: parts.instruments, publish });
    this.events = new Observable((subscriber) => {
      const subscription = this.#topic.subscribe(subscriber);
      this.#connect();
      return subscription;
    });
  }

  send(command: Command): void {
    const { clock, options } = this.#setup;
    this.#account.sent(command, clock.now());
    const { commandId } = command;
    const line = lineOf(command, this.#parts.instruments);
    if (line === undefined || !this.#isUp.has('trading')) {
      const why = line === undefined ? 'the toy exchange has no such command' : 'there is no connection';
      queueMicrotask(() => this.#frame('in', JSON.stringify({ re: commandId, no: why })));
      return;
    }
    const late = (): void => this.#frame('in', JSON.stringify({ re: commandId, silence: 'no answer' }));
    this.#deadlines.set(commandId, clock.after(millis(options.calls.deadlineMs), late));
    const asked = { ref: commandId, ...line };
    // A replay knows by it when the command left.
    this.#frame('out', JSON.stringify(asked));
    this.#write(asked);
  }

  keepAlive(timeout: Micros): Promise<string> {
    if (!this.#isUp.has('trading')) return Promise.resolve('there is no connection');
    this.#aliveRef -= 1;
    const ref = this.#aliveRef;
    const { clock, options } = this.#setup;
    return new Promise((resolve) => {
      const cancel = clock.after(millis(options.calls.deadlineMs), () => this.#aliveEnd(ref, 'no answer'));
      this.#alive.set(ref, (why) => {
        cancel();
        resolve(why);
      });
      this.#write({ ref, op: 'alive', ms: timeout / 1_000 });
    });
  }

  #aliveEnd(ref: number, why: string): void {
    this.#alive.get(ref)?.(why);
    this.#alive.delete(ref);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancel();
    const socket = this.#socket;
    this.#lost('closed by us');
    if (socket !== undefined && !socket.destroyed) {
      await new Promise<void>((resolve) => {
        socket.removeAllListeners('close');
        socket.once('close', () => resolve());
        socket.destroy();
      });
    }
    this.#topic.close();
  }

  #connect(): void {
    if (this.#closed || this.#socket !== undefined) return;
    const socket = socketOf(this.#setup);
    this.#socket = socket;
    let text = '';
    socket.once('connect', () => {
      this.#up('market');
      if (this.#parts.subscriptions.length > 0) this.#write({ op: 'watch' });
      const key = this.#setup.credentials?.apiKey;
      if (key !== undefined) this.#write({ ref: -1, op: 'hello', key });
    });
    socket.on('data', (chunk: string) => {
      const lines = (text + chunk).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) this.#frame('in', line);
    });
    socket.once('close', () => {
      this.#lost('the connection was lost');
      if (!this.#closed) this.#cancel = this.#setup.clock.after(millis(20), () => this.#connect());
    });
  }

  #frame(direction: Direction, text: string): void {
    const receiveTime = this.#setup.clock.now();
    const frame: Frame = { channel: toyChannel, direction, receiveTime, bytes: Buffer.from(text) };
    this.#parts.onFrame?.(frame);
    this.#market.accept(frame);
    this.#account.accept(frame);
    if (direction !== 'in') return;
    const { re, no } = JSON.parse(text) as { readonly re?: number; readonly no?: string };
    if (re !== undefined && re < -1) this.#aliveEnd(re, no ?? '');
    if (re !== -1) return;
    if (no === undefined) this.#up('trading');
    else this.#parts.onLoginRefused?.(no);
  }

  #write(line: object): void {
    this.#socket?.write(`${JSON.stringify(line)}\n`);
  }

  #up(session: SessionName): void {
    this.#isUp.add(session);
    this.#tell({ kind: 'sessionUp', session });
  }

  #lost(why: string): void {
    this.#socket = undefined;
    for (const ref of this.#alive.keys()) this.#aliveEnd(ref, why);
    const were = [...this.#isUp];
    this.#isUp = new Set();
    this.#frame('close', why);
    for (const session of were) this.#tell({ kind: 'sessionDown', session, why });
  }

  #tell(
    event:
      | { kind: 'sessionUp'; session: SessionName }
      | { kind: 'sessionDown'; session: SessionName; why: string },
  ): void {
    const now = this.#setup.clock.now();
    this.#publish({ ...event, exchangeTime: now, receiveTime: now });
  }

  #publish(event: Event): void {
    if (event.kind === 'commandSettled') {
      this.#deadlines.get(event.commandId)?.();
      this.#deadlines.delete(event.commandId);
    }
    this.#topic.next(event);
    // A full book is the only way back from a gap.
    if (event.kind === 'bookStale' && event.reason === 'gap') this.#write({ op: 'watch' });
  }
}

function lineOf(command: Command, instruments: Instruments): object | undefined {
  switch (command.kind) {
    case 'newOrder': {
      const { clientOrderId: id, side, price, quantity, instrument: number, margin } = command.request;
      const instrument = instruments.at(number);
      if (price === undefined || margin !== undefined) return undefined;
      const order = {
        id,
        side,
        price: instrument.priceText(price),
        quantity: instrument.quantityText(quantity),
      };
      return { op: 'place', order };
    }
    case 'cancelOrder':
      return { op: 'cancel', id: command.clientOrderId };
    case 'read': {
      const { what } = command;
      const names = {
        activeOrders: 'open',
        balances: 'money',
        orderHistory: 'order',
        tradeHistory: 'trades',
        marginAccounts: undefined,
        fundingRates: undefined,
        transfers: undefined,
        book: undefined,
      };
      return {
        op: 'read',
        what: names[what.of],
        id: what.of === 'orderHistory' ? what.clientOrderId : undefined,
      };
    }
    default:
      return undefined;
  }
}
