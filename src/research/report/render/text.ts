import { padLeft } from '../../../core/base/display-width.ts';
import type { Amount } from '../../../core/base/amount.ts';
import { formatAmountFixed } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { microsPerSecond, timeText } from '../../../core/base/clock.ts';
import type { Instrument, InstrumentId } from '../../../core/model/instrument.ts';
import type { Mark, Summary } from '../fold/index.ts';
import { colorOf, toneOf } from './terminal.ts';
import type { Color } from './terminal.ts';

/** What the status line shows besides the summary. */
export interface StatusMoment {
  /** Wall time now. */
  readonly time: Micros;
  /** Share of the request budget in use, 0 to 1. */
  readonly budgetUse: number;
  /** How long after their stamp market data come, where that is known. */
  readonly lag?: Micros | undefined;
  /** What the account holds of the instrument, from any session. */
  readonly position: Amount;
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

/** With the state, 80 characters for usual prices and quantities. */
const columns: readonly Column[] = [
  { title: 'time', width: 8 },
  { title: 'symbol', width: 7 },
  { title: 'mid', width: 9 },
  { title: 'position', width: 8 },
  { title: 'open', width: 4 },
  { title: 'profit', width: 10 },
  { title: 'orders', width: 6 },
  { title: 'fills', width: 5 },
  { title: 'use', width: 3 },
];
const rateColumn: Column = { title: 'msg/s', width: 5 };
/** Behind the columns, as long as it needs to be. */
const standingTitle = 'state';

const lagColumn: Column = { title: 'lag s', width: 5 };

/** A price that is not the mid of a live book (the last trade) is marked: a stale line must not look fresh. */
function priceCell({ price, source }: Mark, { priceDecimals }: Instrument): string {
  if (source === 'mid') return formatAmountFixed(price, priceDecimals + 1);
  return `~${formatAmountFixed(price, priceDecimals)}`;
}

/** Unknown orders come before anything else. */
function standingOf({ unknown, standing }: StatusMoment): string {
  if (unknown === 0) return standing;
  return standing === 'up' ? `${unknown} unknown` : `${unknown} unknown, ${standing}`;
}

/** The lag in seconds beside its limit: beyond it no order leaves. */
function lagCell({ lag }: StatusMoment, lagMax: Micros): string {
  const found = lag === undefined ? '-' : (lag / microsPerSecond).toFixed(1);
  return `${found}/${lagMax / microsPerSecond}`;
}

/**
 * One line a second about one instrument, of 80 characters where prices and quantities are usual ones: the account
 * (position, open orders), the session (profit in quote currency, orders, fills), budget use, messages a second or the lag at a
 * venue, and how things stand, unknown orders first.
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
    this.#columns = [...columns, options.lagMax === undefined ? rateColumn : lagColumn];
  }

  /** The titles over the columns. */
  header(): string {
    const titles = this.#columns.map(({ title, width }) => title.padStart(width));
    return this.#color([...titles, standingTitle].join(' '), 'dim');
  }

  /** The line for now. Messages per second are those since the line before. */
  render(moment: StatusMoment): string {
    const { instruments, tally } = this.#summary;
    const instrument = instruments.at(this.#instrument);
    const { quoteCurrency } = instrument.spec;
    const held = this.#summary.held(this.#instrument);
    const mark = this.#summary.mark(this.#instrument);
    const profit = this.#summary.profit(quoteCurrency);
    const decimals = Math.min(8, instrument.priceDecimals + 2);
    const shown = formatAmountFixed(profit, decimals);
    const cells = [
      timeText(moment.time).slice(11, 19),
      instrument.symbol,
      mark === undefined ? '-' : priceCell(mark, instrument),
      instrument.heldText(moment.position),
      String(moment.open),
      shown,
      String(tally.placed),
      String(held.fills),
      `${Math.round(moment.budgetUse * 100)}%`,
      this.#lagMax === undefined ? this.#rate(moment.time) : lagCell(moment, this.#lagMax),
    ];
    const row = this.#columns.map(({ title, width }, index) => {
      const text = padLeft(cells[index] ?? '', width);
      return title === 'profit' ? this.#color(text, toneOf(shown)) : text;
    });
    const standing = standingOf(moment);
    const text = standing.padEnd(standingTitle.length);
    return [...row, standing === 'up' ? text : this.#color(text, 'bad')].join(' ');
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
