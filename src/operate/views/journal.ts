import { microsPerMilli } from '../../core/base/clock.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { StampedEvent } from '../../core/model/stamped-event.ts';
import { recordText } from './record-text.ts';
import type { ViewRowOf } from './view.ts';
import { count, text, time, view, word } from './view.ts';

const fields = {
  sequence: count('place in the journal'),
  time: time(),
  kind: word(),
  text: text('one sentence'),
};

export type JournalLine = ViewRowOf<typeof fields>;

export const journalView = view({
  name: 'journal',
  command: 'journal',
  text: 'the last 200 records of the journal, the newest first',
  empty: 'no such record yet',
  fields,
  columns: ['sequence', 'time', 'kind', 'text'],
  card: {
    order: 110,
    title: 'Journal',
    kind: 'table',
    key: ['sequence'],
    columns: [
      { field: 'time', title: 'time', type: 'timeMs' },
      { field: 'sequence', title: 'record' },
      'kind',
      { field: 'text', title: 'what' },
    ],
  },
  rows: ({ records, trader }) =>
    records.map((stamped) => journalLine(stamped, trader.instruments)).toReversed(),
  live: 'as they come',
});

/** A record of the journal, in text. */
export function journalLine({ sequence, event }: StampedEvent, instruments: Instruments): JournalLine {
  const at = new Date(Math.floor(event.receiveTime / microsPerMilli)).toISOString();
  return { sequence, time: at, kind: event.kind, text: recordText(event, instruments) };
}
