import { timeText } from '../../core/base/clock.ts';
import type { Space } from '../../research/search/space.ts';
import { inCurrency, numberText } from './table.ts';
import type { WalkResult } from './walk-forward.ts';

/** One row a window: where it was judged, what was chosen, and what that came to. */
export function walkTable(
  { windows, currency }: Pick<WalkResult, 'windows' | 'currency'>,
  { dimensions }: Space,
): { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] } {
  const names = dimensions.map(({ name }) => name);
  return {
    columns: [
      'test from',
      'to',
      ...names,
      ...['trained profit', 'tested profit'].map((head) => inCurrency(head, currency)),
      'efficiency',
    ],
    rows: windows.map(({ test, chosen, efficiency }) => [
      iso(test.from),
      iso(test.to),
      ...names.map((name) => String(chosen?.point[name] ?? '-')),
      numberText(chosen?.figures['profit']),
      numberText(chosen?.test?.figures['profit']),
      percentText(efficiency),
    ]),
  };
}

export function percentText(part: number | undefined): string {
  return part === undefined ? '-' : `${(part * 100).toFixed(0)} %`;
}

function iso(time: number): string {
  return timeText(time).slice(0, 19);
}
