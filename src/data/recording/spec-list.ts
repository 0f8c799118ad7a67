import { BadInput } from '../../core/base/errors.ts';
import type { InstrumentSpec } from '../../core/model/instrument.ts';
import { isMembers } from '../../core/base/members.ts';

const texts = [
  'symbol',
  'baseCurrency',
  'quoteCurrency',
  'feeCurrency',
  'tickSize',
  'quantityIncrement',
  'takeRate',
  'makeRate',
] as const;

/** The specs a file header of ours carries. Throws `BadInput` naming `path` when they are not what we write. */
export function readSpecList(value: unknown, path: string): readonly InstrumentSpec[] {
  if (!Array.isArray(value)) throw new BadInput(`${path}: expected a list of instruments in the header`);
  for (const spec of value as readonly unknown[]) {
    const missing = isMembers(spec) ? texts.find((name) => typeof spec[name] !== 'string') : texts[0];
    if (missing !== undefined) {
      throw new BadInput(`${path}: expected "${missing}" of every instrument in the header`);
    }
  }
  return value as readonly InstrumentSpec[];
}
