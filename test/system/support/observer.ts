import type { Amount } from '../../../src/core/base/amount.ts';
import { add, formatAmount, negate, parseAmount, subtract, zero } from '../../../src/core/base/amount.ts';
import type { Event } from '../../../src/core/model/event.ts';
import type { Lots } from '../../../src/core/model/instrument.ts';
import type { ClientOrderId } from '../../../src/core/model/order.ts';
import { executionName, JournalBooks, spotHeld } from './journal-books.ts';
import type { RunBooks } from './journal-books.ts';
import type { AskVenue, VenueOrder, VenueRecord, VenueTrade } from './venue-record.ts';
import { recordBy, venueOrdersBy } from './venue-record.ts';

/** What an observer found: every number must be 0. `differences` has a sentence for each. */
export interface Findings {
  /** Orders that live at the exchange and that the daemon holds for ended, or the reverse. */
  readonly lost: number;
  /** Client ids that the exchange has more than once. */
  readonly doubled: number;
  /** Orders larger than their intent. */
  readonly oversized: number;
  /** Orders of the daemon's prefix whose intent is not in its journal. */
  readonly unknown: number;
  readonly fillsMissing: number;
  readonly fillsDoubled: number;
  readonly balances: number;
  readonly positions: number;
  readonly differences: readonly string[];
}

/** Names of the counts that must be 0. */
export const troubles = [
  'lost',
  'doubled',
  'oversized',
  'unknown',
  'fillsMissing',
  'fillsDoubled',
  'balances',
  'positions',
] as const satisfies readonly (keyof Findings)[];

/** State of the account at the exchange, at one moment when it was quiet. */
export interface VenueTruth {
  readonly orders: readonly VenueOrder[];
  readonly record: VenueRecord;
}

type Kind = Exclude<keyof Findings, 'differences'>;

/** How far a comparison goes. */
export interface Comparison {
  /** The books are those of the record that this is true for, and not the last ones. */
  readonly stop?: (event: Event) => boolean;
  /**
   * `now`, unless said otherwise: all of it. `restart`: the books are those of a later run, which may have cancelled what lived: each order
   * is known, and sums are compared, not what orders reserve. `killed`: the process is gone, and so is what was on its way to it: orders alone
   * are compared, and what the books hold for ended has ended.
   */
  readonly as?: 'now' | 'restart' | 'killed';
}

/**
 * Stands beside an exchange and a daemon, and compares what the first answers with what the second has on its disk. It asks the exchange
 * with code of its own, and remembers every order and execution that it has seen: neither may be forgotten by a restart.
 */
export class Observer {
  readonly #ask: AskVenue;
  readonly #prefix: string;
  readonly #books: JournalBooks;
  readonly #orders = new Map<string, VenueOrder>();
  readonly #trades = new Map<string, VenueTrade>();
  #run = '';

  /** `prefix`: how client ids of the daemon begin. */
  constructor(ask: AskVenue, directory: string, prefix = 'gw-') {
    this.#ask = ask;
    this.#prefix = prefix;
    this.#books = new JournalBooks(directory);
  }

  /** Every order of the daemon that the exchange has shown so far. */
  get ordersSeen(): number {
    return this.#orders.size;
  }

  /** The run that was compared last. */
  get run(): string {
    return this.#run;
  }

  get tradesSeen(): number {
    return this.#trades.size;
  }

  /** Asks the exchange for all of it. */
  async truth(): Promise<VenueTruth> {
    const record = await recordBy(this.#ask);
    const orders = (await venueOrdersBy(this.#ask)).filter(({ clientOrderId }) =>
      clientOrderId.startsWith(this.#prefix),
    );
    for (const order of orders) this.#orders.set(`${order.product} ${order.id}`, order);
    for (const trade of record.trades)
      if (trade.order.startsWith(this.#prefix)) this.#trades.set(nameOf(trade), trade);
    return { orders, record };
  }

  /** Reads the journal and compares it with what the exchange said; `undefined` while no run or no such record is there. */
  compare(truth: VenueTruth, { stop, as = 'now' }: Comparison = {}): Findings | undefined {
    const books = this.#books.read(stop);
    if (books === undefined || (stop !== undefined && !books.stopped)) return undefined;
    this.#run = books.run;
    const found = new Differences();
    this.#compareIntents(found);
    if (as === 'now') compareLive(truth, books, found);
    else compareKnown(truth, books, as === 'killed', found);
    if (as === 'killed') return found.all;
    this.#compareExecutions(found);
    compareBalances(truth, books, as === 'restart', found);
    this.#comparePositions(truth, books, found);
    return found.all;
  }

  /** Asks the exchange, reads the journal, compares. */
  async look(comparison: Comparison = {}): Promise<Findings | undefined> {
    return this.compare(await this.truth(), comparison);
  }

  #compareIntents(found: Differences): void {
    const times = new Map<string, number>();
    for (const { clientOrderId, quantity, cumulative } of this.#orders.values()) {
      times.set(clientOrderId, (times.get(clientOrderId) ?? 0) + 1);
      const intended = this.#books.intendedOf(clientOrderId);
      if (intended === undefined)
        found.add('unknown', `${clientOrderId} is at the exchange, and no record intends it`);
      else if (quantity > intended || cumulative > intended)
        found.add('oversized', `${clientOrderId} is of ${formatAmount(quantity)}: more than was intended`);
    }
    const named = new Map<string, string>();
    for (const id of times.keys()) {
      const alias = this.#books.aliasOf(id);
      const other = alias === undefined ? undefined : named.get(alias);
      if (alias === undefined) continue;
      named.set(alias, id);
      if (other !== undefined) found.add('doubled', `${alias} is at the exchange as ${other} and as ${id}`);
    }
    for (const [id, count] of times)
      if (count > 1) found.add('doubled', `the exchange has ${id} ${count} times`);
  }

  #compareExecutions(found: Differences): void {
    const { booked } = this.#books;
    for (const name of this.#trades.keys())
      if ((booked.get(name) ?? 0) < 1) found.add('fillsMissing', `trade ${name} is not booked`);
    for (const [name, times] of booked) {
      if (times > 1) found.add('fillsDoubled', `trade ${name} is booked ${times} times`);
      else if (times === 1 && !this.#trades.has(name))
        found.add('fillsDoubled', `trade ${name} is booked, and the exchange does not have it`);
    }
  }

  #comparePositions({ record }: VenueTruth, books: RunBooks, found: Differences): void {
    const bought = new Map<string, Amount>();
    for (const { account, symbol, held } of this.#trades.values())
      if (account === 'spot') bought.set(symbol, add(bought.get(symbol) ?? zero, held));
    const { state, instruments } = books;
    for (const { symbol } of instruments.all) {
      const [theirs, ours] = [bought.get(symbol) ?? zero, spotHeld(books, symbol)];
      if (theirs !== ours)
        found.add(
          'positions',
          `${symbol} on spot: ${formatAmount(ours)}, and by trades ${formatAmount(theirs)}`,
        );
    }
    const theirs = new Map<string, string>();
    for (const { name, positions } of record.accounts)
      for (const { symbol, quantity } of positions) theirs.set(`${symbol} ${name.split(' ')[1]}`, quantity);
    for (const one of instruments.all)
      for (const mode of ['isolated', 'cross'] as const) {
        const lots = state.netPosition(one.id, mode);
        const size = one.quantityAmount(Math.abs(lots) as Lots);
        const ours = formatAmount(lots < 0 ? negate(size) : size);
        const name = `${one.symbol} ${mode}`;
        if (ours !== (theirs.get(name) ?? '0'))
          found.add('positions', `${name}: ${ours}, and at the exchange ${theirs.get(name) ?? '0'}`);
      }
  }
}

function nameOf({ symbol, quantity, id }: VenueTrade): string {
  return executionName(symbol, quantity > 0n ? 'buy' : 'sell', String(id));
}

function compareLive({ orders }: VenueTruth, { state }: RunBooks, found: Differences): void {
  const theirs = new Set(orders.flatMap(({ isLive, clientOrderId }) => (isLive ? [clientOrderId] : [])));
  const ours = new Set<string>(state.openOrders().map(({ clientOrderId }) => clientOrderId));
  for (const id of theirs)
    if (!ours.has(id)) found.add('lost', `${id} lives, and the daemon holds it for ended`);
  for (const { clientOrderId: id, state: is } of state.openOrders())
    if (!theirs.has(id)) found.add('lost', `${id} is ${is} for the daemon, and does not live`);
}

/** Each order that lived is known; where the books are as old as the truth, as one that may live. */
function compareKnown(
  { orders }: VenueTruth,
  { state }: RunBooks,
  asLive: boolean,
  found: Differences,
): void {
  const open = new Set<string>(state.openOrders().map(({ clientOrderId }) => clientOrderId));
  for (const { isLive, clientOrderId: id } of orders) {
    if (!isLive || open.has(id)) continue;
    const known = state.order(id as ClientOrderId);
    if (known === undefined || asLive)
      found.add(
        'lost',
        `${id} lives, and the daemon ${known === undefined ? 'has none of that id' : `has it ${known.state}`}`,
      );
  }
}

/** The venue cuts the amounts that it reports to twelve digits: less than that apart is the same. */
const printed = parseAmount('0.000000000001');

/** Wallet that pays for the margin accounts of a product. */
const payers: Readonly<Record<string, string>> = { margin: 'spot', futures: 'futures' };

/** `isSummed`: by wallet and currency, with what its margin accounts hold: an order that ends moves money between them. */
function compareBalances(
  { record }: VenueTruth,
  { state }: RunBooks,
  isSummed: boolean,
  found: Differences,
): void {
  const ours = new Holdings(isSummed);
  const theirs = new Holdings(isSummed);
  for (const wallet of ['spot', 'futures'] as const)
    for (const one of state.balances(wallet === 'futures' ? wallet : undefined))
      ours.wallet(`${wallet} ${one.currency}`, one);
  for (const [name, one] of record.wallets) theirs.wallet(name, one);
  for (const { product, account } of state.marginAccounts()) {
    const { mode, instrument, currency, balance } = account;
    const of = instrument === undefined ? currency : state.instruments.at(instrument).symbol;
    ours.account(`${product} ${mode} ${of}`, currency, balance);
  }
  for (const { name, currency, balance } of record.accounts)
    theirs.account(name, currency, parseAmount(balance));
  for (const name of new Set([...ours.amounts.keys(), ...theirs.amounts.keys()])) {
    const [one, other] = [ours.amounts.get(name) ?? zero, theirs.amounts.get(name) ?? zero];
    const apart = subtract(one, other);
    if (apart >= printed || apart <= negate(printed))
      found.add(
        'balances',
        `${name}: ${formatAmount(one)} for the daemon, ${formatAmount(other)} at the exchange`,
      );
  }
}

/** Amounts by what they are called, the same for both sides. */
class Holdings {
  readonly amounts = new Map<string, Amount>();
  readonly #isSummed: boolean;

  constructor(isSummed: boolean) {
    this.#isSummed = isSummed;
  }

  wallet(
    name: string,
    { available, reserved }: { readonly available: Amount; readonly reserved: Amount },
  ): void {
    this.#add(name, available);
    this.#add(this.#isSummed ? name : `${name} reserved`, reserved);
  }

  account(name: string, currency: string, balance: Amount): void {
    const [product = ''] = name.split(' ');
    this.#add(this.#isSummed ? `${payers[product]} ${currency}` : name, balance);
  }

  #add(name: string, amount: Amount): void {
    this.amounts.set(name, add(this.amounts.get(name) ?? zero, amount));
  }
}

class Differences {
  readonly #counts = new Map<Kind, number>();
  readonly #differences: string[] = [];

  add(kind: Kind, sentence: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    this.#differences.push(sentence);
  }

  get all(): Findings {
    const of = (kind: Kind): number => this.#counts.get(kind) ?? 0;
    return {
      lost: of('lost'),
      doubled: of('doubled'),
      oversized: of('oversized'),
      unknown: of('unknown'),
      fillsMissing: of('fillsMissing'),
      fillsDoubled: of('fillsDoubled'),
      balances: of('balances'),
      positions: of('positions'),
      differences: this.#differences,
    };
  }
}
