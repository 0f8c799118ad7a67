import type { Instrument } from '../../core/model/instrument.ts';
import type { Core } from '../core.ts';
import type { Refusal } from '../refusal.ts';
import { refuse } from '../refusal.ts';

/** The symbols v2 knows: it has no futures. */
export function v2Instruments(core: Core): readonly Instrument[] {
  return core.instruments.all.filter(({ spec }) => spec.type === 'spot');
}

/** Those named, compared without case, or all of them; unknown names are left out. */
export function v2InstrumentsNamed(core: Core, names: readonly string[] | undefined): readonly Instrument[] {
  if (names === undefined) return v2Instruments(core);
  return names.flatMap((name) => findV2Instrument(core, name) ?? []);
}

/** The symbol of that name, compared without case. Source: v2-gaps, section 1. */
export function findV2Instrument(core: Core, name: string): Instrument | undefined {
  const instrument = core.instruments.find(name.toUpperCase());
  return instrument?.spec.type === 'spot' ? instrument : undefined;
}

/** What `run` says of a symbol, or error 2001. Source: v2-gaps, section 4.1. */
export function withV2Instrument<Value>(
  core: Core,
  name: string,
  run: (instrument: Instrument) => Value,
): Value | Refusal {
  const instrument = findV2Instrument(core, name);
  return instrument === undefined ? refuse(2_001) : run(instrument);
}
