import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Amount } from '../../../src/core/base/amount.ts';
import { seconds } from '../../../src/core/base/clock.ts';
import type { Micros } from '../../../src/core/base/clock.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { ExchangeCommand } from '../../../src/exchange/matching/accounts/command.ts';
import type { MatchingOptions } from '../../../src/exchange/matching/state/options.ts';
import { defaultMatchingOptions } from '../../../src/exchange/matching/state/options.ts';
import { Exchange } from '../../../src/exchange/matching/exchange.ts';
import type { Outcome } from '../../../src/exchange/matching/accounts/outcome.ts';
import type { Lots } from '../../../src/core/model/instrument.ts';
import type { VenueOrder } from '../../../src/core/model/order.ts';
import { contingencyTypes } from '../../../src/core/model/order-list.ts';
import { NaiveExchange } from '../../support/naive-exchange.ts';
import { accounts, RandomCommands, triangle } from '../../support/random-commands.ts';

const commandsPerRun = 100_000;
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

/** Plays `count` commands of a seeded stream, each changed by `change` (or left out), against both; what came of them. */
function playBoth(
  count: number,
  given: Partial<MatchingOptions>,
  change: (command: ExchangeCommand) => ExchangeCommand | undefined,
): Map<string, number> {
  const seed = process.env['GODWIT_TEST_SEED'] ?? String(process.pid);
  process.stderr.write(`contract suite: GODWIT_TEST_SEED=${seed}\n`);
  const instruments = triangle();
  const all = { ...options, ...given };
  const fast = new Exchange({ instruments, options: all });
  const naive = new NaiveExchange(instruments, all);
  const commands = new RandomCommands(new Random(seed), start as Micros);
  const kinds = new Map<string, number>();
  for (let i = 0; i < count; i++) {
    const command = change(commands.next());
    if (command === undefined) continue;
    const outcomes = fast.handle(command, commands.now);
    expect(received(outcomes), `command ${i} of seed ${seed}`).toEqual(
      received(naive.handle(command, commands.now)),
    );
    commands.observe(outcomes);
    tally(kinds, outcomes);
    if (i % 500 === 0)
      expect(stateOfFast(fast), `state after command ${i} of seed ${seed}`).toBe(stateOfNaive(naive));
  }
  expect(stateOfFast(fast)).toBe(stateOfNaive(naive));
  process.stderr.write(`contract suite: ${[...kinds].map(([kind, n]) => `${kind} ${n}`).join(', ')}\n`);
  return kinds;
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

/** The same command with so many times the quantity and the money: beyond what is counted in doubles. */
function enlarged(command: ExchangeCommand): ExchangeCommand | undefined {
  const factor = 150_000_000;
  switch (command.kind) {
    case 'place': {
      const { request } = command;
      return { ...command, request: { ...request, quantity: (request.quantity * factor) as Lots } };
    }
    case 'replace':
      return { ...command, quantity: (command.quantity * factor) as Lots };
    case 'adjustBalance':
      return { ...command, change: (command.change * BigInt(factor)) as Amount };
    default:
      return withoutLists(command);
  }
}

function withoutLists(command: ExchangeCommand): ExchangeCommand | undefined {
  return command.kind === 'placeList' ? undefined : command;
}

// A stream that exercises nothing would prove nothing.
const events = ['new', 'trade', 'canceled', 'expired', 'suspended', 'replaced', 'refused', 'level'];

describe('the fast and the naive exchange', () => {
  test(`agree on the outcomes of ${commandsPerRun} random commands and on every state between`, () => {
    const kinds = playBoth(commandsPerRun, {}, (command) => command);
    for (const kind of events) expect(kinds.get(kind) ?? 0, kind).toBeGreaterThan(500);
    for (const contingency of contingencyTypes) {
      for (const kind of ['new', 'trade', 'expired'])
        expect(kinds.get(`${contingency} ${kind}`) ?? 0, `${contingency} ${kind}`).toBeGreaterThan(50);
    }
  });

  test('agree where no order depends on another, so that most go the short way', () => {
    const kinds = playBoth(25_000, { fatFingerFraction: undefined }, withoutLists);
    for (const kind of events) expect(kinds.get(kind) ?? 0, kind).toBeGreaterThan(200);
  });

  test('agree where quantities and money are too large for doubles', () => {
    const kinds = playBoth(25_000, {}, enlarged);
    for (const kind of events) expect(kinds.get(kind) ?? 0, kind).toBeGreaterThan(200);
  });
});
