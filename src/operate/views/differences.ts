import { formatAmount } from '../../core/base/amount.ts';
import { timeText } from '../../core/base/clock.ts';
import { differenceKinds } from '../../core/model/difference.ts';
import { comparisonText } from '../../core/state/differences.ts';
import type { ListView } from './view.ts';

/** Differences between our books and the venue. */
export const differencesView: ListView = {
  name: 'differences',
  text: 'where our books and the venue differ, since when, and what ends it',
  title: 'Differences with the venue',
  empty: 'no differences',
  key: 'key',
  fields: {
    key: { text: 'identity of the row while it is open', type: 'text', optional: false },
    kind: {
      text: 'what differs: docs/differences.md has every kind',
      type: 'text',
      optional: false,
      title: 'kind',
    },
    product: { text: 'spot, margin or futures', type: 'text', optional: false },
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
    since: { text: 'when it began, or was first seen', type: 'time', optional: false, title: 'since' },
    reads: {
      text: 'complete reads in a row that have shown it',
      type: 'count',
      optional: false,
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
  rows: ({ differences, instruments }) =>
    differences.map(({ instrument, amount, since, nextLook, actsAt, clientOrderId, ...row }) => ({
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
    })),
  news: comparisonText,
};
