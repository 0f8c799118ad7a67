import type { Micros } from '../../core/base/clock.ts';
import { seconds, timeText } from '../../core/base/clock.ts';
import { ConfigError } from '../../core/config/error.ts';
import { nearest } from '../../core/base/nearest.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { LoadedScenario } from './load.ts';
import type { Scenario } from './scenario.ts';
import { checkAccounts, saidInstruments } from './sources.ts';
import type { TickFeed } from './tick-feed.ts';

/** A clock may run so long before the data begin and after they end: every second of it is lived through. */
export const idleMax = seconds(31 * 86_400);

/**
 * Checks what can only be checked against the data of a scenario: that its clock starts when there soon are some and ends after
 * the run begins, and that currencies and symbols it names are there. Throws `ConfigError` with file, place, expectation and finding.
 */
export function checkTerms(
  loaded: LoadedScenario,
  instruments: Instruments,
  { start, begins }: Pick<TickFeed, 'start' | 'begins'>,
): void {
  const { scenario, file } = loaded;
  const { end } = scenario.clock;
  if (end !== undefined && end <= start) {
    throw new ConfigError(
      `${file}: clock.end: expected a time after the run begins (${timeText(start)}), found ${timeText(end)}`,
    );
  }
  if (begins - start > idleMax) {
    throw new ConfigError(
      `${file}: clock.start: expected a time at most 31 days before the data begin (${timeText(begins)}), found ${timeText(start)}`,
    );
  }
  checkAccounts(loaded, instruments.all);
  checkBalances(scenario.balances, instruments, file);
  checkBalances(scenario.futuresBalances ?? {}, instruments, file, 'futuresBalances');
  checkColumns(scenario, instruments, file);
}

/** Throws `ConfigError` when a sampled column is of a symbol or a currency that the data do not have. */
export function checkColumns(scenario: Scenario, instruments: Instruments, file: string): void {
  const currencies = currenciesOf(instruments);
  const symbols = instruments.all.map(({ symbol }) => symbol);
  for (const [at, column] of (scenario.sample?.columns ?? []).entries()) {
    if (typeof column === 'string') continue;
    const place = `${file}: sample.columns.${at}`;
    if (column.column === 'holding') expectOne(`${place}.currency`, 'currency', column.currency, currencies);
    else if (column.symbol !== undefined) expectOne(`${place}.symbol`, 'symbol', column.symbol, symbols);
  }
}

/** Throws `ConfigError` when money is named that nothing in the data is traded in. */
export function checkBalances(
  balances: Readonly<Record<string, string>>,
  instruments: Instruments,
  file: string,
  key = 'balances',
): void {
  const known = currenciesOf(instruments);
  for (const currency of Object.keys(balances))
    expectOne(`${file}: ${key}.${currency}`, 'currency', currency, known);
}

function currenciesOf(instruments: Instruments): readonly string[] {
  const all = instruments.all.flatMap(({ spec }) => [
    spec.baseCurrency,
    spec.quoteCurrency,
    spec.feeCurrency,
  ]);
  return [...new Set(all)];
}

/** A note where the clock was to go on far behind the data, for a run that ended with them. */
export function idleNotes(end: Micros | undefined, ended: Micros): readonly string[] {
  if (end === undefined || end - ended <= idleMax) return [];
  return [
    `the run ended with its data at ${timeText(ended)}: clock.end, ${timeText(end)}, is over 31 days later`,
  ];
}

/** How often most exchanges take funding, from midnight UTC on. */
const fundingEvery = seconds(8 * 3_600);

/** A note for contracts that were traded over times at which exchanges take funding, where none is given. */
export function fundingNotes({ scenario }: LoadedScenario, start: Micros, ended: Micros): readonly string[] {
  const isGiven = saidInstruments(scenario).every(
    ({ kind, funding }) => kind === 'spot' || funding !== undefined,
  );
  const times = Math.floor(ended / fundingEvery) - Math.floor(start / fundingEvery);
  if (isGiven || times === 0) return [];
  const passed = times === 1 ? 'one time of funding' : `${times} times of funding`;
  return [
    `${passed} (00:00, 08:00, 16:00 UTC) passed, and instrument.funding is not given: positions cost nothing here`,
  ];
}

const listedMax = 12;

function expectOne(place: string, what: string, found: string, known: readonly string[]): void {
  if (known.includes(found)) return;
  const near = nearest(found, known);
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  const listed = known.slice(0, listedMax).join(', ');
  throw new ConfigError(`${place}: expected a ${what} of the data (${listed}), found ${found}${hint}`);
}
