import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { BadInput } from '../../core/base/errors.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import type { Tree } from '../../core/config/layers.ts';
import type { Config } from '../config/schema.ts';
import type { Recording } from '../../data/recording/contract.ts';
import { openData } from '../../data/open/market-data.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { Expression } from '../../research/scenario/expression.ts';
import { filesOf } from '../../research/scenario/sources.ts';
import { readExpression } from '../../research/scenario/expression.ts';
import { loadScenario, pathBeside } from '../../research/scenario/load.ts';
import type { EventExtent } from '../../research/scenario/memory-recording.ts';
import { memoryRecording, packInMemory } from '../../research/scenario/memory-recording.ts';
import { paramSpace } from '../../research/search/param-space.ts';
import { notesOfData, openScenarioData } from '../../research/scenario/recording.ts';
import type { Space } from '../../research/search/space.ts';
import { digestOf, pointAt } from '../../research/search/space.ts';
import type { Span } from '../../research/scenario/split.ts';
import type { LoadedSweep } from '../../research/search/sweep-file.ts';
import type { StrategyDefinition } from '../../core/strategy/define.ts';
import type { Doubt } from '../../research/report/document/doubts.ts';
import { assumedFees, dataDoubts, unlikelyFees } from '../../research/report/figures/run-doubts.ts';
import type { DocumentSetting } from '../../research/report/make-document.ts';
import { hashStrategy, loadStrategy } from '../../core/strategy/loader.ts';
import type { Scenario } from '../../research/scenario/scenario.ts';
import { isBarScenario } from '../../research/scenario/scenario.ts';
import { barTimes, checkBarScenario, openBarData } from '../backtest/bar-source.ts';
import { codeHash, dataHash } from '../run/hashes.ts';
import type { GradeLabel } from '../backtest/grade.ts';
import { gradedReading } from '../backtest/grade.ts';
import { searchedParameters, unusualSettings, unusualTerms } from '../run/settings.ts';
import { scenarioConfig } from '../run/scenario-config.ts';
import { StrategyError, feedsOf } from '../run/strategy-plans.ts';
import { strategyName, strategyPath } from '../run/strategy-path.ts';
import { figureNames } from './figures.ts';
import type { TrialBase, TrialPack } from './trial-contract.ts';
import type { TrialNamer } from '../run/trial-key.ts';
import { recordingTrials, scenarioTrials } from '../run/trial-key.ts';

/** A sweep with everything opened and checked. */
export interface SweepSetup {
  readonly loaded: LoadedSweep;
  readonly name: string;
  readonly base: TrialBase;
  /** Of the search and of every run. */
  readonly seed: number;
  readonly space: Space;
  readonly objective: Expression;
  /** The whole data. */
  readonly pack: TrialPack;
  /** From the first to the last fact, or as the clock of a scenario says. */
  readonly span: Span;
  readonly events: number;
  /** What was noted about the data. */
  readonly notes: readonly string[];
  /** What the data are worth, and what the title of a result on them must say. */
  readonly grade: GradeLabel;
  /** What is doubtful about the data, whatever runs on them. */
  readonly doubts: readonly Doubt[];
  /** Hashes: another code, data or configuration makes other results. */
  readonly code: string;
  readonly data: string;
  /** The hash of the files, by which trials on the same data are counted. */
  readonly files: string;
  readonly configuration: string;
  /** How the trial log names a run. */
  readonly trials: TrialNamer;
  /** Settings of its runs, and which values of parameters are searched. */
  readonly settings: Pick<DocumentSetting, 'parameters' | 'settings'>;
}

export interface SetupOptions {
  /** The parent of the folder of shipped strategies. */
  readonly home: string;
  /** The configuration from a base below every file and variable. */
  readonly configure: (base: Tree) => Config;
}

/** Opens data and strategy of a sweep. Throws `BadInput` in one sentence when something does not fit. */
export async function setUpSweep(loaded: LoadedSweep, options: SetupOptions): Promise<SweepSetup> {
  const { options: sweep, file } = loaded;
  const named = sweep.scenario === undefined ? ofRecordings(loaded, options) : ofScenario(loaded, options);
  const definition = await loadStrategy(named.strategy);
  const space = within(file, () => paramSpace(definition, sweep.space, named.params));
  const objective = within(file, () => readExpression(sweep.objective, figureNames));
  const { instruments, ...opened } = await named.open();
  checkFeeds(definition, { space, params: named.params, instruments });
  return {
    loaded,
    name: sweep.name ?? definition.name,
    base: named.base,
    seed: named.base.kind === 'scenario' ? named.base.scenario.seed : named.base.config.run.seed,
    space,
    objective,
    ...opened,
    code: digestOf([codeHash(), hashStrategy(named.strategy)]),
    configuration: digestOf([JSON.stringify(named.base)]),
    trials: await named.trials(),
    settings: { parameters: searchedParameters(definition, space, named.params), settings: named.settings },
  };
}

/** The data of one span: cut out for recordings, whole for scenarios, whose clock does it. */
export async function packOfSpan(setup: SweepSetup, span: Span): Promise<TrialPack> {
  const { pack, base } = setup;
  if (base.kind === 'scenario') return pack;
  const { bytes } = await packInMemory(memoryRecording(pack.bytes, pack.label), { span, history: true });
  return { ...pack, bytes };
}

type Opened = Pick<SweepSetup, 'pack' | 'span' | 'events' | 'notes' | 'grade' | 'doubts' | 'data' | 'files'>;

type OpenedData = Opened & { readonly instruments: Instruments };

type FeedsCheck = Pick<SweepSetup, 'space'> & Pick<Named, 'params'> & Pick<OpenedData, 'instruments'>;

/** Throws `StrategyError` when the data lack what the strategy wants at every point: no trial could run. */
function checkFeeds(definition: StrategyDefinition, { space, params, instruments }: FeedsCheck): void {
  const refusals = [0, 0.5, 1].map((place) => {
    const point = pointAt(
      space,
      space.dimensions.map(() => place),
    );
    if (space.refusal(point) !== undefined) return undefined;
    try {
      feedsOf(definition, { name: definition.name, params: { ...params, ...point }, instruments });
      return undefined;
    } catch (error) {
      if (error instanceof BadInput) return error.message;
      throw error;
    }
  });
  const [first] = refusals;
  if (first !== undefined && refusals.every((one) => one === first)) throw new StrategyError(first);
}

interface Named {
  readonly base: TrialBase;
  readonly strategy: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly open: () => Promise<OpenedData>;
  readonly trials: () => Promise<TrialNamer>;
  readonly settings: DocumentSetting['settings'];
}

function ofRecordings({ options, file }: LoadedSweep, { home, configure }: SetupOptions): Named {
  const { strategy, data = [], seed = 1, config: sections = {} } = options;
  if (strategy === undefined) throw new BadInput(`${file}: strategy: expected a strategy, found none`);
  const beside = resolve(dirname(file), strategy.path);
  const path = existsSync(beside) ? beside : strategyPath(strategy.path, home);
  const { params } = strategy;
  const plan = { name: strategyName(path), path: resolve(path), params, host: 'thread' };
  const config = configure({ ...sections, run: { seed }, strategies: [plan] });
  return {
    // What decides nothing, such as where things are kept, is left out.
    base: { kind: 'recording', config: { ...config, run: { seed: config.run.seed, directory: 'runs' } } },
    strategy: path,
    params,
    open: async () => await openedOf({ recording: await openData(data), paths: data, prepared: 0 }),
    trials: async () => await recordingTrials(config),
    settings: unusualSettings(config),
  };
}

function ofScenario({ options, file: sweep }: LoadedSweep, { home }: SetupOptions): Named {
  const loaded = loadScenario(options.scenario ?? '');
  const scenario = { ...loaded.scenario, seed: options.seed ?? loaded.scenario.seed };
  const { file, sha256 } = loaded;
  const config = scenarioConfig(loaded, home);
  return {
    base: { kind: 'scenario', scenario, file, sha256, home },
    strategy: config.strategies[0]?.path ?? '',
    // A scenario runs as it stands: what it says of a parameter that is searched here gives way.
    params: without(scenario.strategy.params, Object.keys(options.space)),
    trials: async () => await scenarioTrials({ ...loaded, scenario }, home),
    settings: unusualTerms(loaded, config),
    open: async () => {
      const { start, end } = scenario.clock;
      const clocked = ({ from, to }: Span): Span => ({ from: start ?? from, to: end ?? to });
      const paths = filesOf(scenario).map(({ path }) => pathBeside(file, path));
      if (isBarScenario(scenario)) {
        checkBarScenario(scenario, file);
        const recording = await openBarData(scenario, file);
        checkCurrency(sweep, options.currency, recording);
        const opened = await openedOf({ recording, paths, scenario, prepared: 0, end, times: barTimes });
        const span = clocked(opened.span);
        return { ...opened, span, data: digestOf(paths.map((path) => readFileSync(path, 'base64'))) };
      }
      const { recording, prepared } = await openScenarioData(loaded);
      const opened = await openedOf({ recording, paths, scenario, prepared, end });
      return { ...opened, span: clocked(opened.span) };
    },
  };
}

/** What is made on bars is counted in one currency only. */
function checkCurrency(file: string, named: string | undefined, { instruments }: Recording): void {
  const counted = instruments.all[0]?.spec.quoteCurrency;
  if (named !== undefined && named !== counted)
    throw new BadInput(
      `${file}: currency: on bars expected ${counted}, in which the first instrument is quoted, found ${named}`,
    );
}

function without(params: Readonly<Record<string, unknown>>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)));
}

interface Opening {
  readonly recording: Recording;
  readonly paths: readonly string[];
  readonly scenario?: Scenario;
  /** How many events at the beginning only build the market. */
  readonly prepared: number;
  /** What is received later is not graded. */
  readonly end?: number | undefined;
  /** What the span is made of; times of receipt when left out. */
  readonly times?: EventExtent;
}

async function openedOf({ recording, paths, scenario, prepared, end, times }: Opening): Promise<OpenedData> {
  const graded = gradedReading(recording, end);
  const { bytes, span, events } = await packInMemory(graded.recording, { prepared, times });
  const label = recording.paths.map((path) => path.split(/[\\/]/).at(-1)).join(' + ');
  if (span === undefined)
    throw new BadInput(`${recording.paths.join(', ')}: expected market events, found none`);
  const grade = graded.grade();
  const { fills } = scenario ?? {};
  const isNamed = fills?.model === 'bars' && fills.fees.rate !== undefined;
  return {
    instruments: recording.instruments,
    pack: { bytes, label, prepared },
    span,
    events,
    notes: notesOfData(recording, scenario),
    grade,
    doubts: [
      ...dataDoubts({
        grade,
        findings: recording.findings,
        until: { end: span.to, now: new SystemClock().now() },
      }),
      ...(isNamed
        ? []
        : [...unlikelyFees(recording.instruments.all), ...assumedFees(recording.instruments.all)]),
    ],
    files: dataHash(paths),
    data: createHash('sha256').update(bytes).digest('hex').slice(0, 24),
  };
}

/** What `check` answers; what it complains of with the file added. */
function within<Answer>(file: string, check: () => Answer): Answer {
  try {
    return check();
  } catch (error) {
    if (error instanceof BadInput) throw new BadInput(`${file}: ${error.message}`, { cause: error });
    throw error;
  }
}
