import type { Amount } from '../../../core/base/amount.ts';
import { amountToNumber, zero } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { CandlesChanged } from '../../../core/model/market-event.ts';
import { timeText, seconds } from '../../../core/base/clock.ts';
import type { Instrument, InstrumentId, Lots, Instruments } from '../../../core/model/instrument.ts';
import type { Doubt } from '../document/index.ts';
import { doubt, percentText } from '../document/index.ts';
import type { MarketData, TradesPrinted } from '../../../core/model/event.ts';
import { dayMicros } from '../../statistics/index.ts';

/** A symbol ends early where so many of its bars are missing at the end of the run. */
const barsMissingMin = 10;
/** A price collapses where so little is left of the best since the position was opened. */
const collapse = 0.1;

/** What is asked of the account of a run. */
interface HeldAccount {
  equity(currency: string): number;
  position(instrument: Instrument): number;
  /** In ticks; NaN before the first. */
  price(instrument: Instrument): number;
}

/** The bar in which orders execute. */
interface Executed {
  readonly instrument: Instrument;
  readonly quantity: Lots;
  readonly time: Micros;
}

interface Taken {
  bar: number;
  lots: number;
}

interface Holding {
  side: number;
  /** The best price since the position was opened, and the last one. */
  best: number;
  last: number;
}

/** A size that no order can have, and what is wrong with it. */
export interface SmallSize {
  readonly strategy: string;
  /** Of a size that was computed; absent of a parameter, which may be one of several symbols. */
  readonly instrument?: InstrumentId;
  readonly text: string;
}

export interface SignsOptions {
  /** Of the notional, where the user named one. */
  readonly feeRate?: Amount | undefined;
  /** Whether the run is on books and trades: the prices of bars are graded already. */
  readonly isOnTicks?: boolean;
}

/** What a run does that makes its result doubtful, collected on the way: cheap enough for every trial of a sweep. */
export class RunSigns {
  /** Whether orders may fill at the open of a bar that the strategy was told. */
  openIsTold = false;
  readonly #taken = new Map<Instrument, Taken>();
  readonly #holdings = new Map<Instrument, Holding>();
  /** By instrument: when its last bar began and ended. Numbers in lists, because every bar is noted. */
  readonly #begins: number[] = [];
  readonly #ends: number[] = [];
  readonly #feeRate: Amount | undefined;
  readonly #isOnTicks: boolean;
  /** Sizes that come to no order, up to now: those of parameters first. */
  smallSizes: () => readonly SmallSize[] = () => [];
  /** Whether the data say how much was traded. */
  hasVolume = false;
  #exceeding = 0;
  #leaps = 0;
  #leap: { readonly time: number; readonly symbol: string } | undefined;
  #most: { readonly share: number; readonly time: number; readonly symbol: string } | undefined;
  #ruined: { readonly time: Micros; readonly currency: string } | undefined;
  #collapsed: { readonly time: Micros; readonly symbol: string } | undefined;
  #ended: { readonly end: number; readonly symbol: string } | undefined;

  constructor({ feeRate, isOnTicks = false }: SignsOptions = {}) {
    this.#feeRate = feeRate;
    this.#isOnTicks = isOnTicks;
  }

  /** Takes over the sizes of a run that is over: asking it for them would keep all of it in memory. */
  closeSizes(sizes: readonly SmallSize[]): void {
    this.smallSizes = () => sizes;
  }

  /** A bar of an instrument that the data have. */
  seen({ instrument, candles, receiveTime }: CandlesChanged): void {
    this.#begins[instrument] = candles[0]?.time ?? 0;
    this.#ends[instrument] = receiveTime;
  }

  /** An execution in the bar that began at `bar`, of which so much was traded, in units. */
  executed({ instrument, quantity, time }: Executed, bar: number, volume: Amount): void {
    const taken = this.#taken.get(instrument) ?? { bar, lots: 0 };
    if (taken.bar !== bar) taken.lots = 0;
    taken.bar = bar;
    taken.lots += quantity;
    this.#taken.set(instrument, taken);
    if (volume > zero) this.hasVolume = true;
    const share = Number(instrument.quantityAmount(taken.lots as Lots)) / Number(volume);
    this.took(instrument.symbol, share, time);
  }

  /** Orders took such a share of what was traded in a bar or on a day. */
  took(symbol: string, share: number, time: number): void {
    if (share > 1) this.#exceeding += 1;
    if (share > (this.#most?.share ?? 0)) this.#most = { share, time, symbol };
  }

  /** The largest of these shares: infinite where nothing was traded, `undefined` where nothing is known of it. */
  get shareMax(): number | undefined {
    return this.hasVolume ? this.#most?.share : undefined;
  }

  /** A price leapt from the one before. */
  leapt(symbol: string, time: number): void {
    this.#leaps += 1;
    this.#leap ??= { time, symbol };
  }

  /** The data of a symbol ended at `end`, while it was held. */
  endedEarly(symbol: string, end: number): void {
    this.#ended ??= { end, symbol };
  }

  /** The end of a bar; on ticks, of a second. */
  sampled(time: Micros, account: HeldAccount, instruments: readonly Instrument[]): void {
    for (const instrument of instruments) {
      const { quoteCurrency: currency } = instrument.spec;
      if (this.#ruined === undefined && account.equity(currency) < 0) this.#ruined = { time, currency };
      this.#lookAtPosition(time, instrument, account);
    }
  }

  #lookAtPosition(time: Micros, instrument: Instrument, account: HeldAccount): void {
    const side = Math.sign(account.position(instrument));
    const known = this.#holdings.get(instrument);
    if (side === 0) {
      if (known !== undefined) this.#holdings.delete(instrument);
      return;
    }
    const price = account.price(instrument);
    if (known?.side !== side) {
      this.#holdings.set(instrument, { side, best: price, last: price });
      return;
    }
    if (this.#isOnTicks && isLeap(known.last, price)) this.leapt(instrument.symbol, time);
    known.last = price;
    if (side > 0 ? price > known.best : price < known.best) known.best = price;
    const isLost = side > 0 ? price < known.best * collapse : price * collapse > known.best;
    if (isLost) this.#collapsed ??= { time, symbol: instrument.symbol };
  }

  /** The bars have ended; `until` is where the clock of the run ends, where one is named. */
  endRun(account: HeldAccount, instruments: readonly Instrument[], until: Micros | undefined): void {
    const last = this.#ends.reduce((latest, end) => Math.max(latest, end), until ?? 0);
    for (const instrument of instruments) {
      const [begin, end] = [this.#begins[instrument.id], this.#ends[instrument.id]];
      if (begin === undefined || end === undefined || account.position(instrument) === 0) continue;
      if (last - end > barsMissingMin * (end - begin)) this.endedEarly(instrument.symbol, end);
    }
  }

  /** What was found, worst first. */
  doubts(): readonly Doubt[] {
    const [ruined, ended, collapsed] = [this.#ruined, this.#ended, this.#collapsed];
    return [
      ...(ruined === undefined ? [] : [ruinedDoubt(ruined.currency, ruined.time)]),
      ...this.#prices(),
      ...(this.openIsTold ? [doubt('OPEN_KNOWN', openText)] : []),
      ...this.#sizes(),
      ...(this.#feeRate === undefined
        ? []
        : unlikelyFee(amountToNumber(this.#feeRate), 'by fills.fees.rate')),
      ...(ended === undefined
        ? []
        : [
            doubt(
              'DATA_ENDED_EARLY',
              `the data of ${ended.symbol} end on ${dayText(ended.end)}, while it was held: it is valued at its last price`,
            ),
          ]),
      ...(collapsed === undefined
        ? []
        : [
            doubt(
              'PRICE_COLLAPSED',
              `the price of ${collapsed.symbol} went to a tenth or ten times against a position by ${dayText(collapsed.time)}`,
            ),
          ]),
    ];
  }

  #prices(): readonly Doubt[] {
    if (this.#leap === undefined) return [];
    const { symbol, time } = this.#leap;
    const prices = this.#leaps === 1 ? '1 price leaps' : `${this.#leaps} prices leap`;
    return [
      doubt(
        'PRICES_DOUBTFUL',
        `${prices} to twice or half of the one before, as a spike, a wick or a split, the first of ${symbol} on ${dayText(time)}`,
      ),
    ];
  }

  #sizes(): readonly Doubt[] {
    const most = this.#most;
    if (!this.hasVolume || most === undefined || this.#exceeding === 0) return [];
    const share = Number.isFinite(most.share)
      ? `the most ${percentText(most.share)} of it`
      : 'some where nothing was traded';
    const count = this.#exceeding;
    const fills = this.#isOnTicks
      ? `fills of ${count === 1 ? '1 day' : `${count} days`} take more than was traded on it`
      : `${count === 1 ? '1 fill takes' : `${count} fills take`} more than was traded in the bar`;
    const text = `${fills}: ${share}, of ${most.symbol} on ${dayText(most.time)}`;
    return [doubt('SIZE_DOUBTFUL', text)];
  }
}

const openText =
  'a strategy is told the open before its orders fill there (market: open); nextOpen does not tell it';

/** No venue asks for more than this, nor gives back so much. */
const feeMax = 0.05;
const rebateMax = 0.005;

/** Such prices do not follow one another; of a few ticks they may. */
const leap = 2;
const leapPriceMin = 10;

/** Whether a price leaps from the one before, in whole ticks. */
function isLeap(before: number, price: number): boolean {
  if (before < leapPriceMin || price < leapPriceMin) return false;
  return before < price ? price >= leap * before : before >= leap * price;
}

/** A fee or rebate that no venue has. `where` says in a clause where it holds. */
export function unlikelyFee(rate: number, where: string): readonly Doubt[] {
  if (rate <= feeMax && rate >= -rebateMax) return [];
  const kind = rate > 0 ? 'a fee' : 'a rebate';
  return [doubt('FEES_DOUBTFUL', `no venue has ${kind} of ${percentText(Math.abs(rate))}, ${where}`)];
}

/** Equity fell below zero: what follows has no meaning. */
function ruinedDoubt(currency: string, time: Micros): Doubt {
  return doubt(
    'RUINED',
    `equity in ${currency} is below zero on ${dayText(time)}: what follows has no meaning`,
  );
}

function dayText(time: number): string {
  return timeText(time as Micros).slice(0, 10);
}

/** Data have ended early where their silence is longer than this, and than twice the longest one before. */
const silenceMin = seconds(600);

/** What was traded of an instrument on a UTC day, in lots. */
interface Day {
  readonly begin: number;
  traded: number;
  own: number;
}

/** What a run on books and trades does that makes its result doubtful, collected on the way. */
export class TickSigns {
  readonly signs = new RunSigns({ isOnTicks: true });
  readonly #until: number;
  // Every message comes through here: times stay in arrays of numbers, and no call takes one, because that would allocate it.
  /** By instrument: when its last message came, NaN before the first; and the longest time between two of them. */
  #heardAt = new Float64Array(0);
  #silence = new Float64Array(0);
  /** By instrument: price in ticks and time of its last public trade, NaN before the first. */
  #price = new Float64Array(0);
  #printedAt = new Float64Array(0);
  readonly #days: (Day | undefined)[] = [];

  /** `until`: where the clock of the run ends, where one is named. */
  constructor(until: Micros | undefined) {
    this.#until = until ?? 0;
  }

  /** A message of the market. */
  seen(data: MarketData, instruments: Instruments): void {
    const { instrument } = data;
    if (this.#heardAt.length === 0) this.#open(instruments.all.length);
    const silence = data.receiveTime - (this.#heardAt[instrument] as number);
    if (silence > (this.#silence[instrument] as number)) this.#silence[instrument] = silence;
    this.#heardAt[instrument] = data.receiveTime;
    if (data.kind === 'trades' && data.trades.length > 0) this.#trade(data, instruments);
  }

  #open(count: number): void {
    this.#heardAt = new Float64Array(count).fill(Number.NaN);
    this.#silence = new Float64Array(count);
    this.#price = new Float64Array(count).fill(Number.NaN);
    this.#printedAt = new Float64Array(count).fill(Number.NaN);
  }

  #trade(data: TradesPrinted, all: Instruments): void {
    const { instrument, trades } = data;
    const known = this.#days[instrument];
    const passed = known === undefined ? Number.NaN : data.receiveTime - known.begin;
    const day =
      known !== undefined && passed >= 0 && passed < dayMicros
        ? known
        : this.#dayOf(all.at(instrument), data.receiveTime);
    const isNear = data.receiveTime - (this.#printedAt[instrument] as number) < dayMicros;
    let before = isNear ? (this.#price[instrument] as number) : Number.NaN;
    let lots = 0;
    for (const { price, quantity } of trades) {
      lots += quantity;
      if (isLeap(before, price)) this.signs.leapt(all.at(instrument).symbol, data.receiveTime);
      before = price;
    }
    day.traded += lots;
    this.#price[instrument] = before;
    this.#printedAt[instrument] = data.receiveTime;
  }

  /** An execution of ours. */
  executed(instrument: Instrument, lots: Lots, time: Micros): void {
    this.#dayOf(instrument, time).own += lots;
  }

  #dayOf(instrument: Instrument, time: Micros): Day {
    const known = this.#days[instrument.id];
    if (known !== undefined) {
      const passed = time - known.begin;
      if (passed >= 0 && passed < dayMicros) return known;
      this.#close(instrument, known);
    }
    const begun = { begin: Math.floor(time / dayMicros) * dayMicros, traded: 0, own: 0 };
    this.#days[instrument.id] = begun;
    return begun;
  }

  #close(instrument: Instrument, { begin, traded, own }: Day): void {
    if (traded > 0) this.signs.hasVolume = true;
    if (own > 0) this.signs.took(instrument.symbol, own / traded, begin);
  }

  /** The data have ended. `isHeld` answers whether there is a position. */
  end(instruments: Instruments, isHeld: (instrument: Instrument) => boolean): void {
    const last = this.#heardAt.reduce((latest, at) => (at > latest ? at : latest), this.#until);
    for (const instrument of instruments.all) {
      const day = this.#days[instrument.id];
      if (day !== undefined) this.#close(instrument, day);
      this.#days[instrument.id] = undefined;
      const heardAt = this.#heardAt[instrument.id] ?? Number.NaN;
      if (Number.isNaN(heardAt) || !isHeld(instrument)) continue;
      if (last - heardAt > Math.max(silenceMin, 2 * (this.#silence[instrument.id] ?? 0)))
        this.signs.endedEarly(instrument.symbol, heardAt);
    }
  }
}
