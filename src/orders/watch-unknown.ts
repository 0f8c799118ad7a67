import type { StateView } from '../state/view.ts';

/** Why trading is to be halted because too many orders are unknown. Source: faults, section 6 (16). */
export function tooManyUnknown(view: StateView, unknownOrdersMax: number): string | undefined {
  const count = view.unknownCount();
  if (count <= unknownOrdersMax || view.mode === 'halted') return undefined;
  return `${count} orders are unknown, more than the ${unknownOrdersMax} allowed`;
}
