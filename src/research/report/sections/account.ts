import type { ReportFigure, ReportSection } from '../document/index.ts';

/** How an account stood at the end of a session, from any session. */
export function accountSection({
  positions,
  profits = [],
  marginAccounts = [],
  openOrders,
  unknownOrders,
  stopped,
  differences = [],
  corrections = [],
}: AccountState): ReportSection {
  const held = positions.map(({ symbol, position, unit }) =>
    figure(`position ${symbol}`, `${position} ${unit}`, 'What the account held, signed.'),
  );
  return {
    key: 'account',
    title: 'Account at the end',
    figures: [
      ...(held.length > 0 ? held : [figure('position', 'none', 'What the account held.')]),
      ...marginAccounts.map(({ name, state }) =>
        figure(
          `margin account ${name}`,
          state,
          'A margin account that is open, as the venue reported it last.',
        ),
      ),
      ...profits.flatMap(runFigures),
      figure('open orders', String(openOrders), 'Own orders that may be live.'),
      figure(
        'unknown orders',
        String(unknownOrders),
        'Own orders of which it is not known whether they are live.',
      ),
      ...differences.map((value, at) => ({
        key: `account.difference.${at}`,
        label: 'difference with the venue',
        definition: 'Where books and venue did not agree at the end: since when, and what ends it.',
        value,
      })),
      ...corrections.map((value, at) => ({
        key: `account.correction.${at}`,
        label: 'correction',
        definition:
          'What was corrected in the books because the venue tells it otherwise; the last ones of the session.',
        value,
      })),
      ...stopped.map(({ strategy, why }) => ({
        key: `account.stopped.${strategy}`,
        label: 'stopped strategy',
        definition: 'A strategy that ended before the session did, and why.',
        value: `${strategy}: ${why}`,
      })),
    ],
    tables: [],
  };
}

/** What a run came to in a quote currency, its earlier sessions counted. */
export function runFigures({
  currency,
  profit,
  drawdown,
  drawdownMax,
}: RunProfitText): readonly ReportFigure[] {
  const unpriced = 'not known: something that is held has no price';
  return [
    figure(
      `run profit ${currency}`,
      profit ?? unpriced,
      'Of all sessions of the run directory: realised and unrealised, fees and charges counted.',
    ),
    figure(
      `run drawdown ${currency}`,
      drawdown ?? unpriced,
      'How far that profit is below its highest value in any session.',
    ),
    figure(
      `run drawdown max ${currency}`,
      drawdownMax,
      'The largest fall of that profit from its highest value so far, over all sessions.',
    ),
  ];
}

/** As decimal text; `undefined` where it cannot be valued. */
export interface RunProfitText {
  readonly currency: string;
  readonly profit: string | undefined;
  readonly drawdown: string | undefined;
  readonly drawdownMax: string;
}

function figure(label: string, value: string, definition: string): ReportFigure {
  return { key: `account.${label.replaceAll(' ', '-')}`, label, definition, value };
}

/** A strategy that ended before its run did, and why. */
export interface StoppedStrategy {
  readonly strategy: string;
  readonly why: string;
}

/** What an account holds and has live, from any session. */
export interface AccountState {
  /** Signed, as decimal text; symbols of which nothing is held are left out. */
  readonly positions: readonly {
    readonly symbol: string;
    readonly position: string;
    readonly unit: string;
  }[];
  /** Margin accounts that are open: whose, and how they stand. */
  readonly marginAccounts?: readonly { readonly name: string; readonly state: string }[] | undefined;
  /** What the run came to by quote currency, its earlier sessions counted. */
  readonly profits?: readonly RunProfitText[] | undefined;
  readonly openOrders: number;
  /** Of these, orders that may or may not be live. */
  readonly unknownOrders: number;
  readonly stopped: readonly StoppedStrategy[];
  /** Differences with the venue that are open, a line each. */
  readonly differences?: readonly string[] | undefined;
  /** Corrections of the session, a line each. */
  readonly corrections?: readonly string[] | undefined;
}
