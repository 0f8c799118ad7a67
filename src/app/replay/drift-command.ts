import { padRight } from '../../core/base/display-width.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { seconds, timeText } from '../../core/base/clock.ts';
import type { Amount } from '../../core/base/amount.ts';
import { formatAmount, zero } from '../../core/base/amount.ts';
import { NotFound } from '../../core/base/errors.ts';
import type { Tree } from '../../core/config/layers.ts';
import type { Config } from '../config/schema.ts';
import type { LastDay } from '../../data/open/last-day.ts';
import { lastDayOf, runsIn } from '../../data/open/last-day.ts';
import { openRecording } from '../../data/open/own-formats.ts';
import type { Instruments, Lots } from '../../core/model/instrument.ts';
import type { DriftFill, DriftRow } from '../../research/checks/index.ts';
import { timeOf, driftScore } from '../../research/checks/index.ts';
import type { SessionDrift } from './drift-run.ts';
import { driftOf } from './drift-run.ts';
import type { MarginDriftRow } from './drift-margin.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { Output } from '../process/output.ts';

export interface DriftCommand {
  /** A run directory. */
  readonly session: string;
  /** Where its recording is; the folder `recording` in it when left out. */
  readonly recording: string | undefined;
  readonly asRecorded: (recorded: Tree) => Config;
  readonly configure: (recorded: Tree) => Config;
  /** How far apart the profits may be, in quote currency; without it any difference will do. */
  readonly tolerance: Amount | undefined;
  /** Compares the fills of the last 24 hours of the recording only, of all runs on that day. */
  readonly lastDay: boolean;
  readonly output: Output;
  readonly json: boolean;
  /** Leaves out the fills one by one. */
  readonly totals: boolean;
}

const rowsShown = 60;
const day = seconds(86_400);

/** `godwit drift`: what a backtest of a session would have made instead, and why. */
export async function driftCommand(command: DriftCommand): Promise<number> {
  const { session: journal, output, tolerance } = command;
  const folder = command.recording ?? join(journal, 'recording');
  if (!existsSync(folder))
    throw new NotFound(
      `${folder}: expected the recording of the run, found nothing; trade --record writes into record.directory (recordings): name that by --recording`,
    );
  const window = command.lastDay ? await lastDayOf(folder) : undefined;
  const drifts: ComparedSession[] = [];
  for (const paths of window?.runs ?? (await runsIn([folder]))) {
    const recording = await openRecording(paths);
    const drift = await driftOf({
      ...command,
      recording,
      journal,
      window: window && { from: window.from, lead: day },
    });
    drifts.push({ drift, instruments: recording.instruments });
  }
  const scored = drifts.filter(({ drift }) => drift.session.unscored.length === 0);
  const score = scored.length === 0 ? null : driftScore(scored.map(({ drift }) => drift));
  if (command.json) output.data(JSON.stringify(documentOf(drifts, window, score, command.totals)));
  else {
    for (const { drift, instruments } of drifts)
      for (const line of linesOf(drift, instruments, command.totals)) output.data(line);
    output.data('');
    output.data(
      score === null
        ? 'score      none: a backtest cannot repeat what happened'
        : `score      ${score}, the difference as a share of what was traded`,
    );
  }
  for (const { drift } of drifts) for (const note of drift.session.notes) output.progress(`note: ${note}`);
  const isFar = ({ total }: { readonly total: Amount }): boolean =>
    tolerance !== undefined && (total > tolerance || -total > tolerance);
  const isOne = scored.some(({ drift }) => drift.currencies.some(isFar));
  const isOpen = tolerance !== undefined && scored.length < drifts.length;
  return isOne || isOpen ? exitCodes.checkFailed : exitCodes.done;
}

interface ComparedSession {
  readonly drift: SessionDrift;
  readonly instruments: Instruments;
}

/** One session as it is; those of a day together. */
function documentOf(
  drifts: readonly ComparedSession[],
  window: LastDay | undefined,
  score: number | null,
  totals: boolean,
): object {
  const sessions = drifts.map(({ drift, instruments }) => jsonOf(drift, instruments, totals));
  if (window === undefined && sessions.length > 1) return { score, sessions };
  return window === undefined
    ? { score, ...sessions[0] }
    : { score, from: window.from, to: window.to, sessions };
}

function linesOf(drift: SessionDrift, instruments: Instruments, totals: boolean): readonly string[] {
  const { session, rows, fills, gaps } = drift;
  const { entry, report } = session.latency.medians;
  const lines = [
    `session    ${session.run}, mode ${session.mode}, ${timeText(session.begin)} to ${timeText(session.end)}`,
    `fills      ${fills.live} live, ${fills.configured} in the backtest, ${fills.substituted} with the session's latencies and fees`,
    `latency    entry ${entry / 1_000} ms, report ${report / 1_000} ms (medians of ${session.latency.samples})`,
    `gaps       ${gaps} in the recorded market`,
    ...session.unscored.map((why) => `not scored ${why}`),
  ];
  const different = totals ? [] : rows.filter(({ cause }) => cause !== undefined);
  if (different.length > 0)
    lines.push('', rowText(['time', 'symbol', 'side', 'price', 'live', 'simulated', 'why']));
  for (const row of different.slice(0, rowsShown)) {
    const cells = cellsOf(row, instruments);
    lines.push(rowText(session.unscored.length > 0 ? cells.slice(0, -1) : cells));
  }
  if (different.length > rowsShown) lines.push(`${different.length - rowsShown} more with --json`);
  for (const { currency, live, simulated, total, causes } of drift.currencies) {
    lines.push('', `profit in ${currency}`, `  live              ${formatAmount(live)}`);
    lines.push(
      `  backtest          ${formatAmount(simulated)}`,
      `  difference        ${formatAmount(total)}`,
    );
    // A cause is one of the backtest: of what it cannot repeat it is none.
    if (session.unscored.length === 0)
      for (const [cause, amount] of causes) lines.push(`    ${cause.padEnd(16)}${formatAmount(amount)}`);
  }
  if (drift.margin.length > 0) lines.push('', marginText(marginTitle));
  for (const row of drift.margin) lines.push(marginText(Object.values(marginCells(row, instruments))));
  if (drift.currencies.length === 0) lines.push('', 'no fills on either side: nothing differs');
  return lines;
}

function jsonOf(drift: SessionDrift, instruments: Instruments, totals: boolean): object {
  const { session, rows, fills, gaps, currencies, margin } = drift;
  const { run, mode, begin, end, departed, notes, unscored } = session;
  const fillJson = (fill: DriftFill | undefined): object | null => {
    if (fill === undefined) return null;
    const instrument = instruments.at(fill.instrument);
    return {
      quantity: instrument.quantityText(fill.quantity),
      fee: formatAmount(fill.fee),
      taker: fill.taker,
      time: fill.time,
    };
  };
  return {
    run,
    mode,
    begin,
    end,
    fills,
    gaps,
    departed: departed ?? null,
    latency: { ...session.latency.medians, samples: session.latency.samples },
    notes,
    unscored,
    currencies: currencies.map(({ currency, live, simulated, total, causes }) => ({
      currency,
      live: formatAmount(live),
      simulated: formatAmount(simulated),
      total: formatAmount(total),
      causes:
        unscored.length > 0
          ? {}
          : Object.fromEntries([...causes].map(([cause, amount]) => [cause, formatAmount(amount)])),
    })),
    margin: margin.map((row) => marginCells(row, instruments)),
    ...(!totals && {
      rows: rows.map((row) => {
        const [, symbol, side, price] = cellsOf(row, instruments);
        return {
          symbol,
          side,
          price,
          live: fillJson(row.live),
          simulated: fillJson(row.simulated),
          cause: unscored.length > 0 ? null : (row.cause ?? null),
          difference: formatAmount(row.difference),
        };
      }),
    }),
  };
}

const noLots = 0 as Lots;
const marginTitle = ['symbol', 'account', 'position', 'simulated', 'charges', 'simulated'];

/** A row of margin accounts: by how much positions changed, and what funding and interest took, on both sides. */
function marginCells(row: MarginDriftRow, instruments: Instruments): Record<string, string> {
  const { live, simulated } = row;
  const instrument = instruments.at(row.instrument);
  return {
    symbol: instrument.symbol,
    account: row.account,
    livePosition: instrument.quantityText(live?.quantity ?? noLots),
    simulatedPosition: instrument.quantityText(simulated?.quantity ?? noLots),
    liveCharges: formatAmount(live?.charges ?? zero),
    simulatedCharges: formatAmount(simulated?.charges ?? zero),
  };
}

function marginText(cells: readonly string[]): string {
  return cells
    .map((cell) => padRight(cell, 14))
    .join(' ')
    .trimEnd();
}

function cellsOf(row: DriftRow, instruments: Instruments): readonly string[] {
  const fill = row.live ?? row.simulated;
  if (fill === undefined) return [];
  const instrument = instruments.at(fill.instrument);
  const quantity = (one: DriftFill | undefined): string =>
    one === undefined ? '-' : instrument.quantityText(one.quantity);
  return [
    timeText(timeOf(row)).slice(11, 23),
    instrument.symbol,
    fill.side,
    instrument.priceText(fill.price),
    quantity(row.live),
    quantity(row.simulated),
    row.cause ?? '',
  ];
}

function rowText(cells: readonly string[]): string {
  const widths = [13, 12, 5, 14, 12, 12, 0];
  return cells.map((cell, index) => padRight(cell, widths[index] ?? 0)).join(' ');
}
