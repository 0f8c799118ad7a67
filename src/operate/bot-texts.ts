import { amountToNumber } from '../core/base/amount.ts';
import type { Micros } from '../core/base/clock.ts';
import { microsPerSecond, timeText } from '../core/base/clock.ts';
import { runProfits } from '../core/orders/base/profit.ts';
import { sumsOf } from './history/index.ts';
import type { RunView } from './run-view.ts';
import { limitRows } from './views/limits.ts';
import type { LimitUse } from './views/limits.ts';
import { openOrderRows } from './views/orders.ts';

/** Figures of a number below a thousand; above it two stand behind the point. */
const figuresMax = 6;

const small = new Intl.NumberFormat('en-US', { maximumSignificantDigits: figuresMax });
const large = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
/** Rows of a list in one message, and days of profit. */
const rowsMax = 20;
const alertsMax = 10;
const daysMax = 7;
const dayLength = 86_400 * microsPerSecond;

/** The run in a few lines, what keeps it from trading first. */
export function statusText(view: RunView): string {
  const { mode, trading, sessions, strategies, lossLimits, orders } = view.status();
  const down = Object.entries(sessions).flatMap(([name, isUp]) => (isUp ? [] : [`${name} session down`]));
  const differences = view.trader.differences.length;
  return [
    `${mode}, trading ${trading.holds}${trading.holds === 'active' ? '' : `: ${trading.causes}`}`,
    ...down,
    ...lossLimits.filter(({ strategy }) => strategy !== null).map(({ why }) => why),
    ...(differences === 0
      ? []
      : [`${countText(differences, 'difference')} with the venue: /alerts, /orders`]),
    strategies.map(({ name, state, why }) => `${name} ${state}${why === '' ? '' : `: ${why}`}`).join('\n'),
    ...profitLines(view),
    heldText(view),
    `${countText(orders.open, 'open order')}, ${orders.unknown} unknown`,
  ].join('\n');
}

/** Profit by quote currency and strategy, and of the last days. */
export function profitsText(view: RunView): string {
  const strategies = view.strategyProfits().map(({ name, kind, profit, currency }) => {
    const shadow = kind === 'shadow' ? ', shadow' : '';
    return `${name}${shadow}: ${shownGain(profit)} ${currency}`;
  });
  const days = view
    .days()
    .all.slice(-daysMax)
    .toReversed()
    .map((day) => {
      const { profit, fills } = sumsOf(day);
      return `${day.day}: ${shownGain(amountToNumber(profit))} ${day.currency}, ${countText(fills, 'fill')}`;
    });
  const lines = [...profitLines(view), ...strategies, ...days];
  return lines.length === 0 ? 'no profit: nothing was traded' : lines.join('\n');
}

export function positionsText(view: RunView): string {
  const rows = view.positions().filter(({ quantity }) => Number(quantity) !== 0);
  const lines = rows.map((row) => {
    const { symbol, quantity, unit, averagePrice, price, unrealized, currency, strategy } = row;
    const at = averagePrice === null ? '' : ` at ${shownNumber(averagePrice)} ${currency}`;
    const now = price === null ? 'no price' : `now ${shownNumber(price)} ${currency}`;
    const gain = unrealized === null ? '' : `, ${shownGain(unrealized)} ${currency}`;
    return `${symbol} ${shownNumber(quantity)} ${unit}${at}, ${now}${gain} (${strategy})`;
  });
  return listText(lines, 'no positions');
}

export function ordersText(view: RunView): string {
  const lines = [...openOrderRows(view)].map((row) => {
    const { symbol, side, quantity, unit, executed, price, stopPrice, currency, strategy, state } = row;
    const at = price ?? stopPrice;
    const done = Number(executed) === 0 ? '' : `, ${shownNumber(executed)} ${unit} executed`;
    const limit = at === null ? '' : ` at ${shownNumber(at)} ${currency}`;
    return `${symbol} ${side} ${shownNumber(quantity)} ${unit}${limit}, ${state}${done} (${strategy})`;
  });
  return listText(lines, 'no orders');
}

/** The last alerts, the newest first. */
export function alertsText({ alerts }: Pick<RunView, 'alerts'>): string {
  if (alerts.length === 0) return 'no alerts';
  return alerts
    .slice(-alertsMax)
    .toReversed()
    .map(({ time, text }) => `${shortTime(time)} ${text}`)
    .join('\n');
}

/**
 * The day in a few lines: profit, fees, drawdown, fills, alerts, and the limits that are nearest. Before noon it is the day before, which is
 * over.
 */
export function summaryText(view: RunView, now: Micros): string {
  const isMorning = now % dayLength < dayLength / 2;
  const name = timeText(isMorning ? now - dayLength : now).slice(0, 10);
  const days = view.days().all.filter(({ day }) => day === name);
  const lines = days.map((day) => {
    const { profit, fees, fills } = sumsOf(day);
    const drawdown = shownNumber(amountToNumber(day.drawdownMax));
    const equity = day.equity === undefined ? '' : `, equity ${shownNumber(amountToNumber(day.equity))}`;
    return `profit ${shownGain(amountToNumber(profit))} ${day.currency}, fees ${shownNumber(amountToNumber(fees))}, drawdown ${drawdown}, ${countText(fills, 'fill')}${equity}`;
  });
  const alerts = view.alerts.filter(({ time }) => timeText(time).startsWith(name)).length;
  return [
    `${name}${isMorning ? '' : ' so far'}: ${lines.length === 0 ? 'nothing was traded' : lines.join('; ')}; ${countText(alerts, 'alert')}`,
    heldText(view),
    limitsText([...limitRows(view)]),
  ].join('\n');
}

/** Standing of a run that ends, in one line. */
export function endText(view: RunView): string {
  const { orders } = view.status();
  const profits = profitLines(view);
  return `${profits.length === 0 ? 'no profit' : profits.join('; ')}; ${heldText(view)}; ${countText(orders.open, 'open order')}, ${orders.unknown} unknown`;
}

/** Run and day, by quote currency. */
function profitLines(view: RunView): readonly string[] {
  const days = view.days();
  const equities = view.equities();
  return runProfits(view.trader.view).map(({ currency, profit, drawdown, drawdownMax }) => {
    const today = days.today(currency);
    const equity = equities.get(currency);
    return [
      profit === undefined
        ? 'profit unknown: no price'
        : `profit ${shownGain(amountToNumber(profit))} ${currency}`,
      ...(today === undefined ? [] : [`today ${shownGain(amountToNumber(sumsOf(today).profit))}`]),
      ...(drawdown === undefined ? [] : [`drawdown ${shownNumber(amountToNumber(drawdown))}`]),
      `largest ${shownNumber(amountToNumber(drawdownMax))}`,
      ...(equity === undefined ? [] : [`equity ${shownNumber(amountToNumber(equity))}`]),
    ].join(', ');
  });
}

function heldText(view: RunView): string {
  const held = view.positions().filter(({ quantity }) => Number(quantity) !== 0);
  if (held.length === 0) return 'positions none';
  return `positions ${held.map(({ symbol, quantity, unit }) => `${symbol} ${shownNumber(quantity)} ${unit}`).join(', ')}`;
}

/** Limits of which something is used, the one of which least is left first. */
function limitsText(rows: readonly LimitUse[]): string {
  const shares = rows.map((row) => ({ row, left: 1 - Number(row.used) / Number(row.limit) }));
  const used = shares.filter(({ row }) => Number(row.used) > 0).toSorted((a, b) => a.left - b.left);
  const lines = used.slice(0, rowsMax).map(({ row, left }) => {
    const { name, of, used, limit, unit } = row;
    return `${name} of ${of}: ${shownNumber(used)} of ${shownNumber(limit)} ${unit}, ${Math.max(0, Math.floor(left * 100))} % left`;
  });
  const rest = used.length - lines.length;
  const unused = rows.length - used.length;
  return [
    ...lines,
    ...(rest === 0 ? [] : [`${countText(rest, 'limit')} more with as much or more left`]),
    ...(unused === 0 ? [] : [`${countText(unused, 'limit')} of which nothing is used`]),
  ].join('\n');
}

function listText(lines: readonly string[], empty: string): string {
  if (lines.length === 0) return empty;
  const rest = lines.length - rowsMax;
  return [...lines.slice(0, rowsMax), ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n');
}

function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** `11-28 03:04` */
function shortTime(time: Micros): string {
  return timeText(time).slice(5, 16).replace('T', ' ');
}

/** A number or decimal for a person: at most six figures, of more than a thousand two behind the point: `12,345.68`, `0.0000123457`. */
export function shownNumber(value: number | string): string {
  const number = Number(value);
  const text = (Math.abs(number) < 1_000 ? small : large).format(number);
  return text === '-0' ? '0' : text;
}

/** Number with the sign of a gain, otherwise as `shownNumber`. */
export function shownGain(value: number | string): string {
  const text = shownNumber(value);
  return Number(value) > 0 && text !== '0' ? `+${text}` : text;
}
