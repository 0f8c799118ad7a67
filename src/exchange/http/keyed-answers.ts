import type { Instrument } from '../../core/model/instrument.ts';
import type { Core } from '../core.ts';
import type { Refusal } from '../refusal.ts';
import { symbolNotFound } from '../refusal.ts';

/** Values keyed by symbol; unknown symbols are left out, as live hosts do. Source: v3-gaps, section 4.6. */
export function bySymbol(
  core: Core,
  symbols: readonly string[] | undefined,
  read: (instrument: Instrument) => object | undefined,
): object {
  const names = symbols ?? core.instruments.all.map(({ symbol }) => symbol);
  return byName(names, (name) => {
    const instrument = core.instruments.find(name);
    return instrument === undefined ? undefined : read(instrument);
  });
}

/** The value of one symbol, or error 2001. */
export function ofSymbol<Value>(
  core: Core,
  symbol: string,
  read: (instrument: Instrument) => Value,
): Value | Refusal {
  const instrument = core.instruments.find(symbol);
  return instrument === undefined ? symbolNotFound(symbol) : read(instrument);
}

/** Values keyed by name; names without a value are left out. */
export function byName(names: readonly string[], read: (name: string) => object | undefined): object {
  const entries: [string, object][] = [];
  for (const name of names) {
    const value = read(name);
    if (value !== undefined) entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}
