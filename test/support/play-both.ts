import { createHash } from 'node:crypto';
import { seconds } from '../../src/core/base/clock.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import { Random } from '../../src/core/base/random.ts';
import type { VenueOrder } from '../../src/core/model/order.ts';
import type { ExchangeCommand } from '../../src/exchange/matching/accounts/command.ts';
import type { Outcome } from '../../src/exchange/matching/accounts/outcome.ts';
import { Exchange } from '../../src/exchange/matching/exchange.ts';
import type { MatchingOptions } from '../../src/exchange/matching/state/options.ts';
import { defaultMatchingOptions } from '../../src/exchange/matching/state/options.ts';
import { NaiveExchange } from './naive-exchange.ts';
import { accounts, RandomCommands, triangle } from './random-commands.ts';

const start = Date.UTC(2024, 1, 28, 22) * 1_000;

const options: MatchingOptions = {
  ...defaultMatchingOptions,
  ordersPerSymbolMax: 14,
  ordersPerAccountMax: 25,
  idReuseAfter: seconds(20),
  fatFingerFraction: 4,
  windowTicks: 1_024,
};

/** Outcomes as text: the words of refusals left out, levels and balances in a fixed order at the end. */
function received(outcomes: readonly Outcome[]): string {
  const happened: string[] = [];
  const summary: string[] = [];
  for (const outcome of outcomes) {
    const isSummary = outcome.kind === 'level' || outcome.kind === 'balance';
    (isSummary ? summary : happened).push(line(outcome));
  }
  return [...happened, ...summary.sort()].join('\n');
}

function line(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'report': {
      const { account, reportType, order, fill } = outcome;
      const parts =
        fill === undefined
          ? ''
          : `${fill.tradeId} ${fill.price} ${fill.quantity} ${fill.fee} ${fill.taker} ${fill.time}`;
      const { list } = outcome;
      const mark = list === undefined ? '' : ` ${list.contingency} ${list.inactive}`;
      return `${account} ${reportType} ${orderLine(order)} [${parts}]${mark}`;
    }
    case 'refused':
      return `refused ${outcome.account} ${outcome.clientOrderId} ${outcome.code}`;
    case 'trade':
      return `trade ${outcome.instrument} ${outcome.tradeId} ${outcome.side} ${outcome.quantity}@${outcome.price} ${outcome.time}`;
    case 'level':
      return `level ${outcome.instrument} ${outcome.side} ${outcome.price} ${outcome.quantity}`;
    case 'balance':
      return `balance ${outcome.account} ${outcome.currency} ${outcome.available} ${outcome.reserved}`;
    case 'status':
      return `status ${outcome.instrument}`;
    case 'margin':
      return `margin ${outcome.account} ${outcome.reason}`;
  }
}

function orderLine(order: VenueOrder): string {
  return orderMembers.map((member) => String(order[member])).join(' ');
}

const orderMembers = [
  'venueOrderId',
  'clientOrderId',
  'originalClientOrderId',
  'orderListId',
  'instrument',
  'side',
  'type',
  'state',
  'timeInForce',
  'quantity',
  'cumulative',
  'price',
  'stopPrice',
  'expireTime',
  'postOnly',
  'createdAt',
  'updatedAt',
] as const;

function stateOfFast(exchange: Exchange): string {
  return stateHash(
    exchange.instruments.all.map(({ id }) => [
      exchange.levels(id, 'buy'),
      exchange.levels(id, 'sell'),
      exchange.lastPrice(id),
      exchange.status(id),
    ]),
    accounts.map((account) => [
      exchange.activeOrders(account),
      ['AAA', 'BBB', 'CCC'].map((currency) => exchange.balance(account, currency)),
    ]),
    ['BBB', 'CCC'].map((currency) => exchange.collectedFees(currency)),
    exchange.nextExpiry(),
  );
}

function stateOfNaive(exchange: NaiveExchange): string {
  const expiries = exchange.live.flatMap(({ expiresAt }) => expiresAt ?? []);
  return stateHash(
    exchange.instruments.all.map(({ id }) => [
      exchange.levels(id, 'buy'),
      exchange.levels(id, 'sell'),
      exchange.last[id],
      exchange.status[id],
    ]),
    accounts.map((account) => [
      exchange.live
        .filter((one) => one.account === account)
        .map(({ order }) => order)
        .sort((a, b) => Number(a.venueOrderId) - Number(b.venueOrderId)),
      ['AAA', 'BBB', 'CCC'].map((currency) => {
        const { available, reserved } = exchange.money.of(account, currency);
        return { currency, available, reserved };
      }),
    ]),
    ['BBB', 'CCC'].map((currency) => exchange.money.fees.get(currency) ?? 0n),
    expiries.length === 0 ? undefined : Math.min(...expiries),
  );
}

function stateHash(...parts: readonly unknown[]): string {
  const text = JSON.stringify(parts, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value,
  );
  return createHash('sha256').update(text).digest('hex');
}

export interface PlayParts {
  readonly seed: string;
  readonly count: number;
  readonly options?: Partial<MatchingOptions>;
  /** Changes each command of the stream, or leaves it out. */
  readonly change?: (command: ExchangeCommand) => ExchangeCommand | undefined;
}

export interface Played {
  /** Kinds of outcomes, each with its number; those of lists also by contingency. */
  readonly kinds: ReadonlyMap<string, number>;
  readonly commands: number;
  /** How often the states of both were compared. */
  readonly states: number;
  /** The first outcomes or states that differ. They end the run. */
  readonly difference?: { readonly at: string; readonly fast: string; readonly naive: string };
}

/** So many commands lie between two comparisons of the whole state. */
const stateEvery = 500;

/** Plays commands of a seeded stream against the fast and the naive exchange, and compares what both say. */
export function playBoth({ seed, count, options: given, change = (command) => command }: PlayParts): Played {
  const instruments = triangle();
  const all = { ...options, ...given };
  const fast = new Exchange({ instruments, options: all });
  const naive = new NaiveExchange(instruments, all);
  const stream = new RandomCommands(new Random(seed), start as Micros);
  const kinds = new Map<string, number>();
  let [commands, states] = [0, 0];
  const differs = (at: string, one: string, other: string): Played | undefined =>
    one === other ? undefined : { kinds, commands, states, difference: { at, fast: one, naive: other } };
  for (let i = 0; i < count; i++) {
    const command = change(stream.next());
    if (command === undefined) continue;
    const outcomes = fast.handle(command, stream.now);
    commands += 1;
    const where = `command ${i} of seed ${seed}`;
    const found = differs(where, received(outcomes), received(naive.handle(command, stream.now)));
    if (found !== undefined) return found;
    stream.observe(outcomes);
    tally(kinds, outcomes);
    if (i % stateEvery !== 0) continue;
    states += 1;
    const other = differs(`state after ${where}`, stateOfFast(fast), stateOfNaive(naive));
    if (other !== undefined) return other;
  }
  const end = differs('state at the end', stateOfFast(fast), stateOfNaive(naive));
  return end ?? { kinds, commands, states: states + 1 };
}

function tally(kinds: Map<string, number>, outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) {
    const kind = outcome.kind === 'report' ? outcome.reportType : outcome.kind;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    if (outcome.kind !== 'report' || outcome.list === undefined) continue;
    const listed = `${outcome.list.contingency} ${kind}`;
    kinds.set(listed, (kinds.get(listed) ?? 0) + 1);
  }
}
