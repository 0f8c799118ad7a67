import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { BadInput } from '../../core/base/errors.ts';
import { SystemClock } from '../../core/base/system-clock.ts';
import type { Tree } from '../../core/config/layers.ts';
import type { Config } from '../config/schema.ts';
import type { Recording } from '../../data/recording/index.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { Expression, ScenarioData, Span } from '../../research/scenario/index.ts';
import {
  readExpression,
  loadScenario,
  memoryRecording,
  packInMemory,
  notesOfData,
  isBarScenario,
} from '../../research/scenario/index.ts';
import { paramSpace, digestOf, pointAt } from '../../research/search/index.ts';
import type { Space, LoadedSweep } from '../../research/search/index.ts';
import type { StrategyDefinition } from '../../core/strategy/framework.ts';
import type { Doubt, DocumentSetting } from '../../research/report/index.ts';
import { assumedFees, dataDoubts, unlikelyFees } from '../../research/report/index.ts';
import { hashStrategy, loadStrategy } from '../../core/strategy/framework.ts';
import {
  barTimes,
  GradedReading,
  hashedFiles,
  subjectOfFile,
  subjectOfRecordings,
} from '../backtest/index.ts';
import { codeHash } from '../run/code-hash.ts';
import { dataHash } from '../run/hashes.ts';
import type { GradeLabel, Subject } from '../backtest/index.ts';
import type { ConfiguredScenario } from '../run/scenario.ts';
import { searchedParameters } from '../run/settings.ts';
import { StrategyError, feedsOf } from '../run/strategy-plans.ts';
import { strategyName, strategyPath } from '../run/strategy-path.ts';
import { figureNames } from './figures.ts';
import type { TrialPack } from './trial-contract.ts';
import type { TrialNamer } from '../run/trial-key.ts';
import { keptTrials } from '../run/trial-key.ts';

/** A sweep with everything opened and checked. */
export interface SweepSetup {
  readonly loaded: LoadedSweep;
  readonly name: string;
  readonly base: ConfiguredScenario;
  /** Seed of the search and of every run. */
  readonly seed: number;
  readonly space: Space;
  readonly objective: Expression;
  /** The whole data. */
  readonly pack: TrialPack;
  /** From the first to the last fact, or as the clock of a scenario says. */
  readonly span: Span;
  readonly events: number;
  /** Notes on the data. */
  readonly notes: readonly string[];
  /** Grade of the data, and what the title of a result on them must say. */
  readonly grade: GradeLabel;
  /** Doubts about the data, whatever runs on them. */
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
  const { subject, path, params } = subjectOfSweep(loaded, options);
  const { withSeries } = await import('../run/series.ts');
  const base = await withSeries(subject.loaded);
  const { config, names } = base;
  const definition = await loadStrategy(path, config.strategies[0]?.name);
  const space = within(file, () => paramSpace(definition, sweep.space, params));
  const objective = within(file, () => readExpression(sweep.objective, figureNames));
  const { instruments, ...opened } = await openedOf(base, await subject.open(), loaded);
  checkFeeds(definition, { space, params, instruments });
  return {
    loaded,
    name: sweep.name ?? definition.name,
    base,
    seed: config.run.seed,
    space,
    objective,
    ...opened,
    code: digestOf([codeHash(), hashStrategy(path)]),
    configuration: names.said,
    trials: await keptTrials(base),
    settings: { parameters: searchedParameters(definition, space, params), settings: names.settings },
  };
}

/** The data of one span: cut out where the data begin a run, whole where the clock of the scenario does. */
export async function packOfSpan(setup: SweepSetup, span: Span): Promise<TrialPack> {
  const { pack, base } = setup;
  if (!cutsData(base)) return pack;
  const { bytes } = await packInMemory(memoryRecording(pack.bytes, pack.label), { span, history: true });
  return { ...pack, bytes };
}

/** Whether a span of a run is a part of its data: in the order of receipt a run begins with its first event, whatever its clock says. */
export function cutsData({ order }: ConfiguredScenario): boolean {
  return order === 'receipt';
}

type Opened = Pick<SweepSetup, 'pack' | 'span' | 'events' | 'notes' | 'grade' | 'doubts' | 'data' | 'files'>;

type OpenedData = Opened & { readonly instruments: Instruments };

type FeedsCheck = Pick<SweepSetup, 'space'> &
  Pick<SearchedSubject, 'params'> &
  Pick<OpenedData, 'instruments'>;

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

/** Subject of a sweep: its scenario, and the parameters that are not searched. */
interface SearchedSubject {
  readonly subject: Subject;
  /** Path of its strategy, as it was named. */
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The scenario that a sweep file names, or the default one of its data, strategy and sections. */
function subjectOfSweep({ options, file }: LoadedSweep, { home, configure }: SetupOptions): SearchedSubject {
  const { strategy, data = [], seed, config: sections = {} } = options;
  if (options.scenario !== undefined) {
    const loaded = loadScenario(options.scenario);
    const scenario = { ...loaded.scenario, seed: seed ?? loaded.scenario.seed };
    // A scenario runs as it stands: what it says of a parameter that is searched here gives way.
    const params = without(scenario.strategy.params, Object.keys(options.space));
    const subject = subjectOfFile({ ...loaded, scenario }, home);
    return { subject, path: subject.loaded.config.strategies[0]?.path ?? '', params };
  }
  if (strategy === undefined) throw new BadInput(`${file}: strategy: expected a strategy, found none`);
  const beside = resolve(dirname(file), strategy.path);
  const path = existsSync(beside) ? beside : strategyPath(strategy.path, home);
  const { params } = strategy;
  const plan = { name: strategyName(path), path: resolve(path), params, host: 'thread' };
  const config = configure({ ...sections, run: { seed: seed ?? 1 }, strategies: [plan] });
  // What decides nothing, such as where things are kept, is left out.
  const deciding = { ...config, run: { seed: config.run.seed, directory: 'runs' } };
  return { subject: subjectOfRecordings(deciding, data), path, params };
}

/** Checks the currency: what is made on bars is counted in one only. */
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

async function openedOf(
  base: ConfiguredScenario,
  { recording, prepared }: ScenarioData,
  { options, file }: LoadedSweep,
): Promise<OpenedData> {
  const { scenario } = base;
  const { fills, clock } = scenario;
  const bars = isBarScenario(scenario);
  if (bars) checkCurrency(file, options.currency, recording);
  const paths = hashedFiles(base, recording);
  const graded = new GradedReading(recording, clock.end);
  const times = bars ? barTimes : undefined;
  const { bytes, span, events } = await packInMemory(graded.recording, { prepared, times });
  const label = recording.paths.map((path) => path.split(/[\\/]/).at(-1)).join(' + ');
  if (span === undefined)
    throw new BadInput(`${recording.paths.join(', ')}: expected market events, found none`);
  const grade = await graded.grade(true);
  const isNamed = fills.model === 'bars' && fills.fees.rate !== undefined;
  return {
    instruments: recording.instruments,
    pack: { bytes, label, prepared },
    span: { from: clock.start ?? span.from, to: clock.end ?? span.to },
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
    data: bars
      ? digestOf(paths.map((path) => readFileSync(path, 'base64')))
      : createHash('sha256').update(bytes).update(seriesBytes(base)).digest('hex').slice(0, 24),
  };
}

/** The series of a sweep for a hash; nothing where it has none. */
function seriesBytes({ series }: ConfiguredScenario): string {
  if (series === undefined) return '';
  return JSON.stringify(series, (key, value: unknown) => (key === 'path' ? undefined : value));
}

/** Answer of `check`; what it complains of with the file added. */
function within<Answer>(file: string, check: () => Answer): Answer {
  try {
    return check();
  } catch (error) {
    if (error instanceof BadInput) throw new BadInput(`${file}: ${error.message}`, { cause: error });
    throw error;
  }
}
