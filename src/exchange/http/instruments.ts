import type { Instrument, InstrumentId, Lots } from '../../core/model/instrument.ts';
import type { Markets, Refusal } from '../base/index.ts';
import { symbolNotFound, refuse, badParameter } from '../base/index.ts';
import { parseAmount, zero } from '../../core/base/amount.ts';
import { BadInput } from '../../core/base/errors.ts';

/** Values keyed by symbol; unknown symbols are left out, as live hosts do. Source: v3-gaps, section 4.6. */
export function bySymbol(
  core: Pick<Markets, 'instruments'>,
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
  core: Pick<Markets, 'instruments'>,
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

/** The symbols v2 knows: it has no futures. */
export function v2Instruments(core: Pick<Markets, 'instruments'>): readonly Instrument[] {
  return core.instruments.all.filter(({ spec }) => spec.type === 'spot');
}

/** Those named, compared without case, or all of them; unknown names are left out. */
export function v2InstrumentsNamed(
  core: Pick<Markets, 'instruments'>,
  names: readonly string[] | undefined,
): readonly Instrument[] {
  if (names === undefined) return v2Instruments(core);
  return names.flatMap((name) => findV2Instrument(core, name) ?? []);
}

/** Values of v2 keyed by symbol; unknown symbols are left out. */
export function v2BySymbol(
  core: Pick<Markets, 'instruments'>,
  names: readonly string[] | undefined,
  read: (instrument: Instrument) => object,
): object {
  return Object.fromEntries(
    v2InstrumentsNamed(core, names).map((instrument) => [instrument.symbol, read(instrument)]),
  );
}

/** The symbol of that name, compared without case. Source: v2-gaps, section 1. */
function findV2Instrument(core: Pick<Markets, 'instruments'>, name: string): Instrument | undefined {
  const instrument = core.instruments.find(name.toUpperCase());
  return instrument?.spec.type === 'spot' ? instrument : undefined;
}

/** Result of `run` for a symbol, or error 2001. Source: v2-gaps, section 4.1. */
export function withV2Instrument<Value>(
  core: Pick<Markets, 'instruments'>,
  name: string,
  run: (instrument: Instrument) => Value,
): Value | Refusal {
  const instrument = findV2Instrument(core, name);
  return instrument === undefined ? refuse(2_001) : run(instrument);
}

/** A volume text as lots, rounded up so that it is reached; off-grid volumes are fine here. */
export function lotsFor(instrument: Instrument, text: string): number | Refusal {
  try {
    const step = instrument.quantityAmount(1 as Lots);
    const volume = parseAmount(text);
    if (volume < zero) return badParameter('volume', 'Parameter must not be negative');
    return Number((volume + step - 1n) / step);
  } catch (error) {
    if (error instanceof BadInput) {
      return badParameter('volume', `Can't parse value from string: ${text.slice(0, 40)}`);
    }
    throw error;
  }
}

/** As `withV2Instrument`, where the symbol may be left out. */
export function withOptionalV2Instrument<Value>(
  core: Pick<Markets, 'instruments'>,
  name: string | undefined,
  run: (instrument: Instrument | undefined) => Value,
): Value | Refusal {
  return name === undefined ? run(undefined) : withV2Instrument(core, name, run);
}

/** Whether an instrument is among those named; every one is where none are named. */
export function symbolFilter(
  core: Pick<Markets, 'instruments'>,
  symbols: readonly string[] | undefined,
): (id: InstrumentId) => boolean {
  if (symbols === undefined) return () => true;
  const ids = new Set(symbols.map((symbol) => core.instruments.find(symbol)?.id));
  return (id) => ids.has(id);
}
