import { formatAmount } from '../../core/base/amount.ts';
import { timeText } from '../../core/base/clock.ts';
import { differenceKinds } from '../../core/model/difference.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { SafeState, SafeStateKind } from '../../core/model/safe-state.ts';
import type { ShownDifference } from '../../core/state/differences.ts';
import { comparisonText } from '../../core/state/differences.ts';
import type { ListView, ViewRow } from './view.ts';

/** Differences between our books and the venue, and what holds orders or feeds back until they are at one again. */
export const differencesView: ListView = {
  name: 'differences',
  text: 'where our books and the venue differ and what holds orders back, since when, and what ends it',
  title: 'Differences with the venue',
  empty: 'no differences',
  key: 'key',
  fields: {
    key: { text: 'identity of the row while it is open', type: 'text', optional: false },
    kind: {
      text: 'what differs (docs/differences.md), or the kind of a safe state (docs/steering.md)',
      type: 'text',
      optional: false,
      title: 'kind',
    },
    product: { text: 'spot, margin or futures', type: 'text', optional: true },
    symbol: { text: 'its symbol', type: 'text', optional: true, title: 'symbol' },
    currency: { text: 'its currency', type: 'text', optional: true, title: 'currency' },
    strategy: { text: 'whose it is', type: 'text', optional: true, title: 'strategy' },
    order: { text: 'client id of its order', type: 'text', optional: true },
    amount: {
      text: 'what the venue has more than our books',
      type: 'decimal',
      optional: true,
      title: 'amount',
    },
    unit: { text: 'currency or unit of amount', type: 'text', optional: true, title: 'unit' },
    since: { text: 'when it began, or was first seen', type: 'time', optional: true, title: 'since' },
    reads: {
      text: 'complete reads in a row that have shown it; a safe state has none',
      type: 'count',
      optional: true,
      title: 'reads',
    },
    nextLook: { text: 'when it is looked at next', type: 'time', optional: true, title: 'next look' },
    actsAt: { text: 'when a rule may act on it at the earliest', type: 'time', optional: true },
    cause: {
      text: 'what our books say, and what the venue says',
      type: 'text',
      optional: false,
      title: 'what',
    },
    endsWhen: {
      text: 'the evidence that ends it, as it follows "until"',
      type: 'text',
      optional: false,
      title: 'until',
    },
    action: {
      text: 'what a rule does once it is confirmed; empty where none acts',
      type: 'text',
      optional: false,
    },
  },
  metric: {
    name: 'godwit_differences',
    text: 'differences with the venue that are open, by kind',
    by: 'kind',
    values: differenceKinds,
  },
  rows: ({ differences, safeStates, instruments }) => [
    ...differences.map((difference) => differenceRow(difference, instruments)),
    ...safeStates.filter(({ kind }) => !differing.has(kind)).map(stateRow),
  ],
  news: comparisonText,
};

/** Safe states that are differences: these have rows already. */
const differing: ReadonlySet<SafeStateKind> = new Set(['moneyReduces', 'moneyHalts']);

function differenceRow(
  { instrument, amount, since, nextLook, actsAt, clientOrderId, ...row }: ShownDifference,
  instruments: Instruments,
): ViewRow {
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

function stateRow(state: SafeState): ViewRow {
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
