import { BadInput } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';

/**
 * Refuses a part that nobody reads. A strategy may come without its types having been checked: what is misspelt there
 * (`postonly: true`) would be left out without a word. Throws `BadInput` with the nearest name.
 */
export function refuseUnknown(value: object, known: ReadonlySet<string>, what: string): void {
  for (const key of Object.keys(value)) if (!known.has(key)) throw unknown(key, known, what);
}

/** The same of handlers: other members may be there, but none that looks like a handler and is none. */
export function refuseUnknownHandlers(handlers: object, known: ReadonlySet<string>): void {
  for (const key of Object.keys(handlers))
    if (/^on[A-Z]/.test(key) && !known.has(key)) throw unknown(key, known, 'what it returned');
}

function unknown(key: string, known: ReadonlySet<string>, what: string): BadInput {
  const near = nearest(key, [...known]);
  const hint = near === undefined ? `known are ${[...known].join(', ')}` : `did you mean ${near}?`;
  return new BadInput(`there is no ${JSON.stringify(key)} in ${what}, ${hint}`);
}
