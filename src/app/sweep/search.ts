import type { Micros } from '../../core/base/clock.ts';
import { BadInput } from '../../core/base/errors.ts';
import { Random } from '../../core/base/random.ts';
import { chooseSearch, digestOf, pointKey, pointAt } from '../../research/search/index.ts';
import type { Proposal, Evaluation, Point } from '../../research/search/index.ts';
import type { Span } from '../../research/scenario/index.ts';
import { lengthOf } from '../../research/scenario/index.ts';
import type { Doubt } from '../../research/report/index.ts';
import { doubt } from '../../research/report/index.ts';
import { noteTrial } from './trial-log.ts';
import type { TrialRunner, TrialOutcome, TrialTask } from './trial-contract.ts';
import type { SweepSetup } from './setup.ts';
import { cutsData, packOfSpan } from './setup.ts';
import type { SweepStore } from './store.ts';

/** A point that was tried. */
export interface Tried {
  readonly key: string;
  readonly trial: number;
  readonly point: Point;
  /** How much of the data it has seen. */
  readonly share: number;
  /** Value of the objective; `undefined` when the trial failed or its objective has no value. */
  readonly value: number | undefined;
  readonly outcome: TrialOutcome;
  /** Whether the result stood in the store already. */
  readonly isStored: boolean;
}

export interface SearchRun {
  readonly setup: SweepSetup;
  readonly runner: TrialRunner;
  readonly store: SweepStore;
  /** Where trials are counted. */
  readonly trialLog: string;
  /** Evaluation of each trial as it ends. */
  readonly onTried: (tried: Tried) => void;
  readonly signal: AbortSignal;
  /** Trials that ran here, for `repeatFirst`. */
  readonly ran: { count: number; first: FirstTrial | undefined };
}

/** A trial that ran in a thread in which nothing had run before. */
interface FirstTrial {
  readonly task: TrialTask;
  readonly span: Span | undefined;
  readonly key: string;
  readonly digest: string;
}

/** Searches the space on a span of the data, or on all of it. Returns every trial in the order proposed. */
export async function searchSpan(run: SearchRun, span?: Span): Promise<readonly Tried[]> {
  const { setup, runner } = run;
  const { search: options } = setup.loaded.options;
  await runner.use(span === undefined ? setup.pack : await packOfSpan(setup, span));
  const search = chooseSearch(options, setup.space, new Random(setup.seed).fork('search'));
  const all: Tried[] = [];
  for (let next = search.next(); next.done !== true;) {
    const round = next.value.map(async (proposal) => await tryPoint(run, proposal, span));
    const tried = await Promise.all(round);
    all.push(...tried);
    next = search.next(
      tried.map(({ value }, index) => ({ proposal: next.value?.[index], value }) as Evaluation),
    );
  }
  if (all.length === 0) throw new BadInput(`space: the strategy refuses every point: ${whyNot(setup)}`);
  return all;
}

/** Why the strategy refuses a point in the middle of the space. */
function whyNot({ space }: SweepSetup): string {
  const middle = space.dimensions.map(() => 0.5);
  return space.refusal(pointAt(space, middle)) ?? 'no point was found';
}

/** Runs given points on a span, such as the best ones on what they were not chosen on. */
export async function tryPoints(
  run: SearchRun,
  points: readonly Point[],
  span: Span,
  keepEquity = false,
): Promise<readonly Tried[]> {
  await run.runner.use(await packOfSpan(run.setup, span));
  return await Promise.all(
    points.map(async (point, trial) => await tryPoint(run, { trial, point, share: 1 }, span, keepEquity)),
  );
}

function noteRan({ ran }: SearchRun, trial: Omit<FirstTrial, 'digest'>, outcome: TrialOutcome): void {
  ran.count += 1;
  if (outcome.failure === undefined) ran.first ??= { ...trial, digest: outcome.digest };
}

/**
 * Runs the first trial again, behind all others and in a thread that others ran in. Variables of a strategy's module survive from
 * trial to trial: where the repeat decides otherwise, results depend on what ran before them. Returns that as a doubt.
 */
export async function repeatFirst({ setup, runner, ran }: SearchRun): Promise<readonly Doubt[]> {
  if (ran.first === undefined || ran.count < 2) return [];
  const { task, span, key, digest } = ran.first;
  await runner.use(span === undefined ? setup.pack : await packOfSpan(setup, span));
  const again = await runner.run({ ...task, keepEquity: false }, digestOf([key, 'again']));
  if (again.failure === undefined && again.digest === digest) return [];
  const what = again.failure === undefined ? 'led elsewhere' : `failed: ${again.failure}`;
  return [
    doubt(
      'MODULE_STATE',
      `the first trial, run again behind the others, ${what}: something in the strategy's module survives a run, so results depend on the order of trials`,
    ),
  ];
}

async function tryPoint(
  run: SearchRun,
  { trial, point, share }: Proposal,
  span: Span | undefined,
  keepEquity = false,
): Promise<Tried> {
  const { setup, runner, store, trialLog, onTried, signal } = run;
  const task = taskOf(setup, { point, share, span, keepEquity });
  const { code, data, configuration, objective } = setup;
  const { from, until, currency } = task;
  const place = JSON.stringify([span ?? null, from ?? null, until ?? null, currency ?? null, keepEquity]);
  const key = digestOf([code, data, configuration, pointKey(point), place]);
  const stored = store.find(key);
  const outcome = stored ?? (await runner.run(task, key));
  // A trial that ends after the stop was not seen by anybody.
  if (stored === undefined && !signal.aborted) {
    noteRan(run, { task, span, key }, outcome);
    store.add(key, point, outcome);
    const part = span === undefined && from === undefined && until === undefined ? undefined : place;
    noteTrial(trialLog, setup, setup.trials.of({ point, part }), outcome);
  }
  const value = outcome.failure === undefined ? objective(outcome.figures) : undefined;
  const tried = { key, trial, point, share, value, outcome, isStored: stored !== undefined };
  onTried(tried);
  return tried;
}

interface Placed {
  readonly point: Point;
  readonly share: number;
  readonly span: Span | undefined;
  readonly keepEquity: boolean;
}

function taskOf(setup: SweepSetup, { point, share, span, keepEquity }: Placed): TrialTask {
  const { currency } = setup.loaded.options;
  const whole = span ?? setup.span;
  const part = share >= 1 ? undefined : (Math.round(whole.from + share * (whole.to - whole.from)) as Micros);
  const clocked = cutsData(setup.base) ? undefined : span;
  return {
    point,
    currency,
    length: lengthOf({ from: whole.from, to: part ?? whole.to }),
    keepEquity,
    from: clocked?.from,
    until: part ?? clocked?.to,
  };
}
