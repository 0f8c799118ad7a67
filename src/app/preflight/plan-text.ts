import { columnWidths, padRight } from '../../core/base/display-width.ts';
import type { TradeMode } from '../live/check-trade.ts';
import type { FundsRow, GridRow, HeadRoom } from './plan-limits.ts';
import type { PlannedOrder } from './plan-orders.ts';

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
  /** What the journal says of the run before. */
  readonly run: readonly string[];
  readonly grids: readonly GridRow[];
  readonly funds: readonly FundsRow[];
  readonly limits: readonly HeadRoom[];
  /** Requests that count now, and may, by the tightest limit of each lane. */
  readonly budgets: readonly { readonly lane: string; readonly used: number; readonly capacity: number }[];
}

const verdicts: Readonly<Record<Plan['start'], string>> = {
  ready: 'trade may start',
  halted: 'trade would start halted: nothing leaves but cancels and reads',
  refused: 'trade would refuse to start',
};

const fates: Readonly<Record<PlannedOrder['fate'], string>> = {
  cancel: 'cancel',
  keep: 'adopt',
  leave: 'leave',
  look: 'look up',
  gone: 'gone',
};

/** The plan for people. */
export function linesOf(plan: Plan): readonly string[] {
  const { mode, venue, account, directory, start, why } = plan;
  const of = account === null ? '' : `, account ${account}`;
  return [
    verdicts[start],
    ...why.map((one) => `  ${one}`),
    `mode ${mode}${of}${venue === null ? '' : ` at ${venue}`}, journal in ${directory}; nothing was sent`,
    ...(venue === null ? [] : sections(plan)),
  ];
}

function sections({ orders, run, grids, funds, limits, budgets }: Plan): readonly string[] {
  return [
    ...section(
      'The run before',
      run.length > 0 ? run.map((one) => [one]) : [['there is none: the journal is new']],
    ),
    ...section(
      'Open orders: what the start does',
      orders.length > 0
        ? orders.map(({ fate, id, symbol, side, quantity, price, why }) => [
            fates[fate],
            id,
            `${side} ${quantity} ${symbol}${price === null ? '' : ` at ${price}`}`,
            why,
          ])
        : [['there are none']],
    ),
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
  ];
}

function fundsCells({ currency, available, reserved, allowed, short }: FundsRow): readonly string[] {
  const needs = allowed === null ? 'no limit, or no price' : `limits allow ${allowed}`;
  const enough = short === null ? 'enough' : `${short} short`;
  return [currency, `${available} available`, `${reserved} in orders`, needs, allowed === null ? '' : enough];
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
