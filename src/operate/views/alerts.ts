import { timeText } from '../../core/base/clock.ts';
import type { ViewRowOf, ViewedRun } from './view.ts';
import { text, time, view } from './view.ts';

const fields = { time: time(), text: text() };

export type Alert = ViewRowOf<typeof fields>;

export const alertsView = view({
  name: 'alerts',
  command: 'alerts',
  text: 'the last 200 alerts, those of earlier sessions too, the newest first',
  empty: 'no alerts',
  fields,
  columns: ['time', 'text'],
  card: {
    order: 120,
    title: 'Alerts',
    kind: 'table',
    key: ['time', 'text'],
    columns: [
      { field: 'time', title: 'time', type: 'dateTime' },
      { field: 'text', title: 'alert' },
    ],
  },
  rows: ({ alerts }) => alerts.map(alertRow).toReversed(),
  live: 'as they come',
});

/** An alert, in text. */
export function alertRow(alert: ViewedRun['alerts'][number]): Alert {
  return { time: timeText(alert.time), text: alert.text };
}
