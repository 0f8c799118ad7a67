import type { ViewRowOf, ViewedRun } from './view.ts';
import { count, number, oneOf, view } from './view.ts';

const lanes = ['cancel', 'read', 'replace', 'new'] as const;

const fields = {
  lane: oneOf(lanes),
  used: number(),
  capacity: number(),
  waiting: count(),
};

export type BudgetRow = ViewRowOf<typeof fields>;

export const budgetsView = view({
  name: 'budgets',
  command: 'budgets',
  text: 'request budgets by lane',
  empty: 'no budgets',
  fields,
  columns: ['lane', 'used', 'capacity', 'waiting'],
  card: {
    order: 60,
    title: 'Request budgets',
    kind: 'gauges',
    key: ['lane'],
    columns: ['lane', 'used', { field: 'capacity', title: 'limit' }, 'waiting'],
  },
  rows: budgetRows,
});

/** Rows of what each lane may send, uses, and has waiting at the gate. */
export function budgetRows({ budgets, trader }: ViewedRun): readonly BudgetRow[] {
  const usage = budgets();
  const { waiting } = trader;
  return lanes.map((lane) => ({
    lane,
    used: usage[lane].used,
    capacity: usage[lane].capacity,
    waiting: waiting[lane],
  }));
}
