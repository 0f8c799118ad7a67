import type { Amount } from '../../src/core/base/amount.ts';
import { add, formatAmount, parseAmount, subtract, zero } from '../../src/core/base/amount.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { Fill, VenueOrder } from '../../src/core/model/order.ts';
import type { HttpAnswer } from '../../src/exchange/http/http.ts';
import type { OrderHistoryEntry } from '../../src/exchange/base/order-log.ts';
import type { Breaches } from './breaches.ts';
import type { Marks } from './marks.ts';
import type { ProgramRole } from './program-roles.ts';
import type { ProgramRequest } from './sim-gateway.ts';
import type { SimExchange } from './sim-exchange.ts';

export interface ProgramCheckParts {
  readonly breaches: Breaches;
  readonly marks: Marks;
  readonly exchange: SimExchange;
  readonly roles: readonly ProgramRole[];
}

/** An order as the documents show it. */
interface ShownOrder {
  readonly id: number | string;
  readonly client_order_id: string;
  readonly symbol: string;
  readonly side: string;
  readonly status: string;
  readonly quantity: string;
  readonly quantity_cumulative: string;
  readonly price: string;
}

/**
 * What programs are answered is what the exchange has, and of their own orders alone; no id of a program is there twice; what was denied never
 * leaves; no program takes more than its share. Judged by the exchange's own record, and by the records of the journal for which order
 * is whose.
 */
export class ProgramCheck {
  readonly #parts: ProgramCheckParts;
  /** The program and its id for it, by our id. */
  readonly #names = new Map<string, string>();
  /** Our id at the exchange, by the same. */
  readonly #accepted = new Map<string, string>();
  /** Names of orders that were denied, and never asked for again. */
  readonly #denied = new Map<string, string>();
  /** How often each name was asked for. */
  readonly #asked = new Map<string, number>();
  readonly #untold = new Set<string>();
  /** Names that were answered as live, and not as ended since. */
  readonly #live = new Set<string>();

  constructor(parts: ProgramCheckParts) {
    this.#parts = parts;
  }

  /** A record of the trader: which order is whose. */
  watch(event: Event): void {
    if (event.kind !== 'orderPending' && event.kind !== 'replacePending') return;
    const { command } = event;
    const role = this.#parts.roles.find(({ name }) => name === command.strategy);
    if (role === undefined) return;
    const isNew = command.kind === 'newOrder';
    const id = isNew ? command.request.clientOrderId : command.newClientOrderId;
    const alias = isNew ? command.request.alias : command.alias;
    if (alias === undefined) this.#breach('G1', `order ${id} of ${role.name} has no id of its program`);
    else this.#names.set(id, `${role.name} ${alias}`);
  }

  /** An execution of a program of which no message has come to the trader yet. */
  executed({ clientOrderId }: VenueOrder, { tradeId }: Fill): void {
    if (this.#programOf(clientOrderId) !== undefined) this.#untold.add(tradeId);
  }

  /** A message reaches the trader. */
  arrives(text: string): void {
    for (const tradeId of this.#untold) if (text.includes(tradeId)) this.#untold.delete(tradeId);
  }

  /** A program asks: what was denied before may leave now. */
  asks(program: string, { form }: ProgramRequest): void {
    const name = form?.['client_order_id'] ?? form?.['new_client_order_id'];
    if (name === undefined) return;
    const key = `${program} ${name}`;
    this.#denied.delete(key);
    this.#asked.set(key, (this.#asked.get(key) ?? 0) + 1);
  }

  /** The exchange has taken an order of the account. */
  accepted({ clientOrderId: id }: VenueOrder): void {
    const program = this.#programOf(id);
    if (program === undefined) return;
    const name = this.#names.get(id);
    if (name === undefined) {
      this.#breach('G1', `${id} is at the exchange, and no record says whose it is`);
      return;
    }
    const other = this.#accepted.get(name);
    if (other !== undefined && other !== id)
      this.#breach('G2', `${name} is at the exchange as ${other} and as ${id}`);
    this.#accepted.set(name, id);
    const why = this.#denied.get(name);
    if (why !== undefined) this.#breach('G4', `${name} was denied (${why}), and is at the exchange`);
    this.#parts.marks.hit('branch/order of a program');
    this.#checkShare(program);
  }

  /** Answer to a new order. */
  placed(program: string, form: Readonly<Record<string, string>>, answer: HttpAnswer): void {
    const name = form['client_order_id'] ?? '';
    const key = `${program} ${name}`;
    if (answer.status === 200) {
      const row = this.named(program, name, answer);
      const asked = `${form['symbol']} ${form['side']} ${form['quantity']} ${form['price']}`;
      const shown = `${row.symbol} ${row.side} ${row.quantity} ${row.price}`;
      if (asked !== shown) this.#breach('G3', `${key} was asked as ${asked} and answered as ${shown}`);
      return;
    }
    const { code: number, why } = refusalOf(answer);
    if (number === 20_008 && this.#asked.get(key) === 1)
      this.#breach('G7', `${key} is refused as in use, and ${program} never asked for it before`);
    const code = /^([A-Z_]+): /.exec(why)?.[1];
    if (code === undefined) {
      if (why !== '') this.#parts.marks.hit('branch/program refused');
      return;
    }
    this.#parts.marks.hit('branch/program denied');
    const id = this.#accepted.get(key);
    // What was asked for before under the same id may live.
    if (id === undefined) this.#denied.set(key, code);
  }

  /** An answer that shows an order under an id of the program: it is that order, and the program's. */
  named(program: string, name: string, answer: HttpAnswer): ShownOrder {
    const row = JSON.parse(answer.text) as ShownOrder;
    if (row.client_order_id !== name)
      this.#breach('G3', `${program} asked about ${name} and was answered about ${row.client_order_id}`);
    this.#checkRow(program, row);
    return row;
  }

  canceled(program: string, name: string, answer: HttpAnswer): void {
    if (answer.status !== 200) return;
    const row = this.named(program, name, answer);
    const record = this.#recordOf(row);
    if (row.status === 'canceled' && record !== undefined && isActive(record.order))
      this.#breach('G3', `${program} ${name} was answered as canceled, and lives`);
  }

  /** Answer to a question about one order. */
  found(program: string, name: string, answer: HttpAnswer): void {
    if (answer.status === 200) this.named(program, name, answer);
    const key = `${program} ${name}`;
    const id = this.#accepted.get(key);
    const lives = this.#live.has(key) && id !== undefined && this.#parts.exchange.isActive(id);
    if (lives && refusalOf(answer).code === 20_002)
      this.#breach('G5', `${key} was answered as live and lives, and is not found`);
  }

  /** Answer with a list of orders. `isWhole`: all that live. */
  listed(program: string, answer: HttpAnswer, isWhole: boolean): void {
    if (answer.status !== 200) return;
    const rows = JSON.parse(answer.text) as readonly ShownOrder[];
    for (const row of rows) this.#checkRow(program, row);
    if (!isWhole) return;
    this.#parts.marks.hit('branch/program listed its orders');
    const shown = new Set(rows.map(({ client_order_id: name }) => `${program} ${name}`));
    for (const name of this.#live) {
      const id = this.#accepted.get(name);
      const isThere = id !== undefined && this.#parts.exchange.isActive(id);
      if (name.startsWith(`${program} `) && isThere && !shown.has(name))
        this.#breach('G5', `${name} was answered as live and lives, and is not in the list`);
    }
  }

  /** An order that is shown is at the exchange, as the order of this program under this id. */
  #checkRow(program: string, row: ShownOrder): void {
    const name = `${program} ${row.client_order_id}`;
    const record = this.#recordOf(row);
    if (record === undefined) {
      this.#breach('G3', `${name} is shown as order ${row.id}, which the exchange does not have`);
      return;
    }
    const { order } = record;
    const known = this.#names.get(order.clientOrderId);
    if (known !== name)
      this.#breach('G3', `${name} is shown, and order ${row.id} is ${known ?? 'of nobody'}`);
    if (parseAmount(row.quantity_cumulative) > this.#amountOf(order, order.cumulative))
      this.#breach('G3', `${name} is shown with more executed than the exchange has`);
    if (row.status === 'new' || row.status === 'partiallyFilled') this.#live.add(name);
    else this.#live.delete(name);
  }

  /** Amount of quote currency that a program has paid, as far as messages came of it, or may still pay is within its share, and so is what it sells. */
  #checkShare({ name, tag, funds }: ProgramRole): void {
    const { exchange } = this.#parts;
    const taken = new Map<string, Amount>();
    const take = (currency: string, amount: Amount): void =>
      void taken.set(currency, add(taken.get(currency) ?? zero, amount));
    for (const { order } of exchange.records) {
      if (tagOf(order.clientOrderId) !== tag || !isActive(order)) continue;
      const instrument = exchange.world.core.instruments.at(order.instrument);
      const { baseCurrency, quoteCurrency } = instrument.spec;
      const left = (order.quantity - order.cumulative) as Lots;
      if (order.side === 'sell') take(baseCurrency, instrument.quantityAmount(left));
      else take(quoteCurrency, instrument.notional(order.price as Ticks, left));
    }
    // Records of a replacement repeat the executions of its original: the trades have each once.
    for (const { clientOrderId, instrument: id, side, fill } of exchange.trades) {
      if (tagOf(clientOrderId) !== tag || this.#untold.has(fill.tradeId)) continue;
      const instrument = exchange.world.core.instruments.at(id);
      const { baseCurrency, quoteCurrency, feeCurrency } = instrument.spec;
      const buys = side === 'buy';
      const base = instrument.quantityAmount(fill.quantity);
      const quote = instrument.notional(fill.price, fill.quantity);
      take(baseCurrency, buys ? subtract(zero, base) : base);
      take(quoteCurrency, buys ? quote : subtract(zero, quote));
      // Of what is sold nothing is kept back for a fee in base currency.
      if (buys || fill.fee < zero || feeCurrency !== baseCurrency) take(feeCurrency, fill.fee);
    }
    for (const [currency, amount] of taken) {
      const share = parseAmount(funds[currency] ?? '0');
      if (amount > share)
        this.#breach(
          'G6',
          `${name} takes ${formatAmount(amount)} ${currency}: more than ${formatAmount(share)}`,
        );
    }
  }

  #programOf(id: string): ProgramRole | undefined {
    return this.#parts.roles.find(({ tag }) => tag === tagOf(id));
  }

  #recordOf({ id }: ShownOrder): OrderHistoryEntry | undefined {
    return this.#parts.exchange.records.find(({ order }) => order.venueOrderId === String(id));
  }

  #amountOf({ instrument }: VenueOrder, lots: Lots): Amount {
    return this.#parts.exchange.world.core.instruments.at(instrument).quantityAmount(lots);
  }

  #breach(invariant: string, why: string): void {
    this.#parts.breaches.add(invariant, why);
  }
}

/** Third part of an order id of ours. */
function tagOf(id: string): string | undefined {
  const [prefix, , tag] = id.split('-');
  return prefix === 'gw' ? tag : undefined;
}

function isActive({ state }: VenueOrder): boolean {
  return state === 'new' || state === 'partiallyFilled' || state === 'suspended';
}

/** Code and description of an error body; none without an answer. */
function refusalOf({ status, text }: HttpAnswer): { readonly code: number; readonly why: string } {
  if (status === 0) return { code: 0, why: '' };
  const { error } = JSON.parse(text) as {
    readonly error?: { readonly code?: number; readonly description?: string };
  };
  return { code: error?.code ?? 0, why: error?.description ?? '' };
}
