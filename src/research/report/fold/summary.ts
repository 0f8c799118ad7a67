import type { Amount } from '../../../core/base/amount.ts';
import { add, amountToNumber, zero } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { Event, MarketData } from '../../../core/model/event.ts';
import { isMarketData } from '../../../core/model/market-data.ts';
import type { FillEntry, LedgerEntry } from '../../../core/ledger/index.ts';
import { externalStrategy } from '../../../core/ledger/index.ts';
import type { Instrument, InstrumentId, Instruments, Lots } from '../../../core/model/instrument.ts';
import type { PositionAccount } from '../../../core/model/margin.ts';
import type { ClientOrderId, Order } from '../../../core/model/order.ts';
import type { Mark, BarPrice } from './marks.ts';
import { Marks, Opening } from './marks.ts';
import { MarginTally, isOwn, SessionHoldings } from './holdings.ts';
import { OrderTally } from './order-tally.ts';
import type { InstrumentSample, GateWaits } from './run-details.ts';
import { RunDetails } from './run-details.ts';
import type { RowCharge, RunRows, SessionHolding, HeldTotals } from './holdings.ts';
import { RunSigns } from './run-signs.ts';
import type { TickSigns } from './run-signs.ts';
import { SecondEnds } from './timeline.ts';
import type { BookView } from '../../../core/model/market.ts';
import type { RunAt } from './timeline.ts';
import type { EquityCurve } from './equity.ts';
import { DailyProfits } from './equity.ts';
import type { FigureOptions } from '../../statistics/index.ts';
import { defaultFigures } from '../../statistics/index.ts';

/** Counts of events. */
export interface MessageCounts {
  readonly events: number;
  /** Book, trade, ticker and candle messages. */
  readonly market: number;
  /** Reports, refusals, balances and answers of the venue. */
  readonly account: number;
  readonly gaps: number;
}

/**
 * Folds the event stream of a run into what a report says, live or from a journal. Money comes from what the ledger booked, each
 * entry once; fills of orders that are not ours are counted apart.
 */
export class Summary {
  readonly instruments: Instruments;
  readonly tally: OrderTally;
  /** What margin accounts came to; nothing of a run on spot alone. */
  readonly margin = new MarginTally();
  /** What else a reader must know of the run, one sentence each. */
  readonly remarks: string[] = [];
  /** There when they were asked for. */
  readonly details: RunDetails | undefined;
  readonly opening: Opening;
  readonly days = new DailyProfits();
  /** What makes its result doubtful. */
  readonly signs: RunSigns;
  /** How its figures are made. */
  readonly figures: FigureOptions;
  /** Where funding comes from, in a run whose venue is simulated and has margin accounts. */
  readonly fundingSource: SummaryDeps['fundingSource'];
  /** Whether the user named the fees, whatever the data say. */
  readonly feesNamed: boolean;
  /** Reported fills on the account that came from orders which are not ours. */
  externalFills = 0;
  readonly #entries: SummaryDeps['entries'];
  readonly #declared: readonly InstrumentId[];
  readonly #onBars: boolean;
  readonly #ticks: TickSigns | undefined;
  readonly #marks: Marks;
  readonly #rows: RunRows | undefined;
  readonly #holdings = new SessionHoldings();
  #start: Micros | undefined;
  #time = 0 as Micros;
  #sampled = 0 as Micros;
  readonly #seconds: SecondEnds;
  #events = 0;
  #market = 0;
  #account = 0;
  #gaps = 0;

  constructor(setting: SummaryDeps) {
    const { instruments, book, bars, opening, details, own, rows } = setting;
    this.instruments = instruments;
    this.#ticks = setting.ticks;
    this.signs = setting.signs ?? setting.ticks?.signs ?? new RunSigns();
    this.figures = setting.figures ?? defaultFigures;
    this.fundingSource = setting.fundingSource;
    this.feesNamed = setting.feesNamed ?? false;
    this.#entries = setting.entries;
    this.tally = new OrderTally(own, setting.isDeniedExit);
    this.#seconds = new SecondEnds((time) => this.#sampleAt(time), setting.at);
    this.#declared = setting.declared ?? [];
    this.#marks = new Marks(instruments, book, bars);
    this.opening = new Opening(instruments, opening);
    this.#onBars = bars !== undefined;
    this.#rows = rows;
    if (details === true)
      this.details = new RunDetails({
        ...setting,
        tally: this.tally,
        startOf: this.startOf,
        onTrip: rows && ((trip, exact, instrument) => rows.closed(trip, exact, instrument)),
      });
  }

  /** One event, after it was applied to the state whose books are used. */
  observe(event: Event): void {
    if (isMarketData(event)) return this.observeMarketData(event);
    this.#passed(event.receiveTime);
    switch (event.kind) {
      case 'bookStale':
        if (event.reason === 'gap') this.#gaps += 1;
        this.details?.observeMarket(event);
        return;
      case 'orderReport':
        this.#account += 1;
        this.tally.observe(event);
        if (event.fill !== undefined) this.#book(event);
        this.details?.observe(event);
        this.#rows?.observe(event, this.instruments);
        return;
      case 'executionCorrected':
      case 'chargeFound':
        this.#book(event);
        break;
      case 'readAnswered':
        this.#account += 1;
        for (const key of this.#holdings.confirm(event)) this.details?.trades.confirm(key);
        this.#book(event);
        if (event.what.of === 'balances') this.opening.read(event.balances);
        break;
      case 'marginAccount':
        this.#account += 1;
        this.margin.observe(event);
        this.#book(event);
        break;
      case 'orderRejected':
      case 'cancelRejected':
      case 'marginRejected':
      case 'balances':
      case 'commandSettled':
        this.#account += 1;
        break;
    }
    this.tally.observe(event);
    this.details?.observe(event);
    this.#rows?.observe(event, this.instruments);
  }

  /** As `observe`, for what the market said. */
  observeMarketData(data: MarketData): void {
    this.#passed(data.receiveTime);
    this.#market += 1;
    this.#ticks?.seen(data, this.instruments);
    if (data.kind === 'trades') this.#marks.observe(data);
    this.details?.observeMarket(data);
  }

  /** The data have ended: what comes now is in the last sample. */
  endRun(): void {
    this.#seconds.close();
  }

  /** Takes a last sample, so that the curve ends where the run did. */
  finish(): void {
    this.details?.trades.finish();
    if (this.#start !== undefined) this.sample(this.#time);
    this.#ticks?.end(this.instruments, ({ id }) => this.#holdings.position(id) !== 0);
  }

  /** Takes a sample of now; of a run on bars at the end of each, where no time is earlier than the one before. */
  sample(time: Micros): void {
    this.#time = Math.max(time, this.#sampled) as Micros;
    this.#sampled = this.#time;
    this.#sample(this.#time);
  }

  /** Wall time of the first and the latest event, or `undefined` before any. */
  get span(): { readonly start: Micros; readonly end: Micros } | undefined {
    return this.#start === undefined ? undefined : { start: this.#start, end: this.#time };
  }

  get messages(): MessageCounts {
    return { events: this.#events, market: this.#market, account: this.#account, gaps: this.#gaps };
  }

  /** Instruments with fills of ours, in order of their first. */
  holdings(): readonly SessionHolding[] {
    return this.#holdings.all();
  }

  /** What the run was on: the instruments with fills of ours, or, without any, those that strategies declared. */
  markets(): readonly Instrument[] {
    const held = this.holdings().map(({ instrument }) => instrument);
    return held.length > 0 ? held : this.#declared.map((id) => this.instruments.at(id));
  }

  /** Funding was paid for a position, or received below zero; the fill that opened it may be reported later. */
  fund(instrument: Instrument, amount: Amount, time: Micros): void {
    const strategy = this.details?.trades.holder(instrument, 'spot');
    this.#charge({ kind: 'funding', instrument, account: 'spot', strategy, amount, time });
    if (!this.#onBars && time >= this.#seconds.due) this.#seconds.passed(time);
  }

  holding(instrument: InstrumentId, account: PositionAccount = 'spot'): SessionHolding | undefined {
    return this.#holdings.find(instrument, account);
  }

  /** What an instrument has come to, in all accounts. */
  held(instrument: InstrumentId): HeldTotals {
    return this.#holdings.held(instrument);
  }

  mark(instrument: InstrumentId): Mark | undefined {
    return this.#marks.of(instrument);
  }

  /** Equity by quote currency, in order of the first fill. */
  curves(): ReadonlyMap<string, EquityCurve> {
    return this.#holdings.curves;
  }

  /** What the account was worth at the start in a quote currency, by what was traded so far; NaN when it is not known. */
  readonly startOf = (currency: string): number => this.opening.worth(currency, this.markets());

  /** Profit now, marked to market, over all instruments quoted in `currency`. */
  profit(currency: string): Amount {
    let sum: Amount = zero;
    for (const holding of this.#holdings.all()) {
      if (holding.instrument.spec.quoteCurrency !== currency) continue;
      const mark = this.#marks.of(holding.instrument.id);
      if (mark !== undefined) sum = add(sum, holding.profit(mark.price));
    }
    return sum;
  }

  /** What the signs ask of a run that is not on bars. */
  readonly #held = {
    equity: (currency: string): number => {
      const profit = this.#holdings.curves.get(currency)?.last ?? zero;
      return profit < 0n ? amountToNumber(profit) + this.startOf(currency) : 0;
    },
    position: ({ id }: Instrument): number => this.#holdings.position(id),
    price: ({ id }: Instrument): number => this.#marks.ticks(id),
  };

  #charge(charge: RowCharge): void {
    this.#holdings.of(charge.instrument, charge.account).charge(charge.amount);
    this.#rows?.charged(charge);
  }

  /** An event came at `time`. */
  #passed(time: Micros): void {
    const due = this.#start === undefined ? !this.#onBars : time >= this.#seconds.due;
    this.#start ??= time;
    this.#time = time;
    if (due) this.#seconds.passed(time);
    this.#events += 1;
  }

  /** Of the second that ends at `time`; the day is that of the event that reports it, where the clock does not. */
  #sampleAt(time: Micros): void {
    this.#time = Math.max(time, this.#time) as Micros;
    this.#sample(time);
  }

  #sample(time: Micros): void {
    this.opening.price(this.#marks);
    const profits = [...this.#holdings.curves].map(([currency, curve]) => {
      curve.sample(time, this.profit(currency));
      return [currency, amountToNumber(curve.last)] as const;
    });
    this.days.sample(this.#time, profits);
    if (!this.#onBars) this.#lookAtSigns();
    this.details?.sample(this.#time, profits, (id) => this.#instrumentSample(id));
    if (this.#rows !== undefined) this.#sampleRows(this.#rows);
  }

  #lookAtSigns(): void {
    const traded = this.#holdings.all().map(({ instrument }) => instrument);
    this.signs.sampled(this.#time, this.#held, traded);
  }

  #sampleRows(rows: RunRows): void {
    rows.sampled(
      this.#time,
      [...this.#holdings.curves].map(([currency, { last }]) => [currency, last]),
      this.#holdings
        .all()
        .map((holding) => ({ holding, price: this.#marks.of(holding.instrument.id)?.price })),
    );
  }

  #instrumentSample(id: InstrumentId): InstrumentSample {
    const instrument = this.instruments.at(id);
    const mark = this.#marks.of(id);
    const price = mark === undefined ? Number.NaN : amountToNumber(mark.price);
    const lots = this.#holdings.position(id) as Lots;
    return { instrument, price, position: amountToNumber(instrument.quantityAmount(lots)) };
  }

  /** Takes over what the ledger booked of an event. Nothing of it is counted here a second time. */
  #book(event: Event): void {
    for (const entry of this.#entries(event)) {
      switch (entry.kind) {
        case 'fill':
        case 'settlement':
          if (isOwn(entry)) this.#fill(entry);
          else this.externalFills += 1;
          break;
        case 'correction':
          if (!isOwn(entry)) break;
          this.tally.booked(entry.trade.clientOrderId, this.#holdings.correct(entry));
          this.details?.corrected(entry);
          break;
        case 'funding':
        case 'interest':
          // The share of a position that orders of others opened: their fills are not counted either.
          if (entry.strategy === externalStrategy) break;
          this.margin.charged(entry);
          this.#charge({ ...entry, instrument: this.instruments.at(entry.instrument) });
          break;
        case 'liquidation':
          this.#holdings.of(this.instruments.at(entry.instrument), entry.account).forgive(entry.amount);
          break;
      }
    }
  }

  #fill(entry: FillEntry): void {
    const { trade, account, strategy } = entry;
    const { clientOrderId: id, instrument: instrumentId, side } = trade;
    const instrument = this.instruments.at(instrumentId);
    const { holding, open } = this.#holdings.book(entry, instrument);
    this.tally.fill(id);
    this.tally.booked(id, trade.quantity);
    this.#ticks?.executed(instrument, trade.quantity, this.#time);
    this.#marks.filled(instrumentId, trade.price);
    const booked = this.details?.filled(trade, {
      instrument: instrumentId,
      id,
      side,
      account,
      strategy,
      time: this.#time,
      open,
    });
    if (booked !== undefined) this.#rows?.filled({ ...booked, id, reported: this.#time, holding });
  }
}

/** Where the rates of funding come from. */
export type ChargeSource = 'none' | 'constant' | 'data' | 'announced';

/** What a summary is made with. */
export interface SummaryDeps {
  readonly instruments: Instruments;
  /** Live books to mark positions with, such as `StateView.book`; without them the last trade serves. */
  readonly book?: ((instrument: InstrumentId) => BookView | undefined) | undefined;
  /** Also collect what a full report shows: the timeline, trades, execution. */
  readonly details?: boolean | undefined;
  /** Takes every row of the run, for an export; only with details. */
  readonly rows?: RunRows | undefined;
  /** How commands have waited at the gate so far, for the details. */
  readonly waited?: (() => GateWaits) | undefined;
  /** What strategies declared first, each once: it names a run in which nothing was filled. */
  readonly declared?: readonly InstrumentId[] | undefined;
  /** The clock of the run: samples are then of how things stood at the end of each second. */
  readonly at?: RunAt | undefined;
  /** Own orders that an earlier session left, where there may be some. */
  readonly own?: OwnOrder | undefined;
  /** Whether a denial was of an order that was to close a position; without it none is said to be. */
  readonly isDeniedExit?: ConstructorParameters<typeof OrderTally>[1];
  /** What the run collects of itself, where it does; otherwise the summary does. */
  readonly signs?: RunSigns | undefined;
  /** What a run on simulated books and trades collects of itself. */
  readonly ticks?: TickSigns | undefined;
  /** `report:` of the configuration; as it is when nothing is said, when left out. */
  readonly figures?: FigureOptions | undefined;
  /** Whether the user named the fees, other than those of the instruments. */
  readonly feesNamed?: boolean | undefined;
  /** Prices of a run on bars: positions are valued at them, and `sample` says when. */
  readonly bars?: BarPrice | undefined;
  /** What the ledger booked of an event, as `StateView.entriesOf` says. */
  readonly entries: (event: Event) => readonly LedgerEntry[];
  /** Where funding of an instrument comes from, where the venue is simulated and has margin accounts. */
  readonly fundingSource?: ((instrument: InstrumentId) => ChargeSource) | undefined;
  /** What the account held at the start, where its first reading does not show it (a perpetual reports buying power). */
  readonly opening?: ReadonlyMap<string, Amount> | undefined;
}

/** An own order as the state knows it, the event under way applied; `undefined` of orders of others. */
export type OwnOrder = (id: ClientOrderId) => Order | undefined;
