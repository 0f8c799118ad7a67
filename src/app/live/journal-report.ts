import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lastRunIn, hasJournal } from '../../core/journal/index.ts';
import type { RunPlace } from '../../core/journal/index.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import {
  runFigures,
  doubt,
  makeDocument,
  figureOf,
  runReport,
  readReport,
  reportFile,
  sessionsFolder,
  closedTradesCsv,
  withoutPrices,
} from '../../research/report/index.ts';
import { zero } from '../../core/base/amount.ts';
import type { ReportDocument, ReportSection } from '../../research/report/index.ts';
import { titleOf } from '../run/assembly.ts';
import { sessionName } from '../run/id.ts';
import { JournalSession } from '../run/journal-session.ts';
import { profitTexts } from './account-now.ts';
import { heldOf } from './margin-accounts.ts';
import { SessionFold } from './session-fold.ts';

/** The report of a session, made from its journal. */
export interface JournalReport {
  readonly document: ReportDocument;
  readonly trades: string;
}

/**
 * The report at `path`, a stored one or a run directory: of the last session of its journal, and from the journal where
 * that session left none. Errors as `readReport` and `readJournal`.
 */
export function reportAt(path: string): ReportDocument {
  const isDirectory = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const place = isDirectory ? unreportedIn(path) : undefined;
  if (place === undefined) return readReport(path);
  const session = JournalSession.at(path, place);
  return journalReport(session, session.isWritten).document;
}

/** The last session of the journal in a run directory, where there is one and it left no report. */
export function unreportedIn(directory: string): RunPlace | undefined {
  if (!hasJournal(directory)) return undefined;
  const place = lastRunIn(directory);
  if (place === undefined) return undefined;
  const { run } = place.started;
  if (existsSync(join(directory, sessionsFolder, `${sessionName(run)}.json`))) return undefined;
  // A session of before there were reports side by side left the latest one alone.
  if (!existsSync(join(directory, reportFile))) return place;
  return figureOf(readReport(directory), 'identity.run')?.value === run ? undefined : place;
}

/**
 * Makes the report of a session. Fills, orders and positions are those of the session; `running` says that it may still
 * go on.
 */
export function journalReport(session: JournalSession<RunPlace>, running: boolean): JournalReport {
  const { directory, instruments, place } = session;
  const { run, mode } = place.started;
  const fold = SessionFold.of(session);
  const { summary } = fold;
  const notes = [...session.notes];
  if (!session.hasTerms)
    notes.push(
      'the journal was begun by a version that did not keep currencies: amounts and fees are taken to be in the quote currency of each symbol',
    );
  const ended = fold.endText(running);
  // A session that was killed had no time for one.
  const isUnreported = !running && fold.stopWhy !== undefined;
  const stopped = fold.stopped.map(({ strategy, why }) =>
    doubt('STRATEGY_STOPPED', `strategy ${strategy} was stopped: ${why}`),
  );
  const document = makeDocument(summary, {
    title: titleOf(fold.strategies, summary),
    identity: { mode, data: 'the journal alone', run, journal: directory },
    doubts: [
      doubt(
        'FROM_JOURNAL',
        `the session ${isUnreported ? 'left no report, and ' : ''}${ended}: made from its journal`,
      ),
      ...stopped,
    ],
    band: 'a session happens once: godwit drift compares it with a backtest',
    noTrial: 'a session is no trial: nothing was chosen on its data',
    notes: [...notes, 'the journal holds no market data: figures that need market prices are left out'],
  });
  const flat = summary.holdings().every(({ position }) => position.quantity === 0);
  const told = withoutPrices(document, 'the journal holds no market data', flat);
  return {
    document: { ...told, sections: [...told.sections, recordsSection(fold, instruments)] },
    trades: closedTradesCsv(summary),
  };
}

/** Section of what the records tell exactly: fills by symbol, orders by outcome, what is held. */
function recordsSection({ summary, state }: SessionFold, instruments: Instruments): ReportSection {
  const report = runReport(summary, { identity: {} });
  const { placed, brought, denied, rejected, canceled, expired, filled, replaced, open } = report.orders;
  const orders = { placed, brought, denied, rejected, canceled, expired, filled, replaced, open };
  const held = [...new Set(state.positions().map(({ instrument }) => instrument))].flatMap((id) => {
    const amount = heldOf(state, id);
    const instrument = instruments.at(id);
    return amount === zero ? [] : [[instrument.symbol, instrument.heldText(amount), instrument.unit]];
  });
  return {
    key: 'records',
    title: 'From the journal',
    figures: profitTexts(state).flatMap(runFigures),
    tables: [
      {
        title: 'Fills by symbol',
        definition:
          'Of the session. Realized profit is that of what was closed, at average entry prices, without fees.',
        columns: ['symbol', 'fills', 'position', 'realized', 'turnover', 'fees', 'fee currency'],
        rows: report.instruments.map((one) => [
          one.symbol,
          String(one.fills),
          one.position,
          one.realized,
          one.turnover,
          one.fees,
          one.feeCurrency,
        ]),
      },
      {
        title: 'Orders',
        definition:
          'Orders that the session placed, or found live from earlier ones, by what became of them.',
        columns: ['outcome', 'orders'],
        rows: Object.entries(orders).map(([outcome, count]) => [outcome, String(count)]),
      },
      {
        title: 'Held when the journal ends',
        definition: 'Positions of all strategies, those of earlier sessions included.',
        columns: ['symbol', 'position', 'unit'],
        rows: held,
      },
    ],
  };
}
