import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';

/** An order of the toy exchange, as its protocol tells it. */
export interface ToyOrder {
  readonly id: string;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly quantity: string;
  done: string;
  state: 'open' | 'done' | 'gone';
  at: number;
}

export interface ToyTrade {
  readonly trade: string;
  readonly id: string;
  readonly side: 'buy' | 'sell';
  readonly price: string;
  readonly quantity: string;
  readonly at: number;
}

interface Ask {
  readonly op: string;
  readonly ref?: number;
  readonly key?: string;
  readonly order?: ToyOrder;
  readonly id?: string;
  readonly what?: string;
  readonly ms?: number;
}

export const toySymbol = { name: 'AB-C', base: 'AB', quote: 'C', tick: '0.5', lot: '1' } as const;

/**
 * A small exchange that speaks lines of JSON over TCP: one symbol, limit orders, no lists and no replacements. It shares
 * nothing with the venue that Godwit comes with.
 */
export class ToyExchange {
  readonly orders = new Map<string, ToyOrder>();
  readonly trades: ToyTrade[] = [];
  /** Requests for new orders that came in. */
  placed = 0;
  /** The next new orders are executed and not answered. */
  silences = 0;
  /** How the switch is armed: it cancels after so many ms without a renewal; 0: it is not. */
  aliveMs = 0;
  /** Renewals of the switch are not answered. */
  isDeaf = false;
  #aliveTimer: NodeJS.Timeout | undefined;
  readonly #server = createServer((socket) => this.#join(socket));
  readonly #sockets = new Set<Socket>();
  readonly #watching = new Set<Socket>();
  readonly #known = new Set<Socket>();
  readonly #bids = new Map<string, string>([['99.5', '10']]);
  readonly #asks = new Map<string, string>([['100.5', '10']]);
  #number = 1;
  #prints = 0;
  #lost = 0;

  static async start(): Promise<ToyExchange> {
    const exchange = new ToyExchange();
    await new Promise<void>((resolve) => exchange.#server.listen(0, '127.0.0.1', resolve));
    return exchange;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The quantity at the best bid changes. */
  move(quantity: string): void {
    this.#bids.set('99.5', quantity);
    this.#number += 1;
    if (this.#lost > 0) this.#lost -= 1;
    else this.#tell(this.#watching, { t: 'diff', n: this.#number, bids: [['99.5', quantity]], asks: [] });
  }

  /** The whole market stands at another price: one level a side, 2 C from it. */
  shift(mid: number): void {
    const [bids, asks] = [[...this.#bids.keys()], [...this.#asks.keys()]];
    const gone = (levels: readonly string[]) => levels.map((price) => [price, '0'] as const);
    for (const levels of [this.#bids, this.#asks]) levels.clear();
    this.#bids.set(String(mid - 2), '10');
    this.#asks.set(String(mid + 2), '10');
    this.#number += 1;
    const changed = { bids: [...gone(bids), ...this.#bids], asks: [...gone(asks), ...this.#asks] };
    this.#tell(this.#watching, { t: 'diff', n: this.#number, ...changed });
  }

  /** The next changes of the book are not sent, though they are counted. */
  lose(count: number): void {
    this.#lost = count;
  }

  print(): void {
    this.#prints += 1;
    this.#tell(this.#watching, { t: 'print', id: this.#prints, price: '100.5', quantity: '1', side: 'buy' });
  }

  /** Cuts every connection. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    clearTimeout(this.#aliveTimer);
    this.cut();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #join(socket: Socket): void {
    this.#sockets.add(socket);
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      const lines = (text + chunk).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) this.#take(socket, JSON.parse(line) as Ask);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      for (const set of [this.#sockets, this.#watching, this.#known]) set.delete(socket);
    });
  }

  #take(socket: Socket, ask: Ask): void {
    const answer = (body: object): void => this.#tell([socket], { re: ask.ref, ...body });
    switch (ask.op) {
      case 'symbols':
        return answer({ rows: [toySymbol] });
      case 'hello':
        if (ask.key === 'toy-key') this.#known.add(socket);
        return answer(ask.key === 'toy-key' ? { rows: [] } : { no: 'unknown key' });
      case 'watch':
        this.#watching.add(socket);
        return this.#tell([socket], {
          t: 'full',
          n: this.#number,
          bids: [...this.#bids],
          asks: [...this.#asks],
        });
      case 'place':
        return this.#place(ask.order as ToyOrder, answer);
      case 'cancel':
        return this.#cancel(ask.id ?? '', answer);
      case 'alive':
        if (this.isDeaf) return undefined;
        this.#arm(ask.ms ?? 0);
        return answer({ rows: [] });
      default:
        return answer({ rows: this.#rows(ask) });
    }
  }

  #place(order: ToyOrder, answer: (body: object) => void): void {
    this.placed += 1;
    const kept = { ...order, done: '0', state: 'open' as ToyOrder['state'], at: Date.now() };
    this.orders.set(order.id, kept);
    const [ask = '100.5'] = this.#asks.keys();
    if (order.side === 'buy' && Number(order.price) >= Number(ask)) this.#fill(kept, ask);
    else this.#report(kept);
    if (this.silences > 0) this.silences -= 1;
    else answer({ rows: [kept] });
  }

  #fill(order: ToyOrder, price: string): void {
    order.done = order.quantity;
    order.state = 'done';
    const { id, side, quantity } = order;
    const trade = { trade: `t${this.trades.length + 1}`, id, side, price, quantity, at: Date.now() };
    this.trades.push(trade);
    this.#report(order, trade);
    this.#tell(this.#known, { t: 'money', rows: this.#money() });
  }

  #arm(ms: number): void {
    clearTimeout(this.#aliveTimer);
    this.aliveMs = ms;
    if (ms === 0) return;
    this.#aliveTimer = setTimeout(() => {
      for (const { id } of this.orders.values()) this.#cancel(id, () => {});
    }, ms);
  }

  #cancel(id: string, answer: (body: object) => void): void {
    const order = this.orders.get(id);
    if (order?.state !== 'open') return answer({ no: 'no such order' });
    order.state = 'gone';
    this.#report(order);
    answer({ rows: [order] });
  }

  #rows({ what, id }: Ask): readonly object[] {
    if (what === 'open') return [...this.orders.values()].filter(({ state }) => state === 'open');
    if (what === 'order') return [...this.orders.values()].filter((order) => order.id === id);
    return what === 'trades' ? this.trades : this.#money();
  }

  #money(): readonly object[] {
    const bought = this.trades.reduce((sum, { quantity }) => sum + Number(quantity), 0);
    return [
      { currency: 'AB', free: String(100 + bought), held: '0' },
      { currency: 'C', free: String(100_000 - bought * 100.5), held: '0' },
    ];
  }

  #report(order: ToyOrder, trade?: ToyTrade): void {
    this.#tell(this.#known, { t: 'order', order: { ...order }, ...(trade === undefined ? {} : { trade }) });
  }

  #tell(sockets: Iterable<Socket>, message: object): void {
    const line = `${JSON.stringify({ ...message, at: Date.now() })}\n`;
    for (const socket of sockets) socket.write(line);
  }
}
