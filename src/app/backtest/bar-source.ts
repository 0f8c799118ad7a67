import { dirname, resolve } from 'node:path';
import type { Micros } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import { ConfigError } from '../../core/config/error.ts';
import { pairOrShareIn } from '../../core/model/pair.ts';
import type { Recording } from '../../data/recording/index.ts';
import { openData } from '../../data/open/market-data.ts';
import type { CandlesChanged, Event } from '../../core/model/event.ts';
import type { InstrumentSpec } from '../../core/model/instrument.ts';
import {
  CandleHistory,
  scenarioLatency,
  mergeSources,
  notesBeside,
  mergedSpecs,
  namesFor,
  readingOf,
  spotSpec,
  partsOf,
} from '../../research/scenario/index.ts';
import type { EventExtent, OpenSource, Scenario } from '../../research/scenario/index.ts';
import { endsWithTrade } from '../../core/model/bar-spec.ts';
import { joinsInto } from '../../core/model/candle-period.ts';
import type { BarSpec } from '../../core/model/market.ts';
import type { BarRules } from '../../sim/fill-models/bars/index.ts';
import type { LoadedStrategy } from '../run/strategy-plans.ts';
import { endOfBar } from '../../sim/fill-models/bars/period.ts';

/** Opens the data of a scenario on bars; what it says of its instruments counts. */
export async function openBarData(scenario: Scenario, file: string): Promise<Recording> {
  if (scenario.sources === undefined) return await openBarFiles(scenario, file);
  const sources: OpenSource[] = [];
  for (const part of partsOf({ scenario, file })) {
    const recording = await openBarFiles(part.scenario, part.file);
    const notes = notesBeside(recording, part.scenario);
    const symbol = part.scenario.instrument?.symbol;
    sources.push({ recording, notes, prepared: 0, venue: part.venue, symbol });
  }
  return mergeSources(sources, file).recording;
}

async function openBarFiles(scenario: Scenario, file: string): Promise<Recording> {
  const folder = dirname(file);
  const { data, instrument } = scenario;
  const paths = data.map(({ path }) => resolve(folder, path));
  const names = { ...readingOf(scenario.import), ...(await namesFor(paths[0], instrument)) };
  // A run goes as far as the data do, and says where they end.
  const open = (instruments?: readonly InstrumentSpec[]): Promise<Recording> =>
    openData(paths, { partial: true, ...names, ...(instruments === undefined ? {} : { instruments }) });
  const spec = specOf(instrument, names.quote);
  if (spec !== undefined) return await open([spec]);
  const recording = await open();
  return instrument === undefined
    ? recording
    : await open(mergedSpecs(recording.instruments, instrument, file));
}

/** The instrument of the scenario, when the scenario has everything that bar data lacks. */
function specOf(instrument: Scenario['instrument'], said: string | undefined): InstrumentSpec | undefined {
  if (instrument?.tick === undefined || instrument.lot === undefined) return undefined;
  const { symbol, contract, tick, lot, fees } = instrument;
  const pair = pairOrShareIn(symbol, said);
  const { base = pair.base, quote = pair.quote } = instrument;
  // The account of the fill model decides how it is settled; the order controls know spot symbols only.
  const spec = spotSpec({ symbol, base, quote, tick, lot, fees });
  return contract === undefined ? spec : { ...spec, contractSize: contract };
}

interface BarSpanOptions {
  /** Bars that begin, and trades that happen, before it are left out; such bars are history then. */
  readonly start: number;
  /** The same for those at or after it. */
  readonly end: number;
  /** Bars of history kept for each instrument. */
  readonly historyMax: number;
}

/** A span of time of a recording of bars, and what closed before it. */
export class BarSpan {
  readonly #batches: AsyncIterable<readonly Event[]>;
  readonly #start: number;
  readonly #end: number;
  readonly #before: CandleHistory;

  constructor(batches: AsyncIterable<readonly Event[]>, { start, end, historyMax }: BarSpanOptions) {
    this.#batches = batches;
    this.#start = start;
    this.#end = end;
    this.#before = new CandleHistory(historyMax);
  }

  /** Bars that had ended by `time`, as history of then. They are known once the first of `events` is. */
  history(time: Micros): readonly CandlesChanged[] {
    return this.#before.events(time, (candle) => endOfBar(candle) <= time);
  }

  /** Events in the span. */
  async *events(): AsyncGenerator<readonly Event[], void, undefined> {
    for await (const batch of this.#batches) {
      const wanted: Event[] = [];
      let isBehind = batch.length > 0;
      for (const event of batch) {
        const time = barTimeOf(event);
        if (time < this.#end) isBehind = false;
        if (time >= this.#start && time < this.#end) wanted.push(event);
        else if (time < this.#start && event.kind === 'candles')
          for (const candle of event.candles) this.#before.put(candle);
      }
      if (wanted.length > 0) yield wanted;
      // Data comes in the order of time: once all of a batch is too late, so is the rest.
      if (isBehind) return;
    }
  }
}

/** The part of a span that a bar or a trade takes: a bar from its begin to its end. */
export const barTimes: EventExtent = {
  beginOf: barTimeOf,
  endOf(event) {
    const last = event.kind === 'candles' ? event.candles.at(-1) : undefined;
    return last === undefined ? ((event.exchangeTime + 1) as Micros) : endOfBar(last);
  },
};

/** The time of an event by which the clock of a scenario on bars takes it or leaves it: of a bar, when it begins. */
function barTimeOf(event: Event): Micros {
  return event.kind === 'candles' ? (event.candles[0]?.time ?? event.exchangeTime) : event.exchangeTime;
}

/** Refuses what a run on bars would not heed: better refused than left out in silence. Throws `ConfigError` naming `file`. */
export function checkBarScenario(scenario: Scenario, file: string): void {
  refuseUnheeded(scenario, file);
  if (scenario.sources === undefined) return;
  for (const part of partsOf({ scenario, file })) {
    refuseUnheeded(part.scenario, part.file);
    if (part.venue !== undefined)
      throw new ConfigError(
        `${part.file}.venue: expected none with fills: {model: bars}, because a run on bars has one account`,
      );
  }
}

function refuseUnheeded(scenario: Scenario, file: string): void {
  const refusal = refusals.find(({ isSaid }) => isSaid(scenario));
  if (refusal !== undefined) throw new ConfigError(`${file}: ${refusal.why}`);
}

interface Refusal {
  readonly isSaid: (scenario: Scenario) => boolean;
  readonly why: string;
}

const noLatency = JSON.stringify(scenarioLatency.parse({}));

const refusals: readonly Refusal[] = [
  {
    isSaid: ({ data }) => data.some(({ role }) => role === 'prepare'),
    why: 'data.role: expected clock.start in place of prepare, because bars that end before the start are history',
  },
  {
    isSaid: ({ outages }) => outages.length > 0,
    why: 'expected no outages, because bars know no latency and no sessions',
  },
  {
    isSaid: ({ latency }) => JSON.stringify(latency) !== noLatency,
    why: 'expected no latency, because a bar says nothing of milliseconds',
  },
  {
    isSaid: ({ fills }) => fills.model === 'bars' && fills.missing === 'flat' && fills.market === 'open',
    why: 'fills.missing: expected leave with market: open, which tells of no bar before the next one opens; nextOpen and close tell of flat ones',
  },
  {
    isSaid: ({ instrument }) => instrument?.leverage !== undefined,
    why: 'instrument.leverage: expected it in fills.account of a run on bars',
  },
  {
    isSaid: ({ instrument }) => instrument?.funding !== undefined,
    why: 'instrument.funding: expected it in fills.account of a run on bars',
  },
  {
    isSaid: ({ instrument }) => instrument?.liquidation !== undefined,
    why: 'instrument.liquidation: expected it in fills.account of a run on bars',
  },
  {
    isSaid: ({ instrument }) => instrument?.fees !== undefined && hasMoreThanRates(instrument.fees),
    why: 'instrument.fees: expected maker and taker only, because a run on bars has the rest in fills.fees',
  },
  {
    isSaid: ({ instrument }) => instrument?.kind === 'inverse',
    why: 'instrument.kind: inverse: expected data with books and fills: {model: queue} with it, because bars settle in quote currency',
  },
  {
    isSaid: ({ instrument }) =>
      instrument?.contract !== undefined && (instrument.tick === undefined || instrument.lot === undefined),
    why: 'instrument.contract: expected tick and lot with it, for data of bars',
  },
];

function hasMoreThanRates({
  tiers,
  fixed,
  perUnit,
}: NonNullable<NonNullable<Scenario['instrument']>['fees']>) {
  return tiers.length > 0 || fixed !== undefined || perUnit !== undefined;
}

/**
 * Throws `BadInput` when a strategy asks for candles that the bars of the data neither are nor make, and when missing bars are asked for
 * that have no time to be missing at. `kind`: of the bars; `undefined` of trades, which make all.
 */
export function checkKinds(
  loaded: readonly LoadedStrategy[],
  kind: BarSpec | undefined,
  { missing }: BarRules,
): void {
  if (kind === undefined) return;
  for (const { plan, feeds } of loaded)
    for (const { symbol, candles = [] } of feeds)
      for (const asked of candles)
        if (asked !== kind && !joinsInto(kind, asked))
          throw new BadInput(
            `strategy ${plan.name} asks for candles ${asked} of ${symbol}: expected bars of ${asked}, ${othersThatMake(asked)}, found bars of ${kind}`,
          );
  if (missing === 'flat' && endsWithTrade(kind))
    throw new BadInput(
      `fills.missing: flat: expected bars that end with a time, found bars of ${kind}, of which none can be missing`,
    );
}

function othersThatMake(asked: BarSpec): string {
  return endsWithTrade(asked) ? 'or trades' : 'or shorter ones that make whole ones';
}
