/** One event of a run that is kept whole, in canonical text. */
export interface Step {
  readonly sequence: number;
  /** When it was known: microseconds since the epoch. */
  readonly time: number;
  readonly kind: string;
  readonly text: string;
  /** A mark of the market data up to then: equal marks, equal markets. */
  readonly market: string;
  /** Place (`file:line`) of the call that made an intent. */
  readonly site?: string | undefined;
}

/** The digest of everything up to a time. */
export interface Prefix {
  readonly cut: number;
  readonly digest: string;
}

/** Acts of a run, as far as they can be compared with another. */
export interface RunTimeline {
  /** Hash over everything that happened. */
  readonly digest: string;
  /** How many events there were, those of the market included. */
  readonly events: number;
  readonly steps: readonly Step[];
  /** Steps beyond the limit of the list: only the digests know them. */
  readonly left: number;
  readonly prefixes: readonly Prefix[];
  /** Problems that cut the run short. */
  readonly problems: readonly string[];
  /** Further notes for a reader of the run, one sentence each. */
  readonly notes: readonly string[];
}

/** Where two runs part: the first step that is not the same, as each of them took it. */
export interface Divergence {
  readonly index: number;
  readonly one: Step | undefined;
  readonly other: Step | undefined;
  /** Whether both runs had received the same market data by then: if so, a decision came from somewhere else. */
  readonly toldAlike: boolean;
  /** `file:line` of the first order call that is not the same, as far as one is known. */
  readonly site: string | undefined;
}

/** Events that a strategy itself makes: everything else is an answer or a market data event. */
const decisions: readonly string[] = ['intent', 'strategyNoted', 'strategyStopped'];

/** The first step in which two runs differ; `undefined` when all that both have up to `until` is the same. */
export function divergenceOf(
  one: RunTimeline,
  other: RunTimeline,
  until = Number.POSITIVE_INFINITY,
): Divergence | undefined {
  const count = Math.max(one.steps.length, other.steps.length);
  for (let index = 0; index < count; index++) {
    const [mine, theirs] = [one.steps[index], other.steps[index]];
    if ((mine?.time ?? until + 1) > until && (theirs?.time ?? until + 1) > until) return undefined;
    if (mine?.text === theirs?.text && mine?.market === theirs?.market) continue;
    return {
      index,
      one: mine,
      other: theirs,
      toldAlike: toldAlike(mine, theirs),
      site: siteFrom(index, one, other),
    };
  }
  return undefined;
}

/** Whether the step in which two runs part is one the strategy took, after the same market data. */
export function isOwnDecision({ one, other, toldAlike: alike }: Divergence): boolean {
  return alike && [one, other].some((step) => step !== undefined && decisions.includes(step.kind));
}

/** The order call at the divergence; when what parts there is no call, the first one behind it. */
function siteFrom(index: number, one: RunTimeline, other: RunTimeline): string | undefined {
  for (let at = index; at < Math.max(one.steps.length, other.steps.length); at++) {
    const [mine, theirs] = [one.steps[at], other.steps[at]];
    const site = mine?.site ?? theirs?.site;
    if (site !== undefined && mine?.text !== theirs?.text) return site;
  }
  return undefined;
}

function toldAlike(one: Step | undefined, other: Step | undefined): boolean {
  return one === undefined || other === undefined || one.market === other.market;
}
