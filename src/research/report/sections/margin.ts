import type { Amount } from '../../../core/base/amount.ts';
import { add, formatAmount, zero } from '../../../core/base/amount.ts';
import { timeText } from '../../../core/base/clock.ts';
import type { Instruments } from '../../../core/model/instrument.ts';
import type { ReportSection } from '../document/index.ts';
import type { ChargeSum, MarginIncident, Summary } from '../fold/index.ts';

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
