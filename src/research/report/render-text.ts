import { formatAmountFixed } from '../../core/base/amount.ts';
import type { Micros } from '../../core/base/clock.ts';
import { microsPerSecond, timeText } from '../../core/base/clock.ts';
import type { Instrument, InstrumentId, Lots } from '../../core/model/instrument.ts';
import type { Mark } from './marks.ts';
import { colorOf, toneOf } from './ansi-color.ts';
import type { Color } from './ansi-color.ts';
import type { Summary } from './summary.ts';

/** What the status line shows besides the summary. */
export interface StatusMoment {
  /** Wall time now. */
  readonly time: Micros;
  /** Share of the request budget in use, 0 to 1. */
  readonly budgetUse: number;
  /** How long after their stamp market data come, where that is known. */
  readonly lag?: Micros | undefined;
  /** What the account holds of the instrument, from any session. */
  readonly position: Lots;
  /** Its orders on the instrument that may be live. */
  readonly open: number;
  /** Its orders, on any instrument, that may or may not be live. */
  readonly unknown: number;
  /** Whether orders can leave and every strategy runs, in a few words. */
  readonly standing: string;
}

export interface StatusOptions {
  readonly colours: boolean;
  /** How late market data may come, where they come from a venue: a column shows it. */
  readonly lagMax?: Micros | undefined;
}

interface Column {
  readonly title: string;
  readonly width: number;
}

const columns: readonly Column[] = [
  { title: 'time', width: 8 },
  { title: 'symbol', width: 12 },
  { title: 'mid', width: 14 },
  { title: 'position', width: 13 },
  { title: 'open', width: 4 },
  { title: 'unknown', width: 7 },
  { title: 'session', width: 9 },
  { title: 'profit', width: 18 },
  { title: 'orders', width: 6 },
  { title: 'fills', width: 5 },
  { title: 'msg/s', width: 6 },
  { title: 'budget', width: 6 },
];
/** Behind the columns, as long as it needs to be. */
const standingTitle = 'state';

const lagColumn: Column = { title: 'lag', width: 9 };

/** A price that is not the mid of a live book is marked: a stale line must not look fresh. */
function priceCell({ price, source }: Mark, { priceDecimals }: Instrument): string {
  if (source === 'mid') return formatAmountFixed(price, priceDecimals + 1);
  return `last ${formatAmountFixed(price, priceDecimals)}`;
}

/** The lag beside its limit: beyond it no order leaves. */
function lagCell({ lag }: StatusMoment, lagMax: Micros): string {
  const found = lag === undefined ? '-' : (lag / microsPerSecond).toFixed(1);
  return `${found}/${lagMax / microsPerSecond} s`;
}

/**
 * One line a second about one instrument: first the account (position, open and unknown orders), then the session (position
 * it made, profit, orders, fills), then messages, budget use, lag, and how things stand.
 */
export class StatusLine {
  readonly #summary: Summary;
  readonly #instrument: InstrumentId;
  readonly #color: Color;
  readonly #lagMax: Micros | undefined;
  readonly #columns: readonly Column[];
  #events = 0;
  #time: Micros | undefined;

  constructor(summary: Summary, instrument: InstrumentId, options: StatusOptions) {
    this.#summary = summary;
    this.#instrument = instrument;
    this.#color = colorOf(options.colours);
    this.#lagMax = options.lagMax;
    this.#columns = options.lagMax === undefined ? columns : [...columns, lagColumn];
  }

  /** The titles over the columns. */
  header(): string {
    const titles = this.#columns.map(({ title, width }) => title.padStart(width));
    return this.#color([...titles, standingTitle].join('  '), 'dim');
  }

  /** The line for now. Messages per second are those since the line before. */
  render(moment: StatusMoment): string {
    const { instruments, tally } = this.#summary;
    const instrument = instruments.at(this.#instrument);
    const { quoteCurrency } = instrument.spec;
    const ledger = this.#summary.ledger(this.#instrument);
    const mark = this.#summary.mark(this.#instrument);
    const profit = this.#summary.profit(quoteCurrency);
    const decimals = Math.min(10, instrument.priceDecimals + 3);
    const shown = formatAmountFixed(profit, decimals);
    const cells = [
      timeText(moment.time).slice(11, 19),
      instrument.symbol,
      mark === undefined ? '-' : priceCell(mark, instrument),
      `${instrument.quantityText(moment.position)} ${instrument.unit}`,
      String(moment.open),
      String(moment.unknown),
      instrument.quantityText((ledger?.position ?? 0) as Lots),
      `${shown} ${quoteCurrency}`,
      String(tally.placed),
      String(ledger?.fills ?? 0),
      this.#rate(moment.time),
      `${Math.round(moment.budgetUse * 100)} %`,
      ...(this.#lagMax === undefined ? [] : [lagCell(moment, this.#lagMax)]),
    ];
    const row = this.#columns.map(({ title, width }, index) => {
      const text = (cells[index] ?? '').padStart(width);
      return title === 'profit' ? this.#color(text, toneOf(shown)) : text;
    });
    const { standing } = moment;
    const text = standing.padEnd(standingTitle.length);
    return [...row, standing === 'up' ? text : this.#color(text, 'bad')].join('  ');
  }

  #rate(time: Micros): string {
    const { events } = this.#summary.messages;
    const elapsed = this.#time === undefined ? 0 : time - this.#time;
    const count = events - this.#events;
    this.#events = events;
    this.#time = time;
    return elapsed <= 0 ? '-' : String(Math.round((count * microsPerSecond) / elapsed));
  }
}
