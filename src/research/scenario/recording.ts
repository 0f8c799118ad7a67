import { BadInput } from '../../core/base/errors.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { Recording } from '../../data/recording/index.ts';
import { ownFormatOf } from '../../data/open/own-formats.ts';
import type { OpenOptions } from '../../data/formats/index.ts';
import { openData } from '../../data/open/market-data.ts';
import { assumedRates } from '../../data/formats/index.ts';
import { anyQuote, pairOf } from '../../core/model/pair.ts';
import type { InstrumentSpec, Instruments } from '../../core/model/instrument.ts';
import { stateDefaults } from '../../core/state/index.ts';
import { openIgnoringSequence } from './ignored-sequence.ts';
import type { LoadedScenario } from './load.ts';
import { notesBeside } from './recording-notes.ts';
import { pathBeside } from './read-text.ts';
import { withProducts } from './margin-setup.ts';
import { countOfSource, mergeSources } from './merged-sources.ts';
import type { Scenario } from './scenario.ts';
import type { InstrumentTerms } from './sources.ts';
import { partsOf } from './sources.ts';
import type { TickFeed, TickFeedSetup } from './tick-feed.ts';

/** The data of a scenario, opened as one recording. */
export interface ScenarioData {
  readonly recording: Recording;
  /** How many events at its beginning come from files that only build the market. */
  readonly prepared: number;
  /** The feed of the scenario, when it is held already: then the recording is not read again. */
  readonly feed?: TickFeed | undefined;
}

/** Opens all files of a scenario. Throws `BadInput` with file, finding and expectation. */
export async function openScenarioData(loaded: LoadedScenario): Promise<ScenarioData> {
  if (loaded.scenario.sources === undefined) return await openFiles(loaded, countEvents);
  const sources = [];
  for (const { scenario, file, venue } of partsOf(loaded)) {
    const symbol = scenario.instrument?.symbol;
    const count = async (one: Recording): Promise<number> => await countOfSource(one, symbol);
    const opened = await openFiles({ ...loaded, scenario, file }, count);
    sources.push({ ...opened, notes: notesBeside(opened.recording, scenario), venue, symbol });
  }
  return mergeSources(sources, loaded.file);
}

/** Files of one format; `count` says how many events of those to prepare are run. */
async function openFiles(
  loaded: LoadedScenario,
  count: (recording: Recording) => Promise<number>,
): Promise<ScenarioData> {
  const { scenario, file } = loaded;
  const { data, instrument } = scenario;
  const wrong = data.findIndex(({ role }, index) => role === 'prepare' && data[index - 1]?.role === 'run');
  if (wrong >= 0)
    throw new ConfigError(`${loaded.file}: data.${wrong}: expected files to prepare before those to run`);
  const paths = data.map(({ path }) => pathBeside(file, path));
  const preparing = data.filter(({ role }) => role === 'prepare').length;
  if (preparing === paths.length)
    throw new ConfigError(`${loaded.file}: data: expected a file to run, found none`);
  const specs = instrument === undefined ? undefined : await specsOf(loaded, instrument, paths);
  const recording = await open(scenario, paths, specs);
  const prepared =
    preparing === 0
      ? 0
      : await count(
          await open(
            scenario,
            paths.slice(0, preparing),
            recording.instruments.all.map(({ spec }) => spec),
          ),
        );
  return { recording, prepared };
}

/** How the data of a scenario becomes its feed; `candlesMax` as the state of the run keeps them. */
export function feedSetupOf(
  { scenario }: LoadedScenario,
  { recording, prepared }: ScenarioData,
  candlesMax = stateDefaults.candlesMax,
): TickFeedSetup {
  return {
    recording,
    prepared,
    start: scenario.clock.start,
    reorderMicros: scenario.import.reorder,
    snapshots: scenario.import.snapshots,
    candlesMax,
  };
}

async function open(
  { import: options, instrument }: Scenario,
  paths: readonly string[],
  instruments: readonly InstrumentSpec[] | undefined,
): Promise<Recording> {
  const { clockShift, tickers, sequence } = options;
  const given: OpenOptions = {
    // A run goes as far as the data do, and says where they end.
    partial: true,
    clockShift,
    tickers,
    ...(instruments === undefined ? {} : { instruments }),
    ...readingOf(options),
    ...(await namesFor(paths[0], instrument)),
  };
  if (sequence !== 'ignored') return await openData(paths, given);
  for (const path of paths) {
    const found = await ownFormatOf(path);
    if (found !== 'binance-raw')
      throw new BadInput(
        `${path}: import.sequence: ignored: expected raw lines of Binance, found ${found ?? 'another format'}`,
      );
  }
  return await openIgnoringSequence(paths, given);
}

/** How the files of a scenario are read, where it says so. */
export function readingOf(
  said: Scenario['import'],
): Pick<OpenOptions, 'format' | 'columns' | 'period' | 'stamp' | 'round' | 'skip' | 'bars'> {
  const { format, columns, period, stamp, round, skip, bars } = said;
  return {
    ...(format === undefined ? {} : { format }),
    ...(columns === undefined ? {} : { columns }),
    ...(period === undefined ? {} : { period }),
    ...(stamp === undefined ? {} : { stamp }),
    ...(round === undefined ? {} : { round }),
    ...(skip === undefined ? {} : { skip }),
    ...(bars === undefined ? {} : { bars }),
  };
}

/** Names that a reader of the data needs of its instrument; no more than its quote currency where it is of a format that names its own. */
export async function namesFor(
  path: string | undefined,
  instrument: InstrumentTerms | undefined,
): Promise<Pick<OpenOptions, 'symbol' | 'quote' | 'tick' | 'increment'>> {
  if (instrument === undefined) return {};
  const quote = quoteFor(instrument);
  const quoted = quote === undefined ? {} : { quote };
  const tellsItself = path !== undefined && (await ownFormatOf(path)) !== undefined;
  if (tellsItself) return quoted;
  const { symbol, tick, lot } = instrument;
  return {
    symbol,
    ...quoted,
    ...(tick === undefined ? {} : { tick }),
    ...(lot === undefined ? {} : { increment: lot }),
  };
}

/** The quote currency as the scenario says it: by name, or by the base that its symbol begins with. */
function quoteFor({ symbol, kind, base, quote }: InstrumentTerms): string | undefined {
  if (quote !== undefined || base === undefined || pairOf(symbol) !== undefined) return quote;
  // An inverse contract is settled in its base: whatever it is quoted in is not asked for.
  if (kind === 'inverse') return anyQuote;
  const rest = symbol.toUpperCase().startsWith(base.toUpperCase()) ? symbol.slice(base.length) : '';
  return /^[-_/]?[A-Za-z0-9]{2,12}$/.test(rest) ? rest.replace(/^[-_/]/, '') : undefined;
}

/** Specs: what the scenario says of its instrument, and the data of the rest. */
async function specsOf(
  { scenario, file }: LoadedScenario,
  instrument: InstrumentTerms,
  paths: readonly string[],
): Promise<readonly InstrumentSpec[]> {
  const whole = wholeSpec(instrument);
  const format = await ownFormatOf(paths[0] ?? '');
  // These pass over the frames of symbols that are not named: all of theirs are run, as where the spec is not whole.
  const keepsAll = format === 'capture-text' || format === 'frame-log';
  const specs =
    whole !== undefined && !keepsAll
      ? [whole]
      : mergedSpecs((await open(scenario, paths, undefined)).instruments, instrument, file);
  return specs.map((spec) =>
    spec.symbol === instrument.symbol ? withProducts(spec, instrument, scenario) : spec,
  );
}

/** The instruments of the data, one of them as the scenario says. Throws `ConfigError` when it is none of them. */
export function mergedSpecs(
  instruments: Instruments,
  instrument: InstrumentTerms,
  file: string,
): readonly InstrumentSpec[] {
  const known = instruments.find(instrument.symbol);
  if (known === undefined) {
    const names = instruments.all.map(({ symbol }) => symbol).join(', ');
    throw new ConfigError(
      `${file}: instrument.symbol: expected a symbol of the data (${names.slice(0, 200)}), found ${instrument.symbol}`,
    );
  }
  return instruments.all.map(({ spec }) => (spec === known.spec ? merged(spec, instrument) : spec));
}

/** The spec of an instrument that says everything itself. */
function wholeSpec(instrument: InstrumentTerms): InstrumentSpec | undefined {
  const { symbol, base, quote, tick, lot, fees } = instrument;
  const isWhole = base !== undefined && quote !== undefined && tick !== undefined && lot !== undefined;
  if (!isWhole || fees === undefined) return undefined;
  return merged(spotSpec({ symbol, base, quote, tick, lot, fees }), instrument);
}

/** Spec of a spot symbol from what a scenario says of it. */
export function spotSpec(said: {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly tick: string;
  readonly lot: string;
  /** Those of data that say nothing of fees when left out. */
  readonly fees?: { readonly taker: string; readonly maker: string } | undefined;
}): InstrumentSpec {
  const rates = said.fees ?? assumedRates;
  return {
    symbol: said.symbol,
    type: 'spot',
    baseCurrency: said.base,
    quoteCurrency: said.quote,
    feeCurrency: said.quote,
    tickSize: said.tick,
    quantityIncrement: said.lot,
    takeRate: rates.taker,
    makeRate: rates.maker,
    ...(said.fees === undefined ? { feesAssumed: true } : {}),
    status: 'working',
    marginTrading: false,
  };
}

/**
 * Without futures among the products perpetuals are spot symbols to the order controls; their account makes the difference. An
 * inverse one has for a base what is counted, contracts, and for a quote what it settles in.
 */
function merged(spec: InstrumentSpec, instrument: InstrumentTerms): InstrumentSpec {
  const { symbol, kind, base = spec.baseCurrency, quote, contract, tick, lot, fees } = instrument;
  const isInverse = kind === 'inverse';
  const { feesAssumed: _, ...named } = spec;
  return {
    ...(fees === undefined ? spec : named),
    ...(contract === undefined ? {} : { contractSize: contract }),
    ...(isInverse
      ? { inverse: true, baseCurrency: symbol, quoteCurrency: base, feeCurrency: base }
      : {
          baseCurrency: base,
          quoteCurrency: quote ?? spec.quoteCurrency,
          feeCurrency: quote ?? spec.feeCurrency,
        }),
    tickSize: tick ?? spec.tickSize,
    quantityIncrement: lot ?? spec.quantityIncrement,
    makeRate: fees?.maker ?? spec.makeRate,
    takeRate: fees?.taker ?? spec.takeRate,
  };
}

async function countEvents(recording: Recording): Promise<number> {
  let count = 0;
  for await (const batch of recording.events()) count += batch.length;
  return count;
}
