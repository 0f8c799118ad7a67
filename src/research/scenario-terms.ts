import type { Micros } from '../base/clock.ts';
import { BadInput } from '../base/errors.ts';
import { nearest } from '../config/nearest.ts';
import type { Instruments } from '../model/instrument.ts';
import type { LoadedScenario } from './load-scenario.ts';

/**
 * What of a scenario can only be checked against its data: that its clock ends after the run begins, and that its money is
 * of currencies there. Throws `BadInput` with file, place, expectation and finding.
 */
export function checkTerms(
  { scenario, file }: LoadedScenario,
  instruments: Instruments,
  start: Micros,
): void {
  const { end } = scenario.clock;
  if (end !== undefined && end <= start) {
    const [begin, found] = [start, end].map((time) => new Date(time / 1_000).toISOString());
    throw new BadInput(`${file}: clock.end: expected a time after the run begins (${begin}), found ${found}`);
  }
  checkBalances(scenario.balances, instruments, file);
}

/** Throws `BadInput` when money is named that nothing in the data is traded in. */
export function checkBalances(
  balances: Readonly<Record<string, string>>,
  instruments: Instruments,
  file: string,
): void {
  const known = new Set(
    instruments.all.flatMap(({ spec }) => [spec.baseCurrency, spec.quoteCurrency, spec.feeCurrency]),
  );
  const unknown = Object.keys(balances).find((currency) => !known.has(currency));
  if (unknown === undefined) return;
  const near = nearest(unknown, [...known]);
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  throw new BadInput(
    `${file}: balances.${unknown}: expected a currency of the data (${[...known].slice(0, 12).join(', ')}), found ${unknown}${hint}`,
  );
}
