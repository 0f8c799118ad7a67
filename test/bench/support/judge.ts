import { median } from './print.ts';
import type { Cold, Printed, Row, RowResult } from './row.ts';

export interface Beside {
  /** What was left out, and why. */
  readonly note: string;
  /** What whole commands printed. */
  readonly cold: { readonly ours: readonly Printed[]; readonly peer: readonly Printed[] };
}

/** One line of the table from what all rounds printed. */
export function judge(
  row: Row,
  printed: readonly Printed[],
  printedByPeer: readonly Printed[],
  { note, cold }: Beside,
): RowResult {
  const { beside } = row;
  const peer =
    beside === undefined
      ? printedByPeer.map((one) => Number(one[row.peerFigure ?? 'value']))
      : printed.map((one) => Number(one[beside.figure]));
  const ours = printed.map((one) => Number(one[row.figure ?? 'value']));
  const own = ours.length === 0 ? undefined : median(ours);
  const other = peer.length === 0 ? undefined : median(peer);
  const times = (a: number, b: number): number => (row.better === 'greater' ? a / b : b / a);
  const ratio = own === undefined || other === undefined ? undefined : times(own, other);
  const rounds = ours.slice(0, peer.length).map((value, i) => times(value, peer[i] ?? Number.NaN));
  const { goal } = row;
  const spreadOf = goal.kind === 'ratio' ? rounds : ours;
  return {
    name: row.name,
    work: row.work,
    unit: row.unit,
    ours: own,
    peer: other,
    peerName: (row.peer ?? beside)?.name,
    ratio,
    required: requiredText(row),
    spread: spreadOf.length === 0 ? '' : `${short(Math.min(...spreadOf))} to ${short(Math.max(...spreadOf))}`,
    reached: reached(row, own, ratio),
    cold: { ours: coldOf(cold.ours), peer: coldOf(cold.peer) },
    figures: figuresOf(printed),
    note,
  };
}

function coldOf(printed: readonly Printed[]): Cold | undefined {
  if (printed.length === 0) return undefined;
  const wall = median(printed.map((one) => Number(one['wall'])));
  return { processor: median(printed.map(({ value }) => value)), wall };
}

function figuresOf(printed: readonly Printed[]): Record<string, number> {
  const names = Object.keys(printed[0] ?? {}).filter((name) => typeof printed[0]?.[name] === 'number');
  return Object.fromEntries(names.map((name) => [name, median(printed.map((one) => Number(one[name])))]));
}

function requiredText({ goal, unit }: Row): string {
  switch (goal.kind) {
    case 'ratio':
      return `${goal.least} times the peer`;
    case 'least':
      return `at least ${short(goal.value)} ${unit}`;
    case 'most':
      return `at most ${short(goal.value)} ${unit}`;
    case 'none':
      return '–';
  }
}

function reached({ goal }: Row, own: number | undefined, ratio: number | undefined): boolean | undefined {
  switch (goal.kind) {
    case 'ratio':
      return ratio === undefined ? undefined : ratio >= goal.least;
    case 'least':
      return own === undefined ? undefined : own >= goal.value;
    case 'most':
      return own === undefined ? undefined : own <= goal.value;
    case 'none':
      return undefined;
  }
}

/** A number with three significant digits, thousands marked. */
export function short(value: number): string {
  if (value >= 1_000) return Math.round(Number(value.toPrecision(3))).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

function coldText({ ours, peer }: RowResult['cold']): string {
  const of = ({ processor, wall }: Cold): string => `${short(processor)} s (${short(wall)} s)`;
  if (ours === undefined) return '–';
  return peer === undefined ? of(ours) : `${of(ours)}, peer ${of(peer)}`;
}

/** The table as Markdown. */
export function tableOf(results: readonly RowResult[]): string {
  const lines = results.map((row) =>
    [
      row.work,
      row.ours === undefined ? row.note : `${short(row.ours)} ${row.unit}`,
      row.peer === undefined
        ? row.peerName === undefined
          ? '–'
          : row.note
        : `${short(row.peer)} (${row.peerName})`,
      row.ratio === undefined ? '–' : short(row.ratio),
      row.required,
      row.spread,
      row.reached === undefined ? '–' : row.reached ? 'yes' : 'no',
      coldText(row.cold),
    ].join(' | '),
  );
  const head = 'Work | Ours | Peer | Times | To reach | Spread | Reached | Whole command';
  return [head, '--- | ---: | ---: | ---: | --- | --- | --- | ---', ...lines]
    .map((line) => `| ${line} |`)
    .join('\n');
}
