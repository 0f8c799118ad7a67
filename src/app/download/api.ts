import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { formatAmount } from '../../core/base/amount.ts';
import type { Clock, Micros } from '../../core/base/clock.ts';
import { microsPerMilli, seconds, timeText } from '../../core/base/clock.ts';
import { NotFound } from '../../core/base/errors.ts';
import { pause } from '../../core/base/pause.ts';
import type { InstrumentSpec } from '../../core/model/instrument.ts';
import { endOfBar } from '../../sim/fill-models/bars/period.ts';
import type { GodwitClient } from '../../venues/hitbtc/typed/index.ts';
import { CallFailed } from '../../venues/hitbtc/typed/index.ts';
import { historyRows, timePosition } from '../../venues/hitbtc/typed/calls/index.ts';
import type { PageAsked } from '../../venues/hitbtc/typed/calls/index.ts';
import type { ApiPeriodName } from './catalog.ts';
import { apiPeriods } from './catalog.ts';
import type { TimeSpan, Unit } from './folder.ts';
import { daysOf, monthsOf, within } from './folder.ts';
import type { DownloadJob, Ended } from './job.ts';
import { checkedFile } from './job.ts';
import type { Packed } from './pack.ts';
import type { Pace } from './pace.ts';
import type { PartRow } from './part-rows.ts';
import { PartRows, writing } from './part-rows.ts';
import { bytesText } from './progress.ts';

/** A download over the API. */
export interface ApiJob extends DownloadJob {
  readonly client: GodwitClient;
  /** Turns of calls, where a person asks for fewer than the venue allows. */
  readonly pace: Pace | undefined;
  readonly clock: Clock;
  readonly host: string;
  readonly now: Micros;
}

/**
 * Downloads the history of one symbol page by page: days of trades as packs, months of candles and values as CSV. Pages are written behind
 * one another as they come, so that a download that was stopped goes on behind the last one. Throws `NotFound` when the venue has no such
 * symbol. Source: API v3, "Market data" and "Pagination parameters"; v3-gaps, section 4.
 */
export async function downloadFromApi(job: ApiJob): Promise<Ended> {
  try {
    const spec = await specOf(job);
    const units = job.keptAs === 'pack' ? daysOf(job.span) : monthsOf(job.span);
    job.progress.expect(units.length);
    for (const unit of units) await downloadUnit(job, spec, unit);
    return undefined;
  } catch (error) {
    if (error instanceof Unanswered) return error.message;
    throw error;
  }
}

/** A call gave nothing, and will give nothing soon. */
class Unanswered extends Error {}

async function downloadUnit(job: ApiJob, spec: InstrumentSpec, unit: Unit): Promise<void> {
  const { folder, progress, keptAs } = job;
  const wanted = within(job.span, unit);
  const file = `${job.symbol}-${job.period === undefined ? job.kind : `${job.kind === 'klines' ? '' : `${job.kind}-`}${job.period}`}-${unit.name}`;
  const held = folder.holding(wanted);
  if (held !== undefined) {
    progress.done(held.entry.file, 'is there already');
    return;
  }
  const csv = folder.pathOf(`${file}.csv`);
  const kept = keptAs === 'pack' ? folder.pathOf(`${file}.pack`) : csv;
  const before = folder.touching(unit).find(({ path }) => path === kept);
  // A file that begins early enough goes on behind its end; another one is made anew, of the span of both.
  const goesOn = before !== undefined && keptAs === 'file' && before.from <= wanted.from;
  const span: TimeSpan = before === undefined ? wanted : hullOf(before, wanted);
  const part = `${csv}.${span.from / 1_000_000}.part`;
  if (goesOn && !existsSync(part)) copyFileSync(csv, part);
  const rows = new PartRows(part);
  const stop = await fetchRows(job, spec, { span, rows, name: file });
  if (rows.last === undefined) {
    rmSync(part, { force: true });
    if (stop !== undefined) throw stop;
    folder.miss(span, `${job.host} has no ${job.kind} of it`);
    progress.done(file, `missing: ${job.host} has no ${job.kind} of it`);
    return;
  }
  // What came before a stop is kept as it can be read, and as it can be gone on with.
  writing(csv, () => (stop === undefined ? renameSync(part, csv) : copyFileSync(part, csv)));
  const packed: Packed =
    keptAs === 'pack'
      ? await job.packs.pack(csv, kept, spec)
      : { rows: rows.count, partial: (await checkedFile(job, csv)).partial };
  if (keptAs === 'pack') rmSync(csv, { force: true });
  const name = kept.slice(folder.path.length + 1);
  const partial = stop === undefined ? packed.partial : `it ends at ${timeText(rows.last)}: ${stop.message}`;
  const [from, to] = [timeText(span.from), timeText(span.to)];
  folder.put({ file: name, from, to, rows: packed.rows, ...(partial === undefined ? {} : { partial }) });
  progress.done(name, partial ?? `${packed.rows} rows, ${bytesText(statSync(kept).size)}`);
  if (stop !== undefined) throw stop;
}

function hullOf(one: TimeSpan, other: TimeSpan): TimeSpan {
  return {
    from: Math.min(one.from, other.from) as Micros,
    to: Math.max(one.to, other.to) as Micros,
  };
}

interface RowsWanted {
  readonly span: TimeSpan;
  readonly rows: PartRows;
  /** Name in the progress. */
  readonly name: string;
}

/** Writes what is lacking of a span behind what is there of it. Returns why the rest could not be had, if it could not. */
async function fetchRows(
  job: ApiJob,
  spec: InstrumentSpec,
  { span, rows, name }: RowsWanted,
): Promise<Unanswered | undefined> {
  const source = sourceOf(job, spec);
  rows.open(source.header);
  try {
    for await (const row of source.rows({ from: rows.last ?? span.from, to: span.to }))
      if (row.time >= span.from && row.time < span.to && rows.add(row))
        job.progress.working(name, 'rows', rows.count);
    return undefined;
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    return error;
  } finally {
    rows.flush();
  }
}

/** Kinds of candles of values that are not traded. */
type FuturesSeriesKind = 'markPrice' | 'indexPrice' | 'premiumIndex' | 'openInterest';

interface RowSource {
  readonly header: string;
  readonly rows: (span: TimeSpan) => AsyncGenerator<PartRow, void, undefined>;
}

/** Rates are of eight hours. Source: v3-gaps, section 4.5. */
const fundingHours = '8';

const candleHeader = 'time,open,high,low,close';

/** Source of the rows of a kind. A line has the time first, then what tells rows of one time apart. */
function sourceOf(job: ApiJob, spec: InstrumentSpec): RowSource {
  const { client, symbol, kind, signal } = job;
  const market = client.v3.marketData;
  const period = apiPeriods[(job.period ?? '1m') as ApiPeriodName];
  const options = { signal };
  switch (kind) {
    case 'trades':
      return {
        header: 'time,id,price,quantity,side',
        rows: (span) =>
          paged(job, span, {
            fetch: (page) => market.tradesOf({ symbol, by: 'timestamp', ...page }, options),
            row: ({ id, price, quantity, side, timestamp }) => ({
              time: timestamp,
              id,
              line: `${timeText(timestamp)},${id},${formatAmount(price)},${formatAmount(quantity)},${side}`,
            }),
          }),
      };
    case 'klines':
      return {
        header: `${candleHeader},volume,volume_quote`,
        rows: (span) =>
          paged(job, span, {
            fetch: (page) => market.candlesOf({ symbol, period, ...page }, options),
            row: ({ timestamp, open, max, min, close, volume, volumeQuote }) => {
              const values = [open, max, min, close, volume, volumeQuote].map(formatAmount);
              return candleRow(job, timestamp, period, values);
            },
          }),
      };
    case 'funding':
      return {
        header: 'calc_time,funding_interval_hours,last_funding_rate',
        rows: (span) =>
          paged(job, span, {
            fetch: (page) => market.futures.fundingHistoryOf({ symbol, ...page }, options),
            row: ({ time, fundingRate }) => {
              const line = `${time / microsPerMilli},${fundingHours},${formatAmount(fundingRate)}`;
              return { time, id: fundingHours, line };
            },
          }),
      };
    case 'prices':
      return { header: candleHeader, rows: (span) => priceRows(job, spec, span) };
    default: {
      const { futures } = market;
      const series = `${kind as FuturesSeriesKind}CandlesOf` as const;
      return {
        header: candleHeader,
        rows: (span) =>
          paged(job, span, {
            fetch: (page) => futures[series]({ symbol, period, ...page }, options),
            row: ({ time, open, max, min, close }) =>
              candleRow(job, time, period, [open, max, min, close].map(formatAmount)),
          }),
      };
    }
  }
}

/** A candle; one that is not over yet is none. */
function candleRow(
  { now }: ApiJob,
  time: Micros,
  period: (typeof apiPeriods)[ApiPeriodName],
  values: readonly string[],
): PartRow | undefined {
  if (endOfBar({ period, time }) > now) return undefined;
  return { time, id: values[0] ?? '', line: [timeText(time), ...values].join(',') };
}

interface Pages<Row> {
  readonly fetch: (page: PageAsked & { readonly till: string }) => Promise<readonly Row[]>;
  readonly row: (row: Row) => PartRow | undefined;
}

/** Rows of a span, oldest first, page by page, as far as the documents let pages go. */
async function* paged<Row>(
  job: ApiJob,
  { from, to }: TimeSpan,
  { fetch, row }: Pages<Row>,
): AsyncGenerator<PartRow, void, undefined> {
  const read = historyRows<PartRow | undefined>({
    fetch: async (page) => {
      const rows = await patient(job, () => fetch({ from: timeText(from), ...page, till: timeText(to) }));
      return rows.map(row);
    },
    position: (one) => timePosition(one?.time ?? to),
    identity: (one) => (one === undefined ? '' : `${one.time} ${one.id}`),
  });
  for await (const one of read) if (one !== undefined) yield one;
}

const historyRowsMax = 1_000;

/** Rates of the base currency in the quote currency: pages go by time alone. Source: API v3, GET /api/3/public/price/history. */
async function* priceRows(
  job: ApiJob,
  { baseCurrency, quoteCurrency }: InstrumentSpec,
  { from, to }: TimeSpan,
): AsyncGenerator<PartRow, void, undefined> {
  const period = apiPeriods[(job.period ?? '1m') as ApiPeriodName];
  let since = from;
  for (;;) {
    const asked = {
      from: baseCurrency,
      to: quoteCurrency,
      period,
      sort: 'ASC',
      limit: historyRowsMax,
    } as const;
    const answer = await patient(job, () =>
      job.client.v3.marketData.priceHistory(
        { ...asked, since: timeText(since), until: timeText(to) },
        { signal: job.signal },
      ),
    );
    const bars = answer[0]?.history ?? [];
    for (const { time, open, max, min, close } of bars) {
      const row = candleRow(job, time, period, [open, max, min, close].map(formatAmount));
      if (row !== undefined && time >= since) yield row;
    }
    const last = bars.at(-1);
    if (last === undefined || bars.length < historyRowsMax || last.time < since) return;
    since = (last.time + microsPerMilli) as Micros;
  }
}

const attemptsMax = 5;
const waitMax = seconds(900);

/** A call that is repeated after silence, and after the pause that the venue asks for. Rejects with `Unanswered`. */
async function patient<Value>(job: ApiJob, call: () => Promise<Value>): Promise<Value> {
  const { clock, signal, host, progress } = job;
  let waited = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      const value = await (job.pace === undefined ? call() : job.pace.run(signal, call));
      if (value === undefined) throw new Unanswered('it was stopped');
      return value;
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      const { failure } = error;
      if (signal.aborted) throw new Unanswered('it was stopped');
      const { kind, status, retryAfterMs } = failure;
      if (status === 418) throw new Unanswered(`${host} has banned this address (418)`);
      if (status === 451) throw new Unanswered(`${host} does not serve this region (451)`);
      const delay = retryAfterMs === undefined ? seconds(2 ** (attempt - 1)) : retryAfterMs * 1_000;
      waited += delay;
      const mayPass = kind === 'limited' || kind === 'unknown' || kind === 'unsent';
      if (!mayPass || attempt >= attemptsMax || waited > waitMax) throw notAnswered(job, failure);
      if (kind === 'limited')
        progress.tell(`${host} answered 429 (too many requests): waiting ${Math.ceil(delay / 1e6)} s`);
      await pause(clock, delay as Micros, signal);
    }
  }
}

/** "Symbol not found". Source: API v3, "Error codes". */
const noSuchSymbol = 2_001;

function notAnswered({ host, symbol }: ApiJob, failure: CallFailed['failure']): Error {
  if (failure.kind === 'refused' && failure.code === noSuchSymbol)
    return new NotFound(`expected a symbol that ${host} has, found ${symbol}`);
  const { message, description, status } = failure;
  const words = description === undefined ? message : `${message}: ${description}`;
  return new Unanswered(`${host} gave no answer: ${words}${status === 0 ? '' : ` (HTTP ${status})`}`);
}

async function specOf(job: ApiJob): Promise<InstrumentSpec> {
  const { client, symbol, signal } = job;
  const found = await patient(job, () => client.v3.marketData.symbol({ symbol }, { signal }));
  const { type, tickSize, quantityIncrement, takeRate, makeRate } = found;
  const base = found.baseCurrency ?? found.underlying ?? symbol;
  return {
    symbol,
    type: type === 'futures' ? 'futures' : 'spot',
    baseCurrency: base,
    quoteCurrency: found.quoteCurrency,
    feeCurrency: found.feeCurrency,
    tickSize: formatAmount(tickSize),
    quantityIncrement: formatAmount(quantityIncrement),
    takeRate: formatAmount(takeRate),
    makeRate: formatAmount(makeRate),
    status: 'working',
    marginTrading: found.marginTrading,
  };
}
