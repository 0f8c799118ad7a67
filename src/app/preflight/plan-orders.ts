import { timeText } from '../../core/base/clock.ts';
import type { ReadAnswered } from '../../core/model/event.ts';
import type { Instruments, Lots } from '../../core/model/instrument.ts';
import { isTerminal } from '../../core/model/order-life.ts';
import type { Order, OrderRequest } from '../../core/model/order.ts';
import { onlyReduces } from '../../core/orders/controls/index.ts';
import {
  adopterOf,
  fateAtStart,
  otherGodwitOf,
  ownershipOf,
  protectionText,
  protects,
} from '../../core/orders/index.ts';
import { foundOrder } from '../../core/state/index.ts';
import type { Memory, OtherPolicy, Ownership, StartFate } from '../../core/orders/index.ts';
import { externalStrategy } from '../../core/ledger/index.ts';
import { isReduceOnly } from '../../core/orders/margin/index.ts';
import type { PositionAccount } from '../../core/model/margin.ts';
import { accountOf } from '../../core/model/margin.ts';
import { priceText } from '../../operate/views/view.ts';
import type { KeptRun } from './kept-run.ts';

/** What becomes of an order when trading begins. */
export interface PlannedOrder {
  readonly id: string;
  readonly symbol: string;
  readonly side: string;
  /** What is left of it. */
  readonly quantity: string;
  readonly price: string | null;
  readonly type: string;
  readonly stopPrice: string | null;
  /** Where it trades: on spot, or in a margin account of that mode. */
  readonly account: PositionAccount;
  /** Whether it may only make a position smaller. */
  readonly reduceOnly: boolean;
  readonly strategy: string;
  /** Policy of an order of others, and the prefix that it goes by: `null` where no row names it, and both of own orders. */
  readonly policy: OtherPolicy | null;
  readonly prefix: string | null;
  /** Whether it protects a position that is held. */
  readonly protects: boolean;
  readonly fate: StartFate | 'look' | 'gone';
  readonly why: string;
}

interface OrdersSetting {
  readonly memory: Memory;
  readonly instruments: Instruments;
  readonly kept: Pick<KeptRun, 'state' | 'orders'>;
  /** Of the account; `undefined` where it is a simulated one. */
  readonly answers: readonly ReadAnswered[] | undefined;
}

/** A row of the table of `orders.others`, with how many orders go by it now. */
export interface PlannedPolicy {
  /** `null`: of all that no row names. */
  readonly prefix: string | null;
  readonly policy: OtherPolicy;
  readonly strategy: string | null;
  readonly orders: number;
}

/** The policies of orders of others, the one of all that no row names last. */
export function plannedPolicies(
  { options }: Pick<Memory, 'options'>,
  orders: readonly PlannedOrder[],
): readonly PlannedPolicy[] {
  const rows = [...options.others, { prefix: null, policy: 'leave', strategy: undefined } as const];
  return rows.map(({ prefix, policy, strategy }) => ({
    prefix,
    policy,
    strategy: strategy ?? null,
    orders: orders.filter((order) => order.policy !== null && order.prefix === prefix).length,
  }));
}

const ownOrder = { policy: null, prefix: null } as const;

/** Every order of the account, and every one that the journal has as live. */
export function plannedOrders(setting: OrdersSetting): readonly PlannedOrder[] {
  const { answers, kept, instruments } = setting;
  const rowOf = (order: OrderRequest & { readonly cumulative: Lots }, strategy: string) => {
    const instrument = instruments.at(order.instrument);
    return {
      id: order.clientOrderId,
      symbol: instrument.symbol,
      side: order.side,
      quantity: instrument.quantityText((order.quantity - order.cumulative) as Lots),
      price: priceText(instrument, order.price),
      type: order.type,
      stopPrice: priceText(instrument, order.stopPrice),
      account: accountOf(order),
      reduceOnly: isReduceOnly(order),
      strategy,
    };
  };
  if (answers === undefined)
    return kept.orders.map((order) => ({
      ...rowOf(order, order.strategy),
      ...ownOrder,
      protects: protects(order, kept.state),
      fate: 'gone',
      why: 'an order at the simulated venue ends with its run',
    }));
  const listed = answers.filter(({ what }) => what.of === 'activeOrders').flatMap(({ orders }) => orders);
  const ids = new Set<string>(listed.map(({ clientOrderId }) => clientOrderId));
  const found = listed.map((order): PlannedOrder => {
    const known = kept.state.order(order.clientOrderId);
    const shown = known ?? foundOrder(order, externalStrategy);
    const ownership = ownershipOf(order, kept.state, setting.memory);
    const { owner, row } = ownership;
    const adopter = adopterOf(ownership, shown, setting.memory, kept.state);
    const strategy = adopter ?? (shown.adopted === true ? externalStrategy : shown.strategy);
    return {
      ...rowOf(order, strategy),
      policy: owner === 'own' ? null : owner,
      prefix: row?.prefix ?? null,
      protects: protects(shown, kept.state),
      ...fateOf(shown, known, { ...setting, ownership, adopter }),
    };
  });
  const missing = kept.orders
    .filter(({ clientOrderId }) => !ids.has(clientOrderId))
    .map((order): PlannedOrder => ({
      ...rowOf(order, order.strategy),
      ...ownOrder,
      protects: protects(order, kept.state),
      fate: 'look',
      why: lookText(order),
    }));
  return [...found, ...missing];
}

function fateOf(
  order: Order,
  known: Order | undefined,
  {
    memory,
    kept,
    ownership,
    adopter,
  }: OrdersSetting & {
    readonly ownership: Ownership;
    readonly adopter: string | undefined;
  },
): Pick<PlannedOrder, 'fate' | 'why'> {
  const isExit = onlyReduces(order, kept.state);
  const fate = fateAtStart(order, kept.state, memory, () => isExit);
  const { onStart } = memory.options;
  const strategies = memory.strategies;
  if (fate === 'adopt' || fate === 'claim' || fate === 'leave')
    return { fate, why: otherText(order, ownership, { memory, adopter }) };
  const isKnown = known !== undefined && known.strategy !== externalStrategy;
  const origin = isKnown ? `of strategy ${known.strategy}` : 'the journal does not know it';
  const since = `placed ${timeText(order.createdAt)}`;
  if (known !== undefined && isTerminal(known.state))
    return {
      fate: 'cancel',
      why: `the journal has it as ${known.state}, and the venue lists it: canceled if a second list shows it, too`,
    };
  const what = `an order of an earlier run, ${origin}, ${since} (orders.onStart: ${onStart})`;
  if (fate === 'cancel')
    return {
      fate,
      why: protects(order, kept.state)
        ? `${protectionText(order, kept.state)}, which it loses: ${what}`
        : what,
    };
  const who =
    isKnown && strategies.has(known.strategy)
      ? ''
      : '; no strategy of this configuration steers it: cancel it by hand';
  return { fate, why: `${isExit ? `${protectionText(order, kept.state)}: ` : ''}${what}${who}` };
}

/** Fate of an order of others in words, and the row that says so. */
function otherText(
  { clientOrderId: id }: Order,
  { owner, row }: Ownership,
  { memory, adopter }: Pick<OrdersSetting, 'memory'> & { readonly adopter: string | undefined },
): string {
  const { idPrefix } = memory.options;
  const by = row === undefined ? '' : ` (orders.others: ${row.prefix})`;
  const claimed =
    'it stays, and goes with our own at a halt, a kill, a flatten and a cancel of all orders; no strategy sees it';
  if (adopter !== undefined) return `strategy ${adopter} has it as its own from the start on${by}`;
  if (owner === 'adopt')
    return `strategy ${row?.strategy ?? ''} does not trade its symbol there, so it is claimed: ${claimed}${by}`;
  if (owner === 'claim') return `${claimed}${by}`;
  const left = 'it counts in limits and is shown, and is never touched';
  if (row !== undefined) return `${left}${by}`;
  const godwit = otherGodwitOf(id);
  if (godwit?.prefix === idPrefix)
    return `run ${godwit.run} is not in this journal: another Godwit trades on this account, or an earlier run whose journal is elsewhere left it (orders.unknownRuns: leave); ${left}`;
  const of = godwit === undefined ? '' : `another Godwit (run ${godwit.run}) trades on this account; `;
  return `its id does not begin with ${idPrefix}- (orders.idPrefix): it is not of this bot; ${of}${left}`;
}

function lookText({ state }: Order): string {
  const had =
    state === 'unknown' || state === 'pending'
      ? `it is ${state} in the journal`
      : 'the journal has it as live';
  return `${had}, and the venue does not list it: its history is read before anything is sent`;
}
