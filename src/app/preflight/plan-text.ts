import { columnWidths, padRight } from '../../core/base/display-width.ts';
import type { BalanceRow } from '../../operate/views/balances.ts';
import { balancesView } from '../../operate/views/balances.ts';
import type { MarginRow } from '../../operate/views/margin.ts';
import { marginPositions, marginView } from '../../operate/views/margin.ts';
import type { HeldRow } from '../../operate/views/positions.ts';
import { positionsView } from '../../operate/views/positions.ts';
import { columns, shownDecimal, shownRows } from '../operate/columns.ts';
import type { TradeMode } from '../live/index.ts';
import type { FundsRow, GridRow, HeadRoom } from './plan-limits.ts';
import type { PlannedOrder, PlannedPolicy } from './plan-orders.ts';

/** What a start would find and do: the document of `godwit plan --json`. */
export interface Plan {
  readonly mode: TradeMode;
  readonly account: string | null;
  readonly directory: string;
  /** Its address. */
  readonly venue: string | null;
  /** `halted`: it would start, and nothing would leave but cancels and reads. */
  readonly start: 'ready' | 'halted' | 'refused';
  /** Why not `ready`. */
  readonly why: readonly string[];
  readonly orders: readonly PlannedOrder[];
  /** Policies of orders of others, by prefix of their ids. */
  readonly others: readonly PlannedPolicy[];
  /** What is held, as `godwit positions` shows it, and what becomes of the orders that protect it. */
  readonly positions: readonly PlannedPosition[];
  /** As `godwit margin` and `godwit balances` show them. */
  readonly margin: readonly MarginRow[];
  readonly balances: readonly BalanceRow[];
  /** What the journal says of the run before. */
  readonly run: readonly string[];
  readonly grids: readonly GridRow[];
  readonly funds: readonly FundsRow[];
  readonly limits: readonly HeadRoom[];
  /** Requests that count now, and may, by the tightest limit of each lane. */
  readonly budgets: readonly { readonly lane: string; readonly used: number; readonly capacity: number }[];
  /** What the daemon will hold its books against, and how often. */
  readonly comparison: readonly string[];
  /** Sentences on what cancels orders when the daemon is gone. */
  readonly whenGone: readonly string[];
}

/** A position, and the live orders that only reduce it or are a stop of it. */
export type PlannedPosition = HeldRow & {
  readonly protection: readonly Pick<PlannedOrder, 'id' | 'fate'>[];
};

const verdicts: Readonly<Record<Plan['start'], string>> = {
  ready: 'trade may start',
  halted: 'trade would start halted: nothing leaves but cancels and reads',
  refused: 'trade would refuse to start',
};

const fates: Readonly<Record<PlannedOrder['fate'], string>> = {
  cancel: 'cancel',
  keep: 'adopt',
  adopt: 'adopt',
  claim: 'claim',
  leave: 'leave',
  look: 'look up',
  gone: 'gone',
};

/** The plan for people. */
export function planLines(plan: Plan): readonly string[] {
  const { mode, venue, account, directory, start, why } = plan;
  const of = account === null ? '' : `, account ${account}`;
  return [
    verdicts[start],
    ...why.map((one) => `  ${one}`),
    `mode ${mode}${of}${venue === null ? '' : ` at ${venue}`}, journal in ${directory}; nothing was sent`,
    ...(venue === null ? [] : sections(plan)),
  ];
}

function sections({
  orders,
  others,
  positions,
  margin,
  balances,
  run,
  grids,
  funds,
  limits,
  budgets,
  comparison,
  whenGone,
}: Plan): readonly string[] {
  return [
    ...section(
      'The run before',
      run.length > 0 ? run.map((one) => [one]) : [['there is none: the journal is new']],
    ),
    ...section(
      'Open orders: what the start does',
      orders.length > 0
        ? orders.map(({ fate, id, why, ...order }) => [fates[fate], id, orderText(order), why])
        : [['there are none']],
    ),
    ...section(
      'Orders of others: what becomes of them, by prefix',
      others.map(({ prefix, policy, strategy, orders: count }) => [
        prefix ?? 'any other',
        strategy === null ? policy : `${policy} by ${strategy}`,
        `${count} live now`,
      ]),
    ),
    ...section('Positions: what protects them after the start', protectionRows(positions)),
    ...table(positions, positionsView.columns),
    ...(margin.length === 0 ? [] : section('Margin accounts', [])),
    ...table(margin, marginView.columns),
    ...table(
      margin.flatMap((one) => one.positions),
      marginPositions,
    ),
    ...(balances.length === 0 ? [] : section('Wallets', [])),
    ...table(balances, balancesView.columns),
    ...section(
      'Grids: prices are multiples of the tick, quantities of the step',
      grids.flatMap(({ strategy, symbol, tick, step, minimum, rounded }) => [
        [strategy, symbol, `tick ${tick}`, `step ${step}`, `smallest order ${minimum ?? `one step`}`],
        ...rounded.map((text) => ['', '', `rounded: ${text}`]),
      ]),
    ),
    ...section('Funds: what the limits on positions would take, at the price now', funds.map(fundsCells)),
    ...section(
      'Head-room',
      limits.map(({ limit, used, most, left }) => [limit, `${used} of ${most}`, `left ${left}`]),
    ),
    ...section(
      'Requests that may be sent at once',
      budgets.map(({ lane, used, capacity }) => [lane, `${capacity - used} of ${capacity}`]),
    ),
    ...(comparison.length === 0
      ? []
      : section(
          'What is compared with the venue',
          comparison.map((one) => [one]),
        )),
    ...(whenGone.length === 0
      ? []
      : section(
          'What cancels orders when the daemon is gone',
          whenGone.map((one) => [one]),
        )),
  ];
}

function orderText({
  side,
  quantity,
  symbol,
  price,
  stopPrice,
  account,
  reduceOnly,
}: Omit<PlannedOrder, 'fate' | 'id' | 'why'>): string {
  const stop = stopPrice === null ? '' : ` stop ${stopPrice}`;
  const where = account === 'spot' ? '' : `, ${account} margin${reduceOnly ? ', reduces only' : ''}`;
  return `${side} ${quantity} ${symbol}${stop}${price === null ? '' : ` at ${price}`}${where}`;
}

function protectionRows(positions: readonly PlannedPosition[]): readonly (readonly string[])[] {
  if (positions.length === 0) return [['nothing is held']];
  return positions.map(({ strategy, symbol, account, quantity, unit, protection }) => [
    strategy,
    `${shownDecimal(quantity)} ${unit} of ${symbol}${account === 'spot' ? '' : `, ${account} margin`}`,
    protection.length === 0
      ? 'no order protects it'
      : protection.map(({ id, fate }) => `${id}: ${fates[fate]}`).join(', '),
  ]);
}

/** Rows of a list of the operator, below a heading. */
function table(
  rows: readonly Readonly<Record<string, unknown>>[],
  names: readonly string[],
): readonly string[] {
  return rows.length === 0 ? [] : columns(shownRows(rows), names).map((line) => `  ${line}`);
}

function fundsCells({ currency, available, reserved, allowed, short }: FundsRow): readonly string[] {
  const needs = allowed === null ? 'no limit, or no price' : `limits allow ${shownDecimal(allowed)}`;
  const enough = short === null ? 'enough' : `${shownDecimal(short)} short`;
  const [free, ordered] = [shownDecimal(available), shownDecimal(reserved)];
  return [currency, `${free} available`, `${ordered} in orders`, needs, allowed === null ? '' : enough];
}

/** A heading, and rows whose cells stand in columns. */
function section(title: string, rows: readonly (readonly string[])[]): readonly string[] {
  const widths = columnWidths(rows.map((row) => row.slice(0, -1)));
  return [
    '',
    title,
    ...rows.map((row) => `  ${row.map((cell, i) => padRight(cell, widths[i] ?? 0)).join('  ')}`.trimEnd()),
  ];
}
