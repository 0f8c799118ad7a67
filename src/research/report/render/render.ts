import { displayWidth, padRight } from '../../../core/base/display-width.ts';
import { accountSection } from '../sections/index.ts';
import { indented, lineWidth } from './document.ts';
import type { Cell } from '../document/index.ts';
import { colorOf, toneOf, warningLines } from './ansi-color.ts';
import type { Color } from './ansi-color.ts';
import type { CurrencyResult, InstrumentResult, RunReport } from '../sections/index.ts';

const labelWidth = 22;

/** The final report for a terminal, in lines of at most 80 characters: the result first, what was run last. */
export function renderReport(report: RunReport, options: { colours: boolean }): string {
  const color = colorOf(options.colours);
  const sections = [
    ...warningLines(report.warning ?? '', color),
    ...report.results.map((result) => section(resultTitle(report, result), resultRows(result, color), color)),
    ...report.instruments.map((result) => section(result.symbol, instrumentRows(result, color), color)),
    section('Account at the end', accountRows(report), color),
    section('Orders', orderRows(report), color),
    section(
      'Notes',
      report.notes.flatMap((note) => indented(note, 2)),
      color,
    ),
    section('Run', runRows(report), color),
    section(
      'Identity',
      Object.entries(report.identity).map(([key, value]) => row(key, String(value))),
      color,
    ),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

/** The report as one line of JSON, keys in reading order: it follows the lines of the run. */
export function reportJson(report: RunReport): string {
  return JSON.stringify(report);
}

/** That of a session says so: the run may have had others. */
function resultTitle({ account }: RunReport, { currency }: CurrencyResult): string {
  return account === undefined ? `Result in ${currency}` : `Result of this session in ${currency}`;
}

function runRows({ span, messages }: RunReport): string[] {
  const rows = [
    row('events', String(messages.events)),
    row('market messages', String(messages.market)),
    row('account messages', String(messages.account)),
    row('gaps in books', String(messages.gaps)),
  ];
  if (span === undefined) return rows;
  return [row('from', span.start), row('to', span.end), row('seconds', String(span.seconds)), ...rows];
}

function resultRows(result: CurrencyResult, color: Color): string[] {
  return [
    row('profit', color(result.profit, toneOf(result.profit))),
    row('return on capital', shown(result.returnOnCapital)),
    row('fees', result.fees),
    row('turnover', result.turnover),
    row('largest drawdown', result.drawdownMax),
  ];
}

function instrumentRows(result: InstrumentResult, color: Color): string[] {
  return [
    row(
      'profit',
      result.profit.value === undefined
        ? shown(result.profit)
        : color(result.profit.value, toneOf(result.profit.value)),
    ),
    row('realized', result.realized),
    row('position', result.position),
    row('valued at', result.markedAt),
    row('fees', `${result.fees} ${result.feeCurrency}`),
    row('fills', String(result.fills)),
    row('maker share', shown(result.makerShare)),
  ];
}

function orderRows({ orders, denials }: RunReport): string[] {
  const counts = [
    ['placed', orders.placed],
    ['of earlier sessions', orders.brought],
    ['filled', orders.filled],
    ['canceled', orders.canceled],
    ['replaced', orders.replaced],
    ['expired', orders.expired],
    ['rejected by the venue', orders.rejected],
    ['denied by us', orders.denied],
    ['unanswered', orders.unknown],
    ['open', orders.open],
  ] as const;
  return [
    ...counts.map(([label, count]) => row(label, String(count))),
    row('fill ratio', shown(orders.fillRatio)),
    ...denials.map(({ code, count }) => row(`  ${code}`, String(count))),
  ];
}

function accountRows({ account }: RunReport): string[] {
  if (account === undefined) return [];
  return accountSection(account).figures.map(({ label, value = '' }) => row(label, value));
}

function shown(cell: Cell): string {
  return cell.value ?? `N/A (${cell.reason})`;
}

function section(title: string, rows: readonly string[], color: Color): string {
  return rows.length === 0 ? '' : [color(title, 'strong'), ...rows].join('\n');
}

function row(label: string, value: string): string {
  const line = `  ${padRight(label, labelWidth)}  ${value}`;
  return displayWidth(line) <= lineWidth ? line : [`  ${label}`, ...indented(value, 4)].join('\n');
}
