import type { Amount } from '../../core/base/amount.ts';
import { add, zero } from '../../core/base/amount.ts';
import { ConfigError } from '../../core/config/error.ts';
import type { Instrument, InstrumentSpec } from '../../core/model/instrument.ts';
import { Instruments } from '../../core/model/instrument.ts';
import type { LoadedScenario } from './load.ts';
import { keepsMargin } from './margin-checks.ts';
import type { Scenario } from './scenario.ts';

/** Terms of an instrument in a scenario. */
export type InstrumentTerms = NonNullable<Scenario['instrument']>;

/** Between a symbol or currency and the venue it is of. */
const mark = '@';

/** A symbol or a currency as it is called in the run: that of a named venue carries its name. */
function nameAt(name: string, venue: string | undefined): string {
  return venue === undefined ? name : `${name}${mark}${venue}`;
}

/** The spec of an instrument in the run: its money is that of its venue. */
export function specAt(spec: InstrumentSpec, venue: string | undefined): InstrumentSpec {
  const { symbol, baseCurrency, quoteCurrency, feeCurrency } = spec;
  return {
    ...spec,
    symbol: nameAt(symbol, venue),
    baseCurrency: nameAt(baseCurrency, venue),
    quoteCurrency: nameAt(quoteCurrency, venue),
    feeCurrency: nameAt(feeCurrency, venue),
  };
}

/** The instruments with the money of all venues in one, as a report counts it. */
export function anywhere(instruments: Instruments): Instruments {
  return new Instruments(
    instruments.all.map(({ spec }) => ({
      ...spec,
      baseCurrency: currencyAnywhere(spec.baseCurrency),
      quoteCurrency: currencyAnywhere(spec.quoteCurrency),
      feeCurrency: currencyAnywhere(spec.feeCurrency),
    })),
  );
}

/** Amounts by currency, those of all venues added up. */
export function amountsAnywhere(amounts: ReadonlyMap<string, Amount>): ReadonlyMap<string, Amount> {
  const sums = new Map<string, Amount>();
  for (const [name, amount] of amounts) {
    const currency = currencyAnywhere(name);
    sums.set(currency, add(sums.get(currency) ?? zero, amount));
  }
  return sums;
}

function currencyAnywhere(name: string): string {
  const at = name.indexOf(mark);
  return at < 0 ? name : name.slice(0, at);
}

/** All files of a scenario. */
export function filesOf({ data, sources }: Pick<Scenario, 'data' | 'sources'>): Scenario['data'] {
  return sources === undefined ? data : sources.flatMap((source) => source.data);
}

/** How the files of sources are read and run, without where they are. */
export function readingOfSources(sources: NonNullable<Scenario['sources']>): readonly object[] {
  return sources.map(({ data, ...terms }) => ({ ...terms, data: data.map(({ role }) => role) }));
}

/** Each source of a scenario as a scenario of its own; that of `data` is the scenario itself. */
export function partsOf({ scenario, file }: Pick<LoadedScenario, 'scenario' | 'file'>): readonly {
  readonly scenario: Scenario;
  /** With the place in it, for sentences. */
  readonly file: string;
  readonly venue: string | undefined;
}[] {
  const { sources } = scenario;
  if (sources === undefined) return [{ scenario, file, venue: undefined }];
  return sources.map(({ data, venue, instrument, import: reading }, index) => ({
    scenario: {
      ...scenario,
      sources: undefined,
      data,
      instrument,
      import: { ...scenario.import, ...reading },
    },
    file: `${file}: sources.${index}`,
    venue,
  }));
}

/** Terms of an instrument of a run in its scenario; `isOwn` is false of another symbol of the same data. */
export function instrumentTerms(
  { instrument: said, sources }: Scenario,
  { symbol }: Instrument,
): { readonly terms: InstrumentTerms | undefined; readonly isOwn: boolean } {
  if (sources === undefined) return { terms: said, isOwn: said?.symbol === symbol };
  const source = sources.find(
    ({ instrument, venue }) => instrument && nameAt(instrument.symbol, venue) === symbol,
  );
  return { terms: source?.instrument, isOwn: source !== undefined };
}

/** The symbol that samples are of, where a scenario names one. */
export function mainSymbolOf({ instrument, sources }: Scenario): string | undefined {
  const [first] = sources ?? [];
  if (first === undefined) return instrument?.symbol;
  return first.instrument && nameAt(first.instrument.symbol, first.venue);
}

/** All instruments that a scenario describes. */
export function saidInstruments({ instrument, sources }: Scenario): readonly InstrumentTerms[] {
  return (sources ?? [{ instrument }]).flatMap((source) => source.instrument ?? []);
}

export function isContract(terms: InstrumentTerms | undefined): boolean {
  return terms !== undefined && terms.kind !== 'spot';
}

/**
 * Throws `ConfigError` when accounts would be mixed up: a spot wallet and an account of contracts that hold the same
 * currency, or contracts that settle in one currency and differ in leverage or liquidation.
 */
export function checkAccounts({ scenario, file }: LoadedScenario, instruments: readonly Instrument[]): void {
  if (scenario.sources === undefined || keepsMargin(scenario)) return;
  const spot = new Map<string, string>();
  const margins = new Map<string, { readonly symbol: string; readonly rules: string }>();
  for (const instrument of instruments) {
    const { terms } = instrumentTerms(scenario, instrument);
    const { symbol, spec } = instrument;
    if (!isContract(terms)) {
      spot.set(spec.baseCurrency, symbol).set(spec.quoteCurrency, symbol);
      continue;
    }
    const { leverage, liquidation } = terms ?? {};
    const rules = JSON.stringify([leverage, liquidation]);
    const before = margins.get(spec.quoteCurrency);
    if (before !== undefined && before.rules !== rules)
      throw new ConfigError(
        `${file}: sources: expected the same leverage and liquidation for ${before.symbol} and ${symbol}, whose account settles both in ${spec.quoteCurrency}; give one of them a venue of its own`,
      );
    margins.set(spec.quoteCurrency, { symbol, rules });
  }
  for (const instrument of instruments) {
    if (!isContract(instrumentTerms(scenario, instrument).terms)) continue;
    const { baseCurrency, quoteCurrency } = instrument.spec;
    const shared = [quoteCurrency, baseCurrency].find((currency) => spot.has(currency));
    if (shared !== undefined)
      throw new ConfigError(
        `${file}: sources: expected a venue of its own for ${instrument.symbol}, because a spot wallet (of ${spot.get(shared)}) and an account of contracts do not share ${shared}; add for example venue: futures`,
      );
  }
}
