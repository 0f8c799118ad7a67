import { differencesView } from './differences.ts';
import type { ListView, ViewedTrader, ViewRow } from './view.ts';

/** Every list that is described in one row. */
export const listViews: readonly ListView[] = [differencesView];

/** Rows of all of them by name. */
export function viewRows(trader: ViewedTrader): Readonly<Record<string, readonly ViewRow[]>> {
  return Object.fromEntries(listViews.map((view) => [view.name, view.rows(trader)]));
}

/** What the page needs to know of them to draw their cards. */
export function viewCards(): readonly ViewCard[] {
  return listViews.map(({ name, title, empty, key, fields }) => ({
    name,
    title,
    empty,
    key,
    columns: Object.entries(fields).flatMap(([field, { title: column, type }]) =>
      column === undefined ? [] : [{ field, title: column, type }],
    ),
  }));
}

/** One card of the page. */
export interface ViewCard extends Pick<ListView, 'name' | 'title' | 'empty' | 'key'> {
  readonly columns: readonly { readonly field: string; readonly title: string; readonly type: string }[];
}

/** The news of an event by the views. */
export function viewNews(event: Parameters<ListView['news']>[0]): string | undefined {
  for (const view of listViews) {
    const text = view.news(event);
    if (text !== undefined) return text;
  }
  return undefined;
}
