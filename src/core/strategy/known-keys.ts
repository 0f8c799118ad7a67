import { BadInput } from '../base/errors.ts';
import { hintOf } from '../base/nearest.ts';
import type { StrategyHandlers } from './handlers.ts';

/**
 * Refuses an unknown key. A strategy may come without its types having been checked: what is misspelt there
 * (`postonly: true`) would be left out without a word. Throws `BadInput` with the nearest name.
 */
export function refuseUnknown(value: object, known: ReadonlySet<string>, what: string): void {
  for (const key of Object.keys(value)) if (!known.has(key)) throw unknown(key, known, what);
}

/**
 * Checks what `create` returned, as handlers. Other members may be there, but none that looks like a handler and is none.
 * Throws `BadInput` where it is nothing that could hold handlers: most likely a `return` was forgotten.
 */
export function checkedHandlers(made: unknown, known: ReadonlySet<string>): StrategyHandlers {
  if (typeof made !== 'object' || made === null) {
    const found = made === null ? 'null' : typeof made;
    throw new BadInput(`expected create to return handlers such as { onBook(book) {...} }, found ${found}`);
  }
  for (const [key, value] of Object.entries(made) as [string, unknown][]) {
    if (!/^on[A-Z]/.test(key)) continue;
    if (!known.has(key)) throw unknown(key, known, 'what it returned');
    if (value !== undefined && typeof value !== 'function') {
      throw new BadInput(`expected ${key} to be a function, found ${typeof value}`);
    }
  }
  return made;
}

function unknown(key: string, known: ReadonlySet<string>, what: string): BadInput {
  return new BadInput(`there is no ${JSON.stringify(key)} in ${what}, ${hintOf(key, [...known])}`);
}
