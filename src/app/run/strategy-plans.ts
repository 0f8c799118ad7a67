import type { Clock } from '../../core/base/clock.ts';
import { BadInput, GodwitError } from '../../core/base/errors.ts';
import type { Config } from '../config/schema.ts';
import { strategyTag } from '../../core/model/client-order-id.ts';
import type { Event } from '../../core/model/event.ts';
import type { Instrument, Instruments } from '../../core/model/instrument.ts';
import type { Product } from '../../core/model/product.ts';
import { productOf } from '../../core/model/product.ts';
import type { SeriesDeclaration } from '../../core/model/event.ts';
import type { StateOptions, StateView } from '../../core/state/index.ts';
import {
  CutSizes,
  DeclaredFeeds,
  launchWorker,
  loadTimeOf,
  plainFeed,
  hashStrategy,
  loadStrategy,
  paramsSchemaText,
  readFeeds,
  readParams,
  readProducts,
  readSeriesRequests,
  ProgramHost,
  ThreadHost,
  WorkerHost,
} from '../../core/strategy/framework.ts';
import type {
  StrategyDefinition,
  FeedRequest,
  HostSetting,
  KeptState,
  ProgramPort,
  StrategyHost,
} from '../../core/strategy/framework.ts';
import type { HostOpening, StrategyPlan } from '../../core/trader/index.ts';
import { hashOf } from './hashes.ts';
import type { KeptStates } from './kept-states.ts';
import { isProgram, productsOfProgram } from './programs.ts';
import { StrategyErrors, IsolatedHost } from './isolated-host.ts';

type StrategyConfig = Config['strategies'][number];

/** A strategy that was loaded and checked, and what it wants to hear. */
export interface LoadedStrategy {
  readonly plan: StrategyPlan;
  readonly feeds: readonly FeedRequest[];
  readonly series: readonly SeriesDeclaration[];
  readonly products: readonly Product[];
  /** The JSON Schema of its parameters, as JSON text. */
  readonly paramsSchema: string;
  /** Sizes that it rounded down to nothing so far in the run. */
  readonly cuts: CutSizes;
  readonly sha256: string;
  /**
   * The same code with other parameters, or other code where `path` names it, to be opened in its place. Throws `BadInput` when they
   * are not as they must be, or change what the strategy follows or trades, which the run cannot change.
   */
  again(params: StrategyConfig['params'], path?: string): Promise<LoadedStrategy>;
  /** Lets go of what was loaded and will not be opened. */
  discard(): Promise<void>;
}

/** Strategies for the head of a report: the name of each, and a hash of its files. */
export function strategiesText(loaded: readonly LoadedStrategy[]): string {
  return loaded.map(({ plan, sha256 }) => `${plan.name} ${sha256.slice(0, 16)}`).join(', ');
}

export interface PlanSetting {
  /** The core's clock. */
  readonly clock: Clock;
  /** For strategies in threads of their own: the real clock, and how their events enter the run. */
  readonly outside?:
    | { readonly clock: Clock; voice(publish: (event: Event) => void): (event: Event) => void }
    | undefined;
  readonly instruments: Instruments;
  readonly stateOptions: StateOptions;
  readonly seed: number;
  readonly idPrefix: string;
  readonly run: string;
  /**
   * Overrides what the configuration says. `thread`: a backtest runs everything in line. `recorded`: of a strategy
   * that ran in a worker, a replay has the words already.
   */
  readonly host?: 'thread' | 'recorded' | undefined;
  readonly kept?: KeptStates | undefined;
  /** Place at which programs are served; none when left out. */
  readonly programs?: ProgramPort | undefined;
  /** Launches a strategy in a worker; alone in one when left out. */
  readonly launch?: typeof launchWorker | undefined;
  /** Takes a sentence on a strategy that needs a second attempt to load. */
  readonly late?: ((line: string) => void) | undefined;
}

/** State of a strategy from its first host in the run to its last: what it keeps, and what is counted of it. */
interface KeptLast {
  state: KeptState | undefined;
  readonly cuts: CutSizes;
}

/** Loads one strategy. Throws `BadInput` (one sentence) when it is not as it must be, `StrategyLate` when it takes too long. */
export async function loadOne(
  config: StrategyConfig,
  setting: PlanSetting,
  last: KeptLast = { state: setting.kept?.read(config.name), cuts: new CutSizes() },
): Promise<LoadedStrategy> {
  if (isProgram(config)) return loadProgram(config, setting);
  const tag = strategyTag(config.name);
  const { seed, idPrefix, run, clock, kept } = setting;
  const common = {
    seed,
    idPrefix,
    run,
    tag,
    name: config.name,
    clock,
    kept: last.state,
    cuts: last.cuts,
    keep: (state) => {
      kept?.write(config.name, state);
      last.state = state;
    },
  } satisfies Omit<HostSetting, 'publish'>;
  const base = { name: config.name, tag, limits: config.limits };
  if ((setting.host ?? config.host) === 'worker') return openWorker(config, setting, { base, common, last });
  const { outside } = setting;
  const errors = new StrategyErrors(config.name);
  const load = (): Promise<LoadedHere> => loadHere(config, setting.instruments);
  const { definition, ...declared } = await (outside === undefined ? load() : errors.within(load));
  const loaded = {
    ...declared,
    cuts: last.cuts,
    sha256: hashStrategy(config.path),
    again: (params: StrategyConfig['params'], path = config.path) =>
      loadAgain(declared, { before: config, params, path }, { setting, last }),
    discard: () => Promise.resolve(),
  };
  if (setting.host === 'recorded' && config.host === 'worker')
    return {
      ...loaded,
      plan: { ...base, open: () => new RecordedHost(config.name, declared.feeds, declared.products) },
    };
  const open = (parts: Pick<HostSetting, 'clock' | 'publish'>, state: StateView): StrategyHost =>
    new ThreadHost({ ...common, ...parts, kept: last.state, definition, params: config.params, state });
  return {
    ...loaded,
    plan: {
      ...base,
      open: ({ state, publish }) =>
        outside === undefined
          ? open({ clock, publish }, state)
          : new IsolatedHost({
              errors,
              run,
              open: (entry) => open(entry, state),
              clock,
              publish,
              outside: { clock: outside.clock, publish: outside.voice(publish) },
            }),
    },
  };
}

/** A program as a strategy: it follows the books of its symbols, and what it asks for comes by `setting.programs`. */
function loadProgram(config: StrategyConfig, setting: PlanSetting): LoadedStrategy {
  const { name, limits, params } = config;
  const { clock, instruments, outside, idPrefix, run } = setting;
  const tag = strategyTag(name);
  const symbols = (limits.symbols ?? []).toSorted();
  const unlisted = symbols.find((symbol) => instruments.find(symbol) === undefined);
  if (unlisted !== undefined)
    throw new BadInput(
      `program ${name}: expected symbols that the venue lists, found ${unlisted}; ${instruments.listed()}`,
    );
  const feeds = symbols.map((symbol) => ({ symbol, book: true, trades: true }));
  const products = productsOfProgram(config);
  const untraded = symbols.find((symbol) => !isTradedAs(instruments.get(symbol), products));
  if (untraded !== undefined)
    throw new BadInput(
      `program ${name}: expected symbols that ${products.join(' or ')} trades, found ${untraded}`,
    );
  const open = ({ state, publish, fundsOf }: HostOpening): StrategyHost => {
    if (setting.host === 'recorded') return new RecordedHost(name, feeds, products);
    const entry =
      outside === undefined ? { clock, publish } : { clock: outside.clock, publish: outside.voice(publish) };
    const funds = (currency: string): ReturnType<typeof fundsOf> => fundsOf(name, currency);
    const host = new ProgramHost({ ...entry, name, tag, feeds, products, state, funds, idPrefix, run });
    setting.programs?.opened(host);
    return host;
  };
  return {
    plan: { name, tag, limits, open },
    feeds,
    series: [],
    products,
    paramsSchema: '{}',
    cuts: new CutSizes(),
    sha256: hashOf({ symbols, ...params }),
    again: (other) => {
      if (JSON.stringify(other) !== JSON.stringify(params))
        return Promise.reject(
          new BadInput(`program ${name} has no params: its settings are those of programs`),
        );
      return Promise.resolve(loadProgram(config, setting));
    },
    discard: () => Promise.resolve(),
  };
}

/** Whether one of the products has orders of the symbol. */
function isTradedAs(instrument: Instrument, products: readonly Product[]): boolean {
  return [undefined, instrument].some((margin) => products.includes(productOf(instrument, margin)));
}

interface Again {
  readonly before: StrategyConfig;
  readonly params: StrategyConfig['params'];
  readonly path: string;
}

async function loadAgain(
  declared: Pick<LoadedStrategy, 'feeds' | 'series' | 'products'>,
  { before, params, path }: Again,
  { setting, last }: { readonly setting: PlanSetting; readonly last: KeptLast },
): Promise<LoadedStrategy> {
  const { name } = before;
  const isOther = path !== before.path;
  // What code of another file has kept means nothing to this one.
  const loaded = await loadOne(
    { ...before, params, path },
    setting,
    isOther ? { state: undefined, cuts: last.cuts } : last,
  );
  if (declaredText(loaded) !== declaredText(declared)) {
    await loaded.discard();
    throw new BadInput(
      `strategy ${name}: these params change which feeds it follows or what it trades: set them in the configuration and start the daemon again`,
    );
  }
  if (!isOther) return loaded;
  const open = (parts: HostOpening): StrategyHost => {
    setting.kept?.forget(name);
    return loaded.plan.open(parts);
  };
  return { ...loaded, plan: { ...loaded.plan, open } };
}

/** The feeds, series and products that a strategy declares, as text that is equal where they are. */
export function declaredText({
  feeds,
  series,
  products,
}: Pick<LoadedStrategy, 'feeds' | 'series' | 'products'>): string {
  const rows = feeds.map((feed) => JSON.stringify(plainFeed(feed)));
  const followed = series.map((one) => JSON.stringify(one));
  return [...rows.toSorted(), ...followed.toSorted(), ...products.toSorted()].join('\n');
}

interface LoadedHere extends Pick<LoadedStrategy, 'feeds' | 'series' | 'products' | 'paramsSchema'> {
  readonly definition: StrategyDefinition;
}

async function loadHere(
  { name, path, params }: StrategyConfig,
  instruments: Instruments,
): Promise<LoadedHere> {
  const definition = await loadStrategy(path, name);
  const feeds = feedsOf(definition, { name, params, instruments });
  const read = readParams(definition, params);
  const series = readSeriesRequests(definition, read);
  const products = readProducts(definition, read);
  return { definition, feeds, series, products, paramsSchema: paramsSchemaText(definition) };
}

/** Feeds that a strategy with these parameters wants. Throws `BadInput` when a run of these instruments has it not. */
export function feedsOf(
  definition: StrategyDefinition,
  { name, params, instruments }: { name: string; params: unknown; instruments: Instruments },
): readonly FeedRequest[] {
  const read = readParams(definition, params);
  const feeds = readFeeds(definition, read);
  return new DeclaredFeeds(name, feeds, readSeriesRequests(definition, read), instruments).requests;
}

interface Shared {
  readonly base: Omit<StrategyPlan, 'open'>;
  readonly common: Omit<HostSetting, 'publish'>;
  readonly last: KeptLast;
}

async function openWorker(
  config: StrategyConfig,
  setting: PlanSetting,
  { base, common, last }: Shared,
): Promise<LoadedStrategy> {
  const { instruments, outside } = setting;
  const clock = outside?.clock ?? setting.clock;
  const launch = setting.launch ?? launchWorker;
  // Loaded again it leaves its group: the others go on as they are.
  const alone = { ...setting, launch: undefined };
  const worker = await launch({
    ...common,
    clock,
    path: config.path,
    trust: config.trust,
    params: config.params,
    loadTimeout: loadTimeOf(config.loadMs),
    late: setting.late,
    specs: instruments.all.map((instrument) => instrument.spec),
    stateOptions: setting.stateOptions,
  });
  const { feeds, series, products, paramsSchema, sha256 } = worker;
  return {
    feeds,
    series,
    products,
    paramsSchema,
    cuts: last.cuts,
    sha256,
    again: (params, path = config.path) => {
      // A replay knows the code that the run began with.
      if (path !== config.path || hashStrategy(config.path) === sha256)
        return loadAgain(worker, { before: config, params, path }, { setting: alone, last });
      throw new BadInput(
        `strategy ${config.name}: its files have changed since the daemon started: start the daemon again to run them`,
      );
    },
    discard: () => worker.link.terminate(),
    plan: {
      ...base,
      open: ({ publish, missed }) =>
        new WorkerHost({
          worker,
          clock,
          instruments,
          publish: outside === undefined ? publish : outside.voice(publish),
          keep: common.keep,
          cuts: last.cuts,
          kept: () => last.state,
          missed: missed?.(feeds),
        }),
    },
  };
}

/**
 * The place of a strategy that ran in a thread of its own, in a replay: what it said, and when, is in the recording.
 */
export class RecordedHost implements StrategyHost {
  readonly name: string;
  readonly feeds: readonly FeedRequest[];
  readonly products: readonly Product[];

  constructor(name: string, feeds: readonly FeedRequest[], products: readonly Product[]) {
    this.name = name;
    this.feeds = feeds;
    this.products = products;
  }

  start(): void {}

  notify(): void {}

  notifyMarketData(): void {}

  stop(): void {}

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** A strategy cannot be run as configured: not found, wrong export, wrong parameters. Exit code 78. */
export class StrategyError extends GodwitError {
  override readonly code = 'GW_STRATEGY';
}
