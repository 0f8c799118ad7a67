import { isLoopback, VenueFailed } from '../../venues/index.ts';
import type { Clock } from '../../core/base/clock.ts';
import { millis } from '../../core/base/clock.ts';
import { pause } from '../../core/base/pause.ts';
import { GodwitError } from '../../core/base/errors.ts';
import { silentLogger } from '../../core/base/logger.ts';
import { ConfigError } from '../../core/config/error.ts';
import { hasJournal } from '../../core/journal/index.ts';
import type { Event, ReadAnswered } from '../../core/model/event.ts';
import { marginKeyOf } from '../../core/model/margin.ts';
import type { Product } from '../../core/model/product.ts';
import { productOf, products } from '../../core/model/product.ts';
import { Memory } from '../../core/orders/base/memory.ts';
import { targetsOf } from '../../core/orders/base/reads.ts';
import type { StateView } from '../../core/state/index.ts';
import { balanceRows } from '../../operate/views/balances.ts';
import { marginRows } from '../../operate/views/margin.ts';
import { heldRows } from '../../operate/views/positions.ts';
import type { Config } from '../config/schema.ts';
import type { TradeMode, TriedStrategy, LiveParts } from '../live/index.ts';
import {
  checkStrategies,
  checkTrade,
  LoginRefused,
  prepareLive,
  protectionNotes,
  headerOf,
  subscriptionsOf,
} from '../live/index.ts';
import type { JournalInstruments } from '../run/journal-header.ts';
import { thirdFeeNotes } from '../run/fee-currencies.ts';
import { goneNotes, instrumentsOfJournal } from '../run/journal-header.ts';
import { claimRefusal } from '../process/account-claim.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { withPrograms } from '../run/programs.ts';
import type { Output } from '../process/output.ts';
import { openingBalances } from '../run/opening-balances.ts';
import { StrategyError } from '../run/strategy-plans.ts';
import { credentialsOf } from '../venue/credentials.ts';
import type { KeptRun } from './kept-run.ts';
import { readKept } from './kept-run.ts';
import type { LimitsSetting } from './plan-limits.ts';
import { fundsRows, gridRows, headRoom } from './plan-limits.ts';
import type { PlannedOrder } from './plan-orders.ts';
import { plannedOrders, plannedPolicies } from './plan-orders.ts';
import type { Plan } from './plan-text.ts';
import { planLines } from './plan-text.ts';
import { askAccount, LookFailed, withSessions } from './sessions.ts';

export interface PlanCommand {
  readonly mode: TradeMode;
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly output: Output;
  readonly json: boolean;
}

/**
 * `godwit plan`: what `trade` would find and do at its start, without an order being sent or a file written. Exit code 6 when
 * it would refuse to start, or start halted. Throws what is wrong with the configuration, the key or the way to the venue.
 */
export async function planCommand(command: PlanCommand): Promise<number> {
  const { output, json } = command;
  const plan = await planOrRefusal(command);
  if (json) output.data(JSON.stringify(plan));
  else for (const line of planLines(plan)) output.data(line);
  return plan.start === 'ready' ? exitCodes.done : exitCodes.refusedByRiskControl;
}

async function planOrRefusal(command: PlanCommand): Promise<Plan> {
  const { mode, config } = command;
  const head = { mode, account: config.account ?? null, directory: config.run.directory };
  try {
    return await makePlan(command, head);
  } catch (error) {
    if (!(error instanceof GodwitError) || endsPlan(error)) throw error;
    return { ...head, ...nothing, start: 'refused', why: [error.message] };
  }
}

const nothing = {
  venue: null,
  orders: [],
  others: [],
  positions: [],
  margin: [],
  balances: [],
  run: [],
  grids: [],
  funds: [],
  limits: [],
  budgets: [],
  comparison: [],
  whenGone: [],
} as const;

/** What is no verdict on the start: nothing can be told before it is mended. */
function endsPlan(error: GodwitError): boolean {
  if (error.code === 'GW_STRATEGY_LATE') return true;
  return [ConfigError, StrategyError, LoginRefused, VenueFailed, LookFailed].some(
    (kind) => error instanceof kind,
  );
}

type Head = Pick<Plan, 'mode' | 'account' | 'directory'>;

async function makePlan(command: PlanCommand, head: Head): Promise<Plan> {
  const { mode, environment, clock } = command;
  const given = withPrograms(command.config);
  await checkTrade({ mode, live: true, config: given, environment, clock });
  const isPaper = mode === 'paper';
  const parts = await prepareLive({ config: given, environment, clock, log: silentLogger }, !isPaper);
  const { config } = parts;
  const { directory } = config.run;
  const header = headerOf({ ...parts, mode });
  const known = instrumentsOfJournal(header, parts.listed);
  const { instruments } = known;
  const strategies = await checkStrategies(
    config,
    clock,
    instruments.all.map(({ spec }) => spec),
  );
  const kept = readKept(directory, known);
  const memory = memoryOf(parts, known, strategies);
  const answers = await lookAt({ parts, known, kept, strategies, isPaper });
  const orders = plannedOrders({
    memory,
    instruments,
    kept,
    answers,
  });
  const { state } = kept;
  const limits: LimitsSetting = {
    view: state,
    memory,
    strategies,
    config,
    live: liveOf(orders),
    balances:
      isPaper && state.balances().length === 0
        ? openingBalances(config.backtest.balances, instruments, strategies)
        : state.balances(),
  };
  const needed = neededOf(strategies, state);
  const refusals = [...kept.refusals, ...(kept.refusals.length > 0 || isPaper ? [] : await takenBy(parts))];
  const start = refusals.length > 0 ? 'refused' : kept.halts.length > 0 ? 'halted' : 'ready';
  return {
    ...head,
    venue: parts.addresses.baseUrl,
    start,
    why: [...refusals, ...kept.halts],
    orders,
    others: plannedPolicies(memory, orders),
    ...accountRows({ view: state, instruments }, orders),
    run: [
      ...(hasJournal(directory) ? [...kept.notes, ...known.regridded, ...goneNotes(needed, known)] : []),
      ...thirdFeeNotes(needed, instruments),
    ],
    grids: gridRows(limits),
    funds: fundsRows(limits),
    limits: headRoom(limits),
    budgets: Object.entries(parts.budgets.usage()).map(([lane, { used, capacity }]) => ({
      lane,
      used,
      capacity,
    })),
    comparison: isPaper ? [] : comparisonOf(config, parts.venue.capabilities),
    whenGone: protectionNotes(command, parts.venue.capabilities),
  };
}

/** What a daemon compares with complete reads, and how often. */
function comparisonOf(
  { orders: { reconcile } }: Config,
  { bookReads }: LiveParts['venue']['capabilities'],
): readonly string[] {
  const { everyMs, booksEveryMs } = reconcile;
  return [
    `the account every ${everyMs / 1_000} s, sooner while a difference is open`,
    bookReads === true
      ? `the book of each symbol with own orders every ${booksEveryMs / 1_000} s`
      : 'no book: this venue has no reads of books beside their stream',
  ];
}

/** Positions, margin accounts and wallets as the lists of the operator show them; of each position the orders that protect it. */
function accountRows(
  held: Parameters<typeof heldRows>[0],
  orders: readonly PlannedOrder[],
): Pick<Plan, 'positions' | 'margin' | 'balances'> {
  return {
    positions: heldRows(held)
      .filter(({ quantity }) => Number(quantity) !== 0)
      .map((row) => ({
        ...row,
        protection: orders
          .filter(
            (order) =>
              order.protects &&
              order.symbol === row.symbol &&
              order.account === row.account &&
              order.strategy === row.strategy,
          )
          .map(({ id, fate }) => ({ id, fate })),
      })),
    margin: marginRows(held),
    balances: balanceRows(held),
  };
}

/** The daemon of another run directory that trades the account. */
async function takenBy(parts: LiveParts): Promise<readonly string[]> {
  const { baseUrl } = parts.addresses;
  const { apiKey } = credentialsOf(parts);
  const refusal = await claimRefusal({
    clock: parts.clock,
    apiKey,
    baseUrl,
    isLocalExchange: isLoopback(baseUrl),
    environment: parts.environment,
  });
  return refusal === undefined ? [] : [refusal];
}

/** The limits as the controls would resolve them. Throws `BadInput` when they do not fit. */
function memoryOf(
  { config, venue, clock }: LiveParts,
  { instruments }: JournalInstruments,
  strategies: readonly TriedStrategy[],
): Memory {
  const entries = strategies.map(({ name, limits, feeds, products: traded }) => {
    const declared = feeds.map(({ symbol }) => instruments.get(symbol).id);
    return { name, limits, inputs: declared, declared, products: traded };
  });
  const { capabilities } = venue;
  return new Memory({
    instruments,
    options: config.orders,
    clock,
    run: '0',
    strategies: entries,
    states: [],
    capabilities,
  });
}

interface Looking {
  readonly parts: LiveParts;
  readonly known: JournalInstruments;
  readonly kept: KeptRun;
  readonly strategies: readonly TriedStrategy[];
  readonly isPaper: boolean;
}

/** Books of what is traded, and the account unless that is a simulated one. What comes is folded into the kept state. */
async function lookAt(looking: Looking): Promise<readonly ReadAnswered[] | undefined> {
  const { parts, kept, strategies, isPaper } = looking;
  const { instruments } = looking.known;
  const { state } = kept;
  const subscriptions = subscriptionsOf(
    strategies.flatMap(({ feeds }) => feeds.map(({ symbol }) => ({ symbol, book: true }))),
    instruments,
  );
  const isPriced = (): boolean =>
    subscriptions.every(({ instrument }) => state.book(instrument).status === 'live');
  const priced = async (): Promise<void> => {
    const end = parts.clock.uptime() + millis(priceMsMax);
    while (!isPriced() && parts.clock.uptime() < end) await pause(parts.clock, millis(20));
  };
  const since = state.time;
  const observe = (event: Event): void => void state.fold(event);
  const setup = { parts, instruments, subscriptions, observe };
  if (isPaper) {
    await withSessions({ ...setup, withKeys: false }, priced);
    return undefined;
  }
  const traded = productsIn(state, strategies);
  const targets = targetsOf({ products: traded, since, orders: [] }).filter(
    ({ of }) => of !== 'tradeHistory',
  );
  return askAccount({ ...setup, products: traded }, targets, priced);
}

/** How long a plan waits for the prices that funds are valued at. */
const priceMsMax = 5_000;

function productsIn(state: StateView, strategies: readonly TriedStrategy[]): readonly Product[] {
  const read = new Set(strategies.flatMap((one) => one.products));
  for (const { instrument, margin } of state.openOrders())
    read.add(productOf(state.instruments.at(instrument), margin));
  for (const { product } of state.marginAccounts()) read.add(product);
  for (const { instrument, account, quantity } of state.positions())
    if (account !== 'spot' && quantity !== 0)
      read.add(marginKeyOf(state.instruments.at(instrument), account).product);
  return products.filter((product) => read.has(product));
}

/** Symbols that strategies follow, and those on which something may be live or is held. */
function neededOf(strategies: readonly TriedStrategy[], state: StateView): readonly string[] {
  const declared = strategies.flatMap(({ feeds }) => feeds.map(({ symbol }) => symbol));
  const ids = [...state.openOrders(), ...state.positions().filter(({ quantity }) => quantity !== 0)];
  return [...declared, ...ids.map(({ instrument }) => state.instruments.at(instrument).symbol)];
}

function liveOf(orders: readonly PlannedOrder[]): LimitsSetting['live'] {
  const by = new Map<string, number>();
  const staying = orders.filter(({ fate }) => fate !== 'cancel' && fate !== 'gone');
  for (const { symbol } of staying) by.set(symbol, (by.get(symbol) ?? 0) + 1);
  return { all: staying.length, by };
}
