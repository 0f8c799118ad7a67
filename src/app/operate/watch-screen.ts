import { cutToWidth } from '../../core/base/display-width.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { Status } from '../../operate/index.ts';
import type { Alert } from '../../operate/views/alerts.ts';
import type { BudgetRow } from '../../operate/views/budgets.ts';
import type { FeedRow } from '../../operate/views/feeds.ts';
import type { LimitUse } from '../../operate/views/limits.ts';
import type { OrderRow } from '../../operate/views/orders.ts';
import type { HeldRow } from '../../operate/views/positions.ts';
import type { FillRow } from '../../operate/views/trades.ts';
import { columns, plainText, profitText, shownRows } from './columns.ts';

/** What the stream of live state says, and what has happened since. */
export interface Watched {
  readonly status: Omit<Status, 'now'>;
  readonly feeds: readonly Omit<FeedRow, 'ageMs'>[];
  readonly orders: readonly OrderRow[];
  readonly positions: readonly HeldRow[];
  readonly profits: Readonly<Record<string, number>>;
  readonly budgets: readonly BudgetRow[];
  readonly limits: readonly LimitUse[];
}

export interface WatchModel {
  readonly state: Watched | undefined;
  /** When the book of each symbol last changed, wall time. */
  readonly feedSeen: ReadonlyMap<string, Micros>;
  /** The newest first. */
  readonly fills: readonly FillRow[];
  /** The newest first. */
  readonly alerts: readonly Alert[];
  /** Since when the daemon does not answer. */
  readonly lostSince: Micros | undefined;
  /** Why, as far as it is known. */
  readonly lostWhy?: string;
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** A part of the screen: it shows `least` rows before others get more. */
interface Part {
  readonly lines: readonly string[];
  readonly least: number;
}

const sideBySide = '   ';

/** The screen of `godwit watch` as lines, at most as many and as wide as it has room for. */
export function drawScreen(model: WatchModel, size: ScreenSize, now: Micros): readonly string[] {
  const lost =
    model.lostSince === undefined
      ? []
      : [
          `DISCONNECTED since ${timeOfDayText(model.lostSince)}: what stands below is as it was then`,
          ...(model.lostWhy === undefined || model.lostWhy === '' ? [] : [model.lostWhy]),
        ];
  const { state } = model;
  const parts = state === undefined ? [] : partsOf(state, model, now);
  const head = [...lost, ...(state === undefined ? ['waiting for the daemon'] : headOf(state))];
  const room = Math.max(0, size.rows - head.length - 1);
  const lines = [...head, ...fitted(parts, room), 'q ends'];
  return lines.slice(0, size.rows).map((line) => cutToWidth(plainText(line), size.columns));
}

function headOf({ status, profits }: Watched): readonly string[] {
  const { trading, sessions, orders } = status;
  const up = (isUp: boolean): string => (isUp ? 'up' : 'DOWN');
  const strategies = status.strategies.map(({ name, state }) => `${name} ${state}`);
  const shadows = status.strategies.flatMap(({ name, profit, shadow }) =>
    shadow === null
      ? []
      : [
          `shadow of ${name} ${shadow.state}, ${shadow.fills} fills, profit ${profitText(shadow.profit)} (live ${profitText(profit)})`,
        ],
  );
  return [
    `${status.run}, ${status.mode}, at ${status.venue}, since ${status.startedAt}`,
    `trading ${trading.holds}${trading.causes === '' ? '' : `: ${trading.causes}`}${sideBySide}market ${up(sessions.market)}, trading session ${up(sessions.trading)}${sideBySide}orders ${orders.open} open, ${orders.unknown} unknown, ${orders.inFlight} on their way`,
    `strategies ${strategies.join(', ') || 'none'}${sideBySide}profit ${profitText(profits)}`,
    ...shadows,
  ];
}

function partsOf(state: Watched, model: WatchModel, now: Micros): readonly Part[] {
  const feeds = state.feeds.map((feed) => ({ ...feed, age: ageOf(model.feedSeen.get(feed.symbol), now) }));
  const used = [
    ...state.budgets.map(({ lane, used: count, capacity }) => ({
      limit: `requests, lane ${lane}`,
      used: count,
      of: capacity,
      unit: 'requests',
    })),
    ...state.limits.map(({ name, of, used: amount, limit, unit }) => ({
      limit: `${name}, ${of}`,
      used: amount,
      of: limit,
      unit,
    })),
  ];
  const held = state.positions.filter(({ quantity }) => Number(quantity) !== 0);
  return [
    partOf('feeds', feeds, ['symbol', 'status', 'bid', 'ask', 'currency', 'age', 'gaps'], 3),
    partOf(
      'positions',
      held,
      ['strategy', 'symbol', 'account', 'quantity', 'unit', 'averagePrice', 'unrealized', 'currency'],
      2,
    ),
    partOf(
      'orders',
      state.orders,
      ['clientOrderId', 'symbol', 'side', 'quantity', 'executed', 'unit', 'price', 'currency', 'state'],
      4,
    ),
    partOf(
      'last fills',
      model.fills,
      ['time', 'symbol', 'side', 'quantity', 'unit', 'price', 'currency', 'fee', 'feeCurrency'],
      3,
    ),
    partOf('limits', used, ['limit', 'used', 'of', 'unit'], 2),
    partOf('alerts', model.alerts, ['time', 'text'], 2),
  ];
}

function partOf(
  title: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  names: readonly string[],
  least: number,
): Part {
  const lines =
    rows.length === 0
      ? [`${title}: none`]
      : [`${title} (${rows.length})`, ...columns(shownRows(rows), names)];
  return { lines, least: Math.min(lines.length, least + 1) };
}

/** Each part gets its least, and what is left in the order of the parts. What is cut is said on the last line of the part. */
function fitted(parts: readonly Part[], room: number): readonly string[] {
  const given = parts.map(() => 0);
  let left = room;
  for (const want of [(part: Part) => part.least, (part: Part) => part.lines.length]) {
    for (const [at, part] of parts.entries()) {
      const more = Math.min(left, want(part) - (given[at] ?? 0));
      given[at] = (given[at] ?? 0) + more;
      left -= more;
    }
  }
  return parts.flatMap(({ lines }, at) => {
    const count = given[at] ?? 0;
    if (count === 0 || count >= lines.length) return lines.slice(0, count);
    return [...lines.slice(0, count - 1), `... ${lines.length - count + 1} more`];
  });
}

function ageOf(seen: Micros | undefined, now: Micros): string {
  return seen === undefined ? '-' : `${Math.max(0, (now - seen) / 1_000_000).toFixed(1)} s`;
}

/** Time of day, UTC. */
export function timeOfDayText(time: Micros): string {
  return `${new Date(time / 1_000).toISOString().slice(11, 19)} UTC`;
}
