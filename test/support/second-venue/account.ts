import { parseAmount, zero } from '../../../src/core/base/amount.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { millis } from '../../../src/core/base/clock.ts';
import type { Command } from '../../../src/core/model/command.ts';
import { laneOf, orderIdOf } from '../../../src/core/model/command.ts';
import type { CommandSettled, Event, OwnTrade } from '../../../src/core/model/event.ts';
import type { Frame } from '../../../src/core/model/frame.ts';
import type { Instrument } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId, VenueOrder } from '../../../src/core/model/order.ts';
import type { AccountDecoder, AccountDecoderSetup } from '../../../src/venues/port.ts';
import { toyChannel } from './decoder.ts';
import type { ToyOrder, ToyTrade } from './exchange.ts';

interface AccountLine {
  readonly t?: 'order' | 'money';
  readonly re?: number;
  /** The number of a command, in a line of ours. */
  readonly ref?: number;
  readonly no?: string;
  /** Made by ourselves: no answer came. */
  readonly silence?: string;
  readonly order?: ToyOrder;
  readonly trade?: ToyTrade;
  readonly rows?: readonly unknown[];
}

interface Money {
  readonly currency: string;
  readonly free: string;
  readonly held: string;
}

/** Lines about the own account in, events out; each command ends in one `commandSettled`. */
export class ToyAccount implements AccountDecoder {
  readonly #publish: (event: Event) => void;
  readonly #instrument: Instrument;
  readonly #inFlight = new Map<number, { readonly command: Command; askedAt: Micros }>();
  #now = 0 as Micros;
  unmatched = 0;

  constructor({ instruments, publish }: AccountDecoderSetup) {
    this.#publish = publish;
    this.#instrument = instruments.all[0] as Instrument;
  }

  sent(command: Command, askedAt = this.#now): void {
    this.#inFlight.set(command.commandId, { command, askedAt });
  }

  accept(frame: Frame): void {
    if (frame.channel !== toyChannel) return;
    this.#now = frame.receiveTime;
    if (frame.direction === 'close') {
      for (const { command } of this.#inFlight.values()) this.#settle(command, 'unanswered');
    }
    if (frame.direction === 'close') return;
    const line = JSON.parse(Buffer.from(frame.bytes).toString('utf8')) as AccountLine;
    const asked = line.ref === undefined ? undefined : this.#inFlight.get(line.ref);
    if (asked !== undefined) asked.askedAt = this.#now;
    if (frame.direction === 'out') return;
    if (line.t === 'order') this.#report(line.order as ToyOrder, line.trade);
    if (line.t === 'money')
      this.#publish({ kind: 'balances', complete: false, balances: this.#balances(line), ...this.#times() });
    if (line.re !== undefined && line.re > 0) this.#reply(line.re, line);
  }

  #reply(ref: number, line: AccountLine): void {
    const { command, askedAt } = this.#inFlight.get(ref) ?? {};
    if (command === undefined || askedAt === undefined) {
      this.unmatched += 1;
    } else if (line.silence !== undefined) {
      this.#settle(command, 'unanswered');
    } else if (line.no !== undefined) {
      this.#reject(command, line.no);
      this.#settle(command, 'refused');
    } else {
      if (command.kind === 'read') this.#answer(command, askedAt, line);
      this.#settle(command, 'acknowledged');
    }
  }

  #answer(command: Extract<Command, { kind: 'read' }>, askedAt: Micros, line: AccountLine): void {
    const { of } = command.what;
    const rows = line.rows ?? [];
    const isOrders = of === 'activeOrders' || of === 'orderHistory';
    this.#publish({
      kind: 'readAnswered',
      commandId: command.commandId,
      what: command.what,
      askedAt,
      orders: isOrders ? (rows as readonly ToyOrder[]).map((row) => this.#order(row)) : [],
      fills: of === 'tradeHistory' ? (rows as readonly ToyTrade[]).map((row) => this.#trade(row)) : [],
      balances: of === 'balances' ? this.#balances(line) : [],
      ...this.#times(),
    });
  }

  #reject(command: Command, why: string): void {
    if (command.kind === 'read' || command.kind === 'changeMargin') return;
    if (command.kind === 'cancelOrders') {
      for (const one of command.cancels) this.#reject(one, why);
      return;
    }
    const clientOrderId = orderIdOf(command);
    const received = { clientOrderId, code: 1, why, ...this.#times() };
    if (command.kind === 'cancelOrder') this.#publish({ kind: 'cancelRejected', ...received });
    else this.#publish({ kind: 'orderRejected', originalClientOrderId: undefined, ...received });
  }

  #report(row: ToyOrder, trade: ToyTrade | undefined): void {
    const order = this.#order(row);
    const reportType = trade === undefined ? (order.state === 'canceled' ? 'canceled' : 'new') : 'trade';
    const fill = trade && this.#trade(trade);
    this.#publish({ kind: 'orderReport', reportType, order, fill, ...this.#times() });
  }

  #order(row: ToyOrder): VenueOrder {
    const state = { open: 'new', done: 'filled', gone: 'canceled' } as const;
    return {
      clientOrderId: row.id as ClientOrderId,
      instrument: this.#instrument.id,
      side: row.side,
      type: 'limit',
      timeInForce: 'GTC',
      quantity: this.#instrument.readLots(row.quantity),
      price: this.#instrument.readTicks(row.price),
      stopPrice: undefined,
      expireTime: undefined,
      postOnly: false,
      venueOrderId: row.id,
      state: state[row.state],
      cumulative: this.#instrument.readLots(row.done),
      originalClientOrderId: undefined,
      orderListId: undefined,
      createdAt: millis(row.at),
      updatedAt: millis(row.at),
    };
  }

  #trade({ trade, id, side, price, quantity, at }: ToyTrade): OwnTrade {
    return {
      tradeId: trade,
      clientOrderId: id as ClientOrderId,
      venueOrderId: id,
      instrument: this.#instrument.id,
      side,
      price: this.#instrument.readTicks(price),
      quantity: this.#instrument.readLots(quantity),
      fee: zero,
      taker: true,
      time: millis(at),
    };
  }

  #balances({ rows = [] }: AccountLine) {
    return (rows as readonly Money[]).map(({ currency, free, held }) => ({
      currency,
      available: parseAmount(free),
      reserved: parseAmount(held),
    }));
  }

  #settle(command: Command, outcome: CommandSettled['outcome']): void {
    this.#inFlight.delete(command.commandId);
    for (const one of command.kind === 'cancelOrders' ? command.cancels : [command])
      this.#publish({
        kind: 'commandSettled',
        commandId: one.commandId,
        lane: laneOf(one),
        outcome,
        clientOrderId: orderIdOf(one),
        ...this.#times(),
      });
  }

  #times() {
    return { exchangeTime: this.#now, receiveTime: this.#now };
  }
}
