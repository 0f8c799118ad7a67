import { timeText } from '../../core/base/clock.ts';
import { denialCodes } from '../../core/model/denial.ts';
import type { ViewRowOf, ViewedRun } from './view.ts';
import { count, orNull, text, time, view, word } from './view.ts';

const fields = {
  code: word('a row of docs/errors.md'),
  denied: count('intents that were refused with it since the start'),
  strategy: orNull(word(), 'whose intent was the last; null: none'),
  time: orNull(time()),
  why: orNull(text()),
};

export type ControlRow = ViewRowOf<typeof fields>;

export const controlsView = view({
  name: 'controls',
  command: 'controls',
  text: 'the codes that refused orders or changes of margin, with how often; the most frequent first; --all: every code',
  empty: 'nothing was refused',
  fields,
  shows: isUsed,
  columns: ['code', 'denied', 'time', 'strategy', 'why'],
  card: {
    order: 80,
    title: 'Refused by controls',
    kind: 'table',
    key: ['code'],
    columns: [
      'code',
      { field: 'denied', title: 'refused' },
      { field: 'time', title: 'last' },
      'strategy',
      'why',
    ],
  },
  rows: controlRows,
  live: (run) => controlRows(run).filter(isUsed),
});

function isUsed({ denied }: ControlRow): boolean {
  return denied > 0;
}

function controlRows({ denials }: ViewedRun): readonly ControlRow[] {
  const rows = denialCodes.map((code): ControlRow => {
    const last = denials.get(code);
    return {
      code,
      denied: last?.denied ?? 0,
      strategy: last?.strategy ?? null,
      time: last === undefined ? null : timeText(last.time),
      why: last?.why ?? null,
    };
  });
  return rows.toSorted((one, other) => other.denied - one.denied);
}
