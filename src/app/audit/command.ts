import { columnWidths, padRight } from '../../core/base/display-width.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Amount } from '../../core/base/amount.ts';
import type { Clock } from '../../core/base/clock.ts';
import { timeText } from '../../core/base/clock.ts';
import { BadInput, NotFound } from '../../core/base/errors.ts';
import { hasJournal } from '../../core/journal/index.ts';
import type { ExportColumns } from '../../research/export/index.ts';
import { writeTable } from '../../research/export/index.ts';
import { prepareFile } from '../../research/report/index.ts';
import type { Config } from '../config/schema.ts';
import { journalDirectory } from '../inspect/order-trace.ts';
import { JournalSession } from '../run/journal-session.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { Output } from '../process/output.ts';
import type { AuditedBalance, AuditedFill } from './compare.ts';
import { beforeOf, compareBalances, compareFills, differencesOf, transfersOf } from './compare.ts';
import type { SessionAccount } from './session-account.ts';
import { sessionAccountOf } from './session-account.ts';
import type { VenueAccount } from './venue-account.ts';
import { askVenue } from './venue-account.ts';

export interface AuditCommand {
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** The run directory, when it is not that of the configuration. */
  readonly journal: string | undefined;
  /** Transfers into the account, by currency; out of it when negative. */
  readonly transfers: readonly (readonly [currency: string, amount: Amount])[];
  readonly exportTo: string | undefined;
  readonly output: Output;
  readonly json: boolean;
}

interface Audit {
  readonly run: string;
  readonly mode: string;
  readonly directory: string;
  readonly begin: string;
  readonly end: string;
  /** Its address; `null` when it was not asked. */
  readonly venue: string | null;
  readonly ok: boolean;
  readonly differences: readonly string[];
  readonly fills: readonly AuditedFill[];
  readonly balances: readonly AuditedBalance[];
  /** Entries that no message of the venue made, and what was before the opening balances: each explains what would differ without it. */
  readonly explained: readonly string[];
  readonly notes: readonly string[];
}

/**
 * `godwit audit`: whether the journal of the last session, the trade history and the balances agree to the last digit. Exit code 7
 * when they do not.
 */
export async function auditCommand(command: AuditCommand): Promise<number> {
  const { config, output, exportTo } = command;
  const directory = command.journal ?? journalDirectory(config.run.directory);
  if (!existsSync(directory) || !hasJournal(directory))
    throw new NotFound(`there is no journal in ${directory}: name the run directory by --journal`);
  if (exportTo !== undefined) prepareFile('--export', join(exportTo, 'audit-fills.csv'));
  const audit = await makeAudit(command, directory);
  if (exportTo !== undefined) await writeRows(exportTo, audit);
  if (command.json) output.data(JSON.stringify(audit));
  else for (const line of linesOf(audit)) output.data(line);
  return audit.ok ? exitCodes.done : exitCodes.checkFailed;
}

async function makeAudit(command: AuditCommand, directory: string): Promise<Audit> {
  const session = JournalSession.last(directory);
  if (session === undefined) throw new NotFound(`no session began in the journal of ${directory}`);
  if (!session.hasTerms)
    throw new BadInput(
      `the journal in ${directory} does not name the currencies of its symbols: it is too old`,
    );
  const account = sessionAccountOf(session.records(), session.instruments);
  const { notes, isWritten: running } = session;
  const journal = { ...account, started: session.place.started, running, notes };
  const asked = await askVenue({ ...command, directory }, journal);
  const venue = typeof asked === 'string' ? undefined : asked;
  const transfers = transfersOf(command.transfers);
  const fills = compareFills(journal, venue);
  const balances = [
    ...compareBalances(journal, undefined, transfers),
    ...(venue === undefined ? [] : compareBalances(journal, venue, transfers)),
  ];
  const differences = differencesOf(journal, fills, balances);
  const { run, mode, receiveTime } = journal.started;
  return {
    run,
    mode,
    directory,
    begin: timeText(receiveTime),
    end: timeText(journal.end),
    venue: venue?.venue ?? null,
    ok: differences.length === 0,
    differences,
    fills,
    balances,
    explained: [...journal.explained, ...beforeOf(journal, balances)],
    notes: notesOf(journal, asked, differences.length > 0),
  };
}

function notesOf(journal: SessionAccount, asked: VenueAccount | string, differs: boolean): readonly string[] {
  const runs = 'the session still runs: what happened while the venue was asked may show as a difference';
  const moved = 'deposits, withdrawals and transfers are not in the journal: name them by --transfer';
  return [
    ...journal.notes,
    ...journal.acts,
    ...(typeof asked === 'string' ? [asked] : laterNotes(journal, asked)),
    ...(journal.running ? [runs] : []),
    ...(differs ? [moved] : []),
  ];
}

/** Notes on what positions brought after the session, which is not in its journal. */
function laterNotes({ end }: SessionAccount, { trades }: VenueAccount): readonly string[] {
  const later = trades.filter(({ time, marginMode }) => marginMode !== undefined && time > end).length;
  if (later === 0) return [];
  return [
    `${later} trades on margin came after the session: what they brought is not in the sum, and differs`,
  ];
}

function linesOf({ run, mode, directory, begin, end, venue, ok, ...audit }: Audit): readonly string[] {
  const { differences, fills, balances, explained, notes } = audit;
  const sides = venue === null ? 'the journal and its own balances' : `the journal and ${venue}`;
  return [
    ok ? `${sides} agree` : `${sides} differ: ${differences.length}`,
    ...differences.map((one) => `  ${one}`),
    `session ${run}, mode ${mode}, ${begin} to ${end}, journal in ${directory}`,
    `fills   ${fills.length}${venue === null ? '' : ', each looked for in the trade history, and the other way round'}`,
    '',
    ...table(balances),
    ...explained.map((entry) => `explained by ${entry}`),
    ...notes.map((note) => `note: ${note}`),
  ];
}

const columns = [
  'source',
  'wallet',
  'currency',
  'opening',
  'traded',
  'realized',
  'fees',
  'charges',
  'transfers',
  'expected',
  'closing',
  'rounding',
  'before',
  'difference',
] as const;

/** Opening plus traded, realized and transfers, less fees and charges, is expected; closing is that, rounding, what was before the opening balances, and difference. */
function table(balances: readonly AuditedBalance[]): readonly string[] {
  // A column of zeros says nothing.
  const optional = new Set<string>(['realized', 'charges', 'transfers', 'rounding', 'before']);
  const shown = columns.filter((name) => !optional.has(name) || balances.some((row) => row[name] !== '0'));
  const moved = balances.filter((row) =>
    [...changing, 'difference' as const].some((name) => row[name] !== '0'),
  );
  const still = new Set(balances.map(({ currency }) => currency)).difference(
    new Set(moved.map(({ currency }) => currency)),
  );
  const rows = [
    ...(moved.length === 0 ? [] : [shown]),
    ...moved.map((row) => shown.map((name) => row[name])),
  ];
  const widths = columnWidths(rows);
  const lines = rows.map((row) =>
    row
      .map((cell, i) => padRight(cell, widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return still.size === 0 ? lines : [...lines, `nothing moved in ${[...still].join(', ')}`];
}

const changing = ['traded', 'realized', 'fees', 'charges', 'transfers'] as const;

const text = (meaning: string) => ({ type: 'text', meaning }) as const;
const decimal = (meaning: string) => ({ type: 'decimal', meaning }) as const;

const fillColumns = {
  time: { type: 'time', meaning: 'when it happened at the venue' },
  symbol: text('name of the instrument'),
  order_id: text('client order id'),
  trade_id: text("the venue's number of the trade"),
  side: text('`buy` or `sell`'),
  journal_price: decimal('by the journal'),
  venue_price: decimal('by the trade history'),
  journal_quantity: decimal('by the journal'),
  venue_quantity: decimal('by the trade history'),
  journal_fee: decimal('by the journal'),
  venue_fee: decimal('by the trade history'),
  difference: text('what does not agree'),
} satisfies ExportColumns;

const balanceColumns = Object.fromEntries(
  columns.map((name) => [name, ['source', 'wallet', 'currency'].includes(name) ? text(name) : decimal(name)]),
) satisfies ExportColumns;

async function writeRows(directory: string, { fills, balances }: Audit): Promise<void> {
  await writeTable(
    directory,
    'audit-fills',
    fillColumns,
    fills.map(({ time, symbol, orderId, tradeId, side, journal, venue, difference }) => [
      time,
      symbol,
      orderId,
      tradeId,
      side,
      journal?.price ?? null,
      venue?.price ?? null,
      journal?.quantity ?? null,
      venue?.quantity ?? null,
      journal?.fee ?? null,
      venue?.fee ?? null,
      difference,
    ]),
  );
  await writeTable(
    directory,
    'audit-balances',
    balanceColumns,
    balances.map((row) => columns.map((name) => row[name])),
  );
}
