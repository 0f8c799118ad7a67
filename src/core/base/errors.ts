/** The base of every error Godwit raises on purpose. `code` has a row in `docs/errors.md`. */
export abstract class GodwitError extends Error {
  abstract readonly code: string;

  override get name(): string {
    return this.constructor.name;
  }
}

/** A bug: something that must hold did not. Never caught to trade on. */
export class BrokenInvariant extends GodwitError {
  override readonly code = 'GW_BROKEN_INVARIANT';
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(`${message}${describe(details)}`);
    this.details = details;
  }
}

/** Input from outside (a file, a frame, an argument) that is not what was expected. */
export class BadInput extends GodwitError {
  override readonly code: string = 'GW_BAD_INPUT';
}

/** Something that was named is not there. The process ends with its own exit code. */
export class NotFound extends GodwitError {
  override readonly code = 'GW_NOT_FOUND';
}

function describe(details: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(details);
  if (entries.length === 0) return '';
  return ` (${entries.map(([key, value]) => `${key} ${String(value)}`).join(', ')})`;
}
