import { gradeIdentity } from '../backtest/index.ts';
import type { ReportSection, Doubt } from '../../research/report/index.ts';
import { settingSections, warningOf } from '../../research/report/index.ts';
import type { HeatMap, Point } from '../../research/search/index.ts';
import { heatMaps } from '../../research/search/index.ts';
import type { Fold } from '../../research/scenario/index.ts';
import type { TrialFigures } from './figures.ts';
import type { Tried } from './search.ts';
import type { SweepSetup } from './setup.ts';

/** One trial in a result. */
export interface SweepRow {
  readonly trial: number;
  readonly share: number;
  readonly point: Point;
  /** Value of the objective. */
  readonly value: number | undefined;
  readonly figures: TrialFigures;
  /** Currency of its money; left out where nothing was traded and none was named. */
  readonly currency?: string | undefined;
  readonly digest: string;
  readonly failure?: string | undefined;
  /** The same point on what it was not chosen on. */
  readonly test?: SweepTest | undefined;
}

/** One that failed has no figures: what it made until then is no result. */
export interface SweepTest {
  readonly value: number | undefined;
  readonly figures: TrialFigures;
  readonly failure?: string | undefined;
}

/** Result of a sweep, as plain JSON. */
export interface SweepResult {
  readonly name: string;
  /** Warning of a result on poor data; empty for good data. */
  readonly warning: string;
  /** The same, one by one with their codes. */
  readonly doubts: readonly Doubt[];
  /** As it was typed, without secrets. */
  readonly command?: string | undefined;
  readonly identity: Readonly<Record<string, string | number>>;
  /** Parameters with the values that were searched, and settings that are not the defaults: as in a report. */
  readonly sections: readonly ReportSection[];
  readonly objective: string;
  /** Currency of all money here; left out where trials do not agree on one. */
  readonly currency?: string | undefined;
  readonly search: object;
  readonly store: string;
  readonly trials: {
    readonly tried: number;
    readonly stored: number;
    readonly failed: number;
    readonly withoutValue: number;
  };
  readonly split: Fold | undefined;
  /** Best first. */
  readonly best: readonly SweepRow[];
  readonly failures: readonly { readonly point: Point; readonly why: string }[];
  readonly heatMaps: readonly HeatMap[];
  readonly notes: readonly string[];
}

const failuresMax = 20;

/** Trials that saw all of the data, best first; ties in the order of trials. */
export function ranked(tried: readonly Tried[]): readonly Tried[] {
  return tried
    .filter(({ share, value }) => share >= 1 && value !== undefined)
    .toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0) || a.trial - b.trial);
}

export interface ResultParts {
  readonly setup: SweepSetup;
  readonly tried: readonly Tried[];
  readonly fold: Fold | undefined;
  /** The best of them on the rest, in their order. */
  readonly tests: readonly Tried[];
  readonly store: string;
  readonly doubts: readonly Doubt[];
  readonly command?: string | undefined;
}

/** Joins what was tried into the result. */
export function sweepResult({ setup, tried, fold, tests, store, doubts, command }: ResultParts): SweepResult {
  const { options } = setup.loaded;
  const failed = tried.filter(({ outcome }) => outcome.failure !== undefined);
  const valueless = tried.filter(
    ({ value, outcome }) => value === undefined && outcome.failure === undefined,
  );
  const { notes, ...money } = countedCurrency([...tried, ...tests]);
  const best = ranked(tried)
    .slice(0, options.top)
    .map((one, index) => rowOf(one, tests[index]));
  return {
    name: setup.name,
    warning: warningOf(doubts),
    doubts,
    ...(command === undefined ? {} : { command }),
    identity: {
      code: setup.code,
      data: setup.data,
      ...gradeIdentity(setup.grade),
      configuration: setup.configuration,
      seed: setup.seed,
      events: setup.events,
    },
    sections: settingSections(setup.settings.parameters ?? [], setup.settings.settings ?? []),
    objective: options.objective,
    ...money,
    search: options.search,
    store,
    trials: {
      tried: tried.length,
      stored: tried.filter(({ isStored }) => isStored).length,
      failed: failed.length,
      withoutValue: valueless.length,
    },
    split: fold,
    best,
    failures: failed
      .slice(0, failuresMax)
      .map(({ point, outcome }) => ({ point, why: outcome.failure ?? '' })),
    heatMaps: heatMaps(
      setup.space,
      tried.filter(({ share }) => share >= 1),
    ),
    notes: [...notes, ...failedTests(best.map(({ test }) => test)), ...setup.notes],
  };
}

/** The currency in which trials counted, or why there is none: nothing was traded, or not in the same one. */
export function countedCurrency(tried: readonly Tried[]): {
  readonly currency?: string | undefined;
  readonly notes: readonly string[];
} {
  const all = [...new Set(tried.flatMap(({ outcome }) => outcome.currency ?? []))];
  if (all.length < 2) return { ...(all.length === 1 ? { currency: all[0] } : {}), notes: [] };
  return { notes: [`trials count in different currencies, ${all.join(' and ')}: name one with currency`] };
}

/** A trial as a row. */
export function rowOf({ trial, share, point, value, outcome }: Tried, test?: Tried): SweepRow {
  const { figures, currency, digest, failure } = outcome;
  return {
    trial,
    share,
    point,
    value,
    figures,
    ...(currency === undefined ? {} : { currency }),
    digest,
    ...(failure === undefined ? {} : { failure }),
    ...(test === undefined ? {} : { test: testOf(test) }),
  };
}

function testOf({ value, outcome: { figures, failure } }: Tried): SweepTest {
  return failure === undefined ? { value, figures } : { value, figures: {}, failure };
}

/** Which tests failed, in a sentence for the first of them. */
export function failedTests(tests: readonly (SweepTest | undefined)[]): readonly string[] {
  const failures = tests.flatMap((test) => test?.failure ?? []);
  const [first] = failures;
  return first === undefined
    ? []
    : [`${failures.length} of ${tests.length} tests failed, the first: ${first}`];
}
