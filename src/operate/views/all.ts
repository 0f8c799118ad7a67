import { alertsView } from './alerts.ts';
import { balancesView } from './balances.ts';
import { budgetsView } from './budgets.ts';
import { controlsView } from './controls.ts';
import { daysView } from './days.ts';
import { differencesView } from './differences.ts';
import { feedsView } from './feeds.ts';
import { journalView } from './journal.ts';
import { limitsView } from './limits.ts';
import { marginView } from './margin.ts';
import { ordersView } from './orders.ts';
import { positionsView } from './positions.ts';
import { profitsView } from './profits.ts';
import { seriesView } from './series.ts';
import { tradesView } from './trades.ts';
import type { Card, CardColumn, ViewField, View, ViewedRun, ViewRow } from './view.ts';

/** Every list that an operator sees. */
export const views: readonly View[] = [
  differencesView,
  ordersView,
  positionsView,
  profitsView,
  daysView,
  marginView,
  balancesView,
  tradesView,
  limitsView,
  controlsView,
  feedsView,
  seriesView,
  budgetsView,
  journalView,
  alertsView,
];

/** Lists that stand in the live state. */
export const liveViews: readonly View[] = views.filter(({ live }) => live !== 'as they come');

/** Rows of some lists of the live state with their list, each made when it is its turn. */
export function* liveRows(
  run: ViewedRun,
  lists: readonly View[],
): Generator<readonly [of: View, row: ViewRow], void> {
  for (const of of lists) {
    const { rows, live = rows } = of;
    if (live !== 'as they come') for (const row of live(run)) yield [of, row];
  }
}

/** Card of the page as it is served: each column with the type and words of its fields. */
export interface ViewCard extends Omit<Card, 'key' | 'columns'> {
  readonly name: string;
  readonly command: string;
  readonly empty: string;
  /** Fields that identify a row, parted by spaces. */
  readonly key: string;
  readonly columns: readonly ViewCardColumn[];
}

interface ViewCardColumn extends Omit<CardColumn, 'type' | 'with'> {
  readonly type: ViewField['type'] | NonNullable<CardColumn['type']>;
  readonly words?: ViewField['words'];
  readonly with?: { readonly separator: string; readonly field: string; readonly words?: ViewField['words'] };
}

/** Descriptions that the page draws its cards by. */
export function viewCards(): readonly ViewCard[] {
  return views.map((one) => {
    const { name, command, empty, card } = one;
    const { key, columns, ...rest } = card;
    const served = columns.map((column) => servedColumn(one, column));
    return { name, command, empty, ...rest, key: key.join(' '), columns: served };
  });
}

function servedColumn(of: View, column: CardColumn | string): ViewCardColumn {
  if (typeof column === 'string') return servedColumn(of, { field: column, title: column });
  const { with: behind, ...rest } = column;
  const { type, words } = fieldOf(of, column.field);
  return {
    type,
    ...rest,
    ...(words !== undefined && { words }),
    ...(behind !== undefined && {
      with: { separator: behind[0], field: behind[1], words: fieldOf(of, behind[1]).words },
    }),
  };
}

function fieldOf({ name, fields }: View, path: string): ViewField {
  const [outer = '', inner] = path.split('.');
  const field = inner === undefined ? fields[outer] : fields[outer]?.fields?.[inner];
  if (field === undefined) throw new Error(`expected a field of ${name}, found ${path}`);
  return field;
}

/** The news of an event by the views. */
export function viewNews(event: Parameters<NonNullable<View['news']>>[0]): string | undefined {
  for (const { news } of views) {
    const text = news?.(event);
    if (text !== undefined) return text;
  }
  return undefined;
}
