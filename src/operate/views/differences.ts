import { formatAmount } from '../../core/base/amount.ts';
import { timeText } from '../../core/base/clock.ts';
import { differenceKinds } from '../../core/model/difference.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { SafeState, SafeStateKind } from '../../core/model/safe-state.ts';
import type { ShownDifference } from '../../core/state/differences.ts';
import { differenceText } from '../../core/state/differences.ts';
import type { ViewRowOf } from './view.ts';
import { count, decimal, orNull, text, time, view } from './view.ts';

const fields = {
  key: text('identity of the row while it is open'),
  kind: text('what differs (docs/differences.md), or the kind of a safe state (docs/steering.md)'),
  product: orNull(text('spot, margin or futures')),
  symbol: orNull(text('its symbol')),
  currency: orNull(text('its currency')),
  strategy: orNull(text('whose it is')),
  order: orNull(text('client id of its order')),
  amount: orNull(decimal('what the venue has more than our books')),
  unit: orNull(text('currency or unit of amount')),
  since: orNull(time('when it began, or was first seen')),
  reads: orNull(count('complete reads in a row that have shown it; a safe state has none')),
  nextLook: orNull(time('when it is looked at next')),
  actsAt: orNull(time('when a rule may act on it at the earliest')),
  cause: text('what our books say, and what the venue says'),
  endsWhen: text('the evidence that ends it, as it follows "until"'),
  action: text('what a rule does once it is confirmed; empty where none acts'),
};

type DifferenceRow = ViewRowOf<typeof fields>;

/** Differences between our books and the venue, and what holds orders or feeds back until they are at one again. */
export const differencesView = view({
  name: 'differences',
  command: 'differences',
  text: 'where our books and the venue differ and what holds orders back, since when, and what ends it',
  empty: 'no differences',
  fields,
  columns: [
    'kind',
    'symbol',
    'currency',
    'strategy',
    'amount',
    'unit',
    'since',
    'reads',
    'nextLook',
    'cause',
    'endsWhen',
  ],
  card: {
    order: 30,
    title: 'Differences with the venue',
    kind: 'table',
    key: ['key'],
    hides: true,
    columns: [
      'kind',
      'symbol',
      'currency',
      'strategy',
      'amount',
      'unit',
      'since',
      'reads',
      { field: 'nextLook', title: 'next look' },
      { field: 'cause', title: 'what' },
      { field: 'endsWhen', title: 'until' },
    ],
  },
  metric: {
    name: 'godwit_differences',
    text: 'differences with the venue that are open, by kind',
    by: 'kind',
    values: differenceKinds,
  },
  rows: ({ trader: { differences, safeStates, instruments } }) => [
    ...differences.map((difference) => differenceRow(difference, instruments)),
    ...safeStates.filter(({ kind }) => !differing.has(kind)).map(stateRow),
  ],
  news: differenceText,
});

/** Safe states that are differences: these have rows already. */
const differing: ReadonlySet<SafeStateKind> = new Set(['moneyReduces', 'moneyHalts']);

function differenceRow(
  { instrument, amount, since, nextLook, actsAt, clientOrderId, ...row }: ShownDifference,
  instruments: Instruments,
): DifferenceRow {
  return {
    key: row.key,
    kind: row.kind,
    product: row.product,
    symbol: instrument === undefined ? null : instruments.at(instrument).symbol,
    currency: row.currency ?? null,
    strategy: row.strategy ?? null,
    order: clientOrderId ?? null,
    amount: amount === undefined ? null : formatAmount(amount),
    unit: row.unit ?? null,
    since: timeText(since),
    reads: row.reads,
    nextLook: nextLook === undefined ? null : timeText(nextLook),
    actsAt: actsAt === undefined ? null : timeText(actsAt),
    cause: row.cause,
    endsWhen: row.endsWhen,
    action: row.action,
  };
}

/** Which field of a row the subject of a safe state is; of others it stands in the cause. */
const subjects: Partial<Record<SafeStateKind, 'product' | 'symbol' | 'strategy' | 'order'>> = {
  bookWaits: 'symbol',
  bookStale: 'symbol',
  bookCrossed: 'symbol',
  bookRefused: 'symbol',
  feedRefused: 'symbol',
  symbol: 'symbol',
  unknownOrder: 'order',
  orderHeld: 'order',
  productHalted: 'product',
  paused: 'strategy',
  strategyStopped: 'strategy',
};

function stateRow(state: SafeState): DifferenceRow {
  const { kind, subject, since, nextLook, cause, endsWhen } = state;
  const field = subjects[kind];
  return {
    // Feeds of one symbol may be refused side by side, and limits on loss of one strategy be reached.
    key: `${kind} ${subject} ${kind === 'feedRefused' || kind === 'lossLimit' ? cause : ''}`.trimEnd(),
    kind,
    product: null,
    symbol: null,
    currency: null,
    strategy: null,
    order: null,
    amount: null,
    unit: null,
    ...(field !== undefined && { [field]: subject }),
    since: since === 0 ? null : timeText(since),
    reads: null,
    nextLook: nextLook === undefined ? null : timeText(nextLook),
    actsAt: null,
    cause,
    endsWhen,
    action: '',
  };
}
