import type { ReportFigure, ReportSection } from '../document/index.ts';
import type { Amount } from '../../../core/base/amount.ts';
import { add, formatAmount, zero } from '../../../core/base/amount.ts';
import { timeText } from '../../../core/base/clock.ts';
import type { Instruments } from '../../../core/model/instrument.ts';
import type { ChargeSum, MarginIncident, Summary } from '../fold/index.ts';

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

const shownMax = 100;

/** What margin accounts came to; nothing of a run on spot alone. */
export function marginSection(summary: Summary): readonly ReportSection[] {
  const { margin, instruments } = summary;
  if (!margin.isSeen) return [];
  const charged = [...chargesOf(margin.charges, instruments)].map(([name, amount]) => ({
    key: `margin.${name.replaceAll(' ', '-')}`,
    label: name.split(' ')[0] === 'funding' ? 'Funding paid' : 'Interest paid',
    definition: 'Taken from margin for open positions; below zero it was received. Part of the profit.',
    value: `${formatAmount(amount)} ${name.split(' ')[1] ?? ''}`,
  }));
  return [
    {
      key: 'margin',
      title: 'Margin accounts',
      figures: [
        count('Margin calls', margin.calls, 'How often the equity of an account came down to a margin call.'),
        count('Liquidations', margin.liquidations, 'Positions that the venue closed because margin ran out.'),
        ...charged,
      ],
      tables: [
        {
          title: 'Positions by account',
          definition:
            'Own fills by symbol and account. Charges are funding and interest; realized profit leaves them and fees out.',
          columns: ['symbol', 'account', 'fills', 'position', 'realized', 'turnover', 'fees', 'charges'],
          rows: summary
            .holdings()
            .map(({ instrument, account, position }) => [
              instrument.symbol,
              account,
              String(position.fillCount),
              instrument.heldText(position.held),
              formatAmount(position.realized),
              formatAmount(position.turnover),
              formatAmount(position.fees),
              formatAmount(position.charges),
            ]),
        },
        ...incidentTable(margin.incidents, instruments),
      ],
    },
  ];
}

/** The same as plain JSON. */
export interface MarginResult {
  readonly calls: number;
  readonly liquidations: number;
  readonly charges: readonly {
    readonly kind: ChargeSum['kind'];
    readonly symbol: string;
    readonly account: string;
    readonly count: number;
    readonly amount: string;
    readonly currency: string;
  }[];
}

export function marginResult({ margin, instruments }: Summary): MarginResult | undefined {
  if (!margin.isSeen) return undefined;
  return {
    calls: margin.calls,
    liquidations: margin.liquidations,
    charges: margin.charges.map(({ kind, instrument, account, count: times, amount }) => {
      const { symbol, spec } = instruments.at(instrument);
      return {
        kind,
        symbol,
        account,
        count: times,
        amount: formatAmount(amount),
        currency: spec.quoteCurrency,
      };
    }),
  };
}

/** By kind and currency: `funding USDT`. */
function chargesOf(charges: readonly ChargeSum[], instruments: Instruments): ReadonlyMap<string, Amount> {
  const sums = new Map<string, Amount>();
  for (const { kind, instrument, amount } of charges) {
    const name = `${kind} ${instruments.at(instrument).spec.quoteCurrency}`;
    sums.set(name, add(sums.get(name) ?? zero, amount));
  }
  return sums;
}

function incidentTable(
  incidents: readonly MarginIncident[],
  instruments: Instruments,
): ReportSection['tables'] {
  if (incidents.length === 0) return [];
  return [
    {
      title: 'Margin calls and liquidations',
      definition: `The first ${shownMax}, with the margin that was left.`,
      columns: ['time', 'what', 'account', 'margin', 'currency'],
      rows: incidents.slice(0, shownMax).map(({ what, time, product, account }) => {
        const { mode, instrument, currency, balance } = account;
        const of = instrument === undefined ? currency : instruments.at(instrument).symbol;
        const words = what === 'marginCall' ? 'margin call' : 'liquidation';
        return [timeText(time), words, `${product} ${mode} ${of}`, formatAmount(balance), currency];
      }),
    },
  ];
}

function count(label: string, value: number, definition: string) {
  return {
    key: `margin.${label.replaceAll(' ', '-').toLowerCase()}`,
    label,
    definition,
    value: String(value),
  };
}
