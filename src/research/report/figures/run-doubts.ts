import type { DenialCode } from '../../../core/model/denial.ts';
import type { Micros } from '../../../core/base/clock.ts';
import { isStillToCome, timeText } from '../../../core/base/clock.ts';
import type { Instrument } from '../../../core/model/instrument.ts';
import type { Doubt } from '../document/index.ts';
import { doubt, percentText, percentShare } from '../document/index.ts';
import type { CurrencyMeasures } from './measures.ts';
import { calendarOfRun, measuresOf } from './measures.ts';
import type { OrderTally, RunSigns, ChargeSource, Summary } from '../fold/index.ts';
import { unlikelyFee } from '../fold/index.ts';
import { zero } from '../../../core/base/amount.ts';

/** What a run was made on, as far as it may be doubtful. */
export interface DoubtGrounds {
  /** What cut the run short, one sentence each; the first is said. */
  readonly problems?: readonly string[] | undefined;
  /** What the grade says of the data: a clause for the title, empty when nothing is wrong, and why it is no better. */
  readonly grade?: { readonly title: string; readonly reasons: readonly string[] } | undefined;
  /** When the data end, and what time it is. */
  readonly until?: { readonly end: Micros; readonly now: Micros } | undefined;
  /** What importers found in the data. */
  readonly findings?: readonly string[] | undefined;
}

/** All doubts about the data of a run, worst first. */
export function dataDoubts({ problems = [], grade, findings = [], until }: DoubtGrounds): readonly Doubt[] {
  const [cut] = problems;
  const clock = (grade?.reasons ?? []).filter((reason) => /\bclock\b/.test(reason));
  const rounded = findings.filter((finding) => /\brounded\b/.test(finding));
  return [
    ...(cut === undefined ? [] : [doubt('INCOMPLETE', `incomplete: ${cut}`)]),
    ...(grade === undefined || grade.title === '' ? [] : [doubt('DATA_POOR', grade.title)]),
    ...rounded.slice(0, 1).map((finding) => doubt('DATA_ROUNDED', finding)),
    ...(until === undefined || !isStillToCome(until.end, until.now)
      ? []
      : [doubt('DATA_IN_FUTURE', `the data end in the future: on ${timeText(until.end).slice(0, 10)}`)]),
    ...(grade?.reasons ?? [])
      .filter((reason) => /\b(split|spike|wick)\b/.test(reason))
      .map((reason) => doubt('PRICES_DOUBTFUL', reason)),
    // What the title says of poor data already is not said twice.
    ...clock
      .filter((reason) => grade?.title.includes(reason) !== true)
      .slice(0, 1)
      .map((reason) => doubt('CLOCK_DOUBTFUL', reason)),
  ];
}

/** All doubts about what a run did: its fees, its calendar, its orders. */
export function runDoubts(summary: Summary): readonly Doubt[] {
  const measures = summary.details === undefined ? [] : measuresOf(summary);
  return [
    ...trialDoubts(summary.signs, summary.tally),
    ...feeDoubts(summary),
    ...(summary.feesNamed ? [] : unlikelyFees(summary.holdings().map(({ instrument }) => instrument))),
    ...marginDoubts(summary),
    ...calendarDoubts(measures),
    ...orderDoubts(summary),
  ];
}

/** Those of them that cost a trial of a sweep nothing. */
export function trialDoubts(signs: RunSigns, tally: OrderTally): readonly Doubt[] {
  return [...signs.doubts(), ...smallSizeDoubts(signs, tally), ...exitDoubts(tally)];
}

/** Of sizes that are no order: of strategies that asked for none, and of symbols for which none was asked. One for each strategy. */
function smallSizeDoubts(signs: RunSigns, tally: OrderTally): readonly Doubt[] {
  const texts = new Map<string, string>();
  for (const { strategy, instrument, text } of signs.smallSizes()) {
    const asked = tally.askers.get(strategy);
    const isSilent = instrument === undefined ? asked === undefined : asked?.has(instrument) !== true;
    if (!isSilent || texts.has(strategy)) continue;
    const none = asked === undefined ? 'no order' : 'no order of it';
    texts.set(strategy, `strategy ${strategy} asked for ${none}: ${text}`);
  }
  return [...texts.values()].slice(0, symbolsMax).map((text) => doubt('SIZE_BELOW_LOT', text));
}

/** Those of the instruments whose fees or rebates no venue has: the first. */
export function unlikelyFees(instruments: readonly Instrument[]): readonly Doubt[] {
  return instruments
    .flatMap(({ symbol, spec }) =>
      [spec.makeRate, spec.takeRate].flatMap((rate) => unlikelyFee(Number(rate), `as ${symbol} here`)),
    )
    .slice(0, 1);
}

const symbolsMax = 3;

/** Fees that neither the data nor the user named, of what was traded. */
function feeDoubts(summary: Summary): readonly Doubt[] {
  return summary.feesNamed ? [] : assumedFees(summary.holdings().map(({ instrument }) => instrument));
}

const markText = 'positions on margin are valued at the middle of the book: the data have no mark price';

/** What a simulated venue assumes of positions on margin, of what was traded. */
function marginDoubts(summary: Summary): readonly Doubt[] {
  const { fundingSource } = summary;
  if (fundingSource === undefined) return [];
  const margined = summary.holdings().filter(({ account }) => account !== 'spot');
  if (margined.length === 0) return [];
  const contracts = [...new Set(margined.map(({ instrument }) => instrument))].filter(
    ({ spec }) => spec.type === 'futures',
  );
  const named = (source: ChargeSource): string =>
    contracts
      .filter(({ id }) => fundingSource(id) === source)
      .map(({ symbol }) => symbol)
      .join(', ');
  const texts = [
    ...(named('constant') === '' ? [] : [`one stated rate for ${named('constant')}`]),
    ...(named('none') === '' ? [] : [`none for ${named('none')}`]),
  ];
  const isMarked = margined.every(({ instrument }) => fundingSource(instrument.id) === 'announced');
  return [
    ...(isMarked ? [] : [doubt('MARK_ASSUMED', markText)]),
    ...(texts.length === 0 ? [] : [doubt('FUNDING_ASSUMED', `funding is assumed: ${texts.join('; ')}`)]),
  ];
}

/** Those of the instruments whose fees neither the data nor the user named. */
export function assumedFees(instruments: readonly Instrument[]): readonly Doubt[] {
  const assumed = instruments.filter(({ spec }) => spec.feesAssumed === true);
  if (assumed.length === 0) return [];
  const shown = assumed.slice(0, symbolsMax).map(({ symbol, spec }) => {
    const [maker, taker] = [spec.makeRate, spec.takeRate].map((rate) => percentText(Number(rate)));
    return `${symbol} maker ${maker}, taker ${taker}`;
  });
  const more = assumed.length > symbolsMax ? [`${assumed.length - symbolsMax} more`] : [];
  return [doubt('FEES_ASSUMED', `fees are assumed: ${[...shown, ...more].join('; ')}`)];
}

/** Days that the calendar of the data lacks, where ratios of days are shown. */
function calendarDoubts(measures: readonly CurrencyMeasures[]): readonly Doubt[] {
  const [first] = measures;
  if (first === undefined || first.days.times.length < first.options.daysMin) return [];
  const { doubt: found } = calendarOfRun(first);
  return found === undefined ? [] : [doubt('CALENDAR_GAPS', `the calendar has gaps: ${found}`)];
}

const codesMax = 3;

/**
 * Where half of the orders or more were refused, by our controls or by the venue, or where some were and nothing was filled: what
 * is left says little of the strategy.
 */
function orderDoubts(summary: Summary): readonly Doubt[] {
  const { tally } = summary;
  const { placed, denied, rejected } = tally.counts();
  // What the gate denies was placed before.
  const asked = placed + denied - tally.deniedAtGate;
  const refused = denied + rejected;
  if (refused === 0 || (refused * 2 < asked && summary.holdings().length > 0)) return [];
  const reasons = [
    ...leadingCodes(tally.denials),
    ...(rejected === 0 ? [] : [`by the venue ${rejected}`]),
  ].join(', ');
  if (refused >= asked)
    return [
      doubt(
        'ORDERS_ALL_REFUSED',
        `${refused === 1 ? 'its only order was' : `all ${refused} orders were`} refused: ${reasons}`,
      ),
    ];
  return [
    doubt(
      'ORDERS_REFUSED',
      `${refused} of ${asked} orders were refused (${percentShare(refused, asked)}): ${reasons}`,
    ),
  ];
}

/** Exits that our controls denied: a position was held longer than its strategy wanted. */
function exitDoubts({ deniedExits }: OrderTally): readonly Doubt[] {
  if (deniedExits.size === 0) return [];
  const sum = [...deniedExits.values()].reduce((all, count) => all + count, 0);
  const what =
    sum === 1
      ? 'an order that was to close a position was'
      : `${sum} orders that were to close positions were`;
  return [doubt('EXITS_DENIED', `${what} denied: ${leadingCodes(deniedExits).join(', ')}`)];
}

function leadingCodes(denials: ReadonlyMap<DenialCode, number>): readonly string[] {
  return [...denials]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, codesMax)
    .map(([code, count]) => `${code} ${count}`);
}

/** What a reader must know of the numbers of a run, one sentence each. */
export function notesOn(summary: Summary): readonly string[] {
  const notes: string[] = [...summary.remarks];
  if (summary.externalFills > 0) {
    notes.push(`fills of orders that are not ours, left out: ${summary.externalFills}`);
  }
  for (const [id, amount] of summary.opening.brought) {
    if (amount === zero) continue;
    const instrument = summary.instruments.at(id);
    const held = instrument.heldText(amount);
    notes.push(
      `${instrument.symbol}: ${held} ${instrument.unit} held from earlier sessions are in neither position nor profit`,
    );
  }
  for (const { instrument, position } of summary.holdings()) {
    if (instrument.feesInThird && position.fees !== zero) {
      notes.push(`fees of ${instrument.symbol} in ${instrument.spec.feeCurrency} are not part of the profit`);
    }
    const mark = summary.mark(instrument.id);
    if (mark !== undefined && (mark.source === 'trade' || mark.source === 'fill')) {
      notes.push(`${instrument.symbol} is valued at its last ${mark.source}, because there is no live book`);
    }
  }
  return notes;
}
