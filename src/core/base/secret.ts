import { inspect } from 'node:util';

/** A text that no log, error, JSON or inspection shows. `reveal` is for signing and nothing else. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  /** @internal */
  [inspect.custom](): string {
    return '[secret]';
  }
}

/** An API key pair. */
export interface Credentials {
  readonly apiKey: string;
  readonly secret: Secret;
}
