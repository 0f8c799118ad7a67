import { BadInput } from '../base/errors.ts';
import { expectationOf } from '../base/expectation.ts';
import type { KeptValue } from './context.ts';
import type { KeptDeclaration } from './define.ts';
import type { KeptState } from './host.ts';

const jsonCharactersMax = 1_000_000;

/** The state a strategy declared: checked by its schema on the way in and out, versioned, at most 1 MB of JSON. */
export class KeptStore implements KeptValue<unknown> {
  readonly #strategy: string;
  readonly #declared: KeptDeclaration<unknown> | undefined;
  readonly #keepState: (state: KeptState) => void;
  #value: unknown;

  constructor(
    strategy: string,
    declared: KeptDeclaration<unknown> | undefined,
    kept: KeptState | undefined,
    keep: (state: KeptState) => void,
  ) {
    this.#strategy = strategy;
    this.#declared = declared;
    this.#keepState = keep;
    if (declared !== undefined && kept !== undefined) this.#value = this.#restore(declared, kept);
  }

  read(): unknown {
    return this.#value;
  }

  write(value: unknown): void {
    const declared = this.#declared;
    if (declared === undefined) {
      throw new BadInput(
        `strategy ${this.#strategy}: kept.write needs a state: { version, schema } declaration`,
      );
    }
    const checked = this.#checked(declared, value, 'kept.write');
    const json = JSON.stringify(checked);
    if (json === undefined || json.length > jsonCharactersMax) {
      throw new BadInput(
        `strategy ${this.#strategy}: expected the kept state to be JSON of at most ${jsonCharactersMax} characters`,
      );
    }
    this.#value = checked;
    this.#keepState({ version: declared.version, json });
  }

  #restore(declared: KeptDeclaration<unknown>, kept: KeptState): unknown {
    const value: unknown = JSON.parse(kept.json);
    if (kept.version === declared.version) return this.#checked(declared, value, 'what an earlier run kept');
    if (declared.migrate === undefined) return undefined;
    return this.#checked(declared, declared.migrate(value, kept.version), 'what migrate made');
  }

  #checked({ schema }: KeptDeclaration<unknown>, value: unknown, what: string): unknown {
    const { success, data, error } = schema.safeParse(value);
    if (success) return data;
    const [issue] = error.issues;
    const path = (issue?.path ?? []).map((key) => `.${String(key)}`).join('');
    throw new BadInput(
      `strategy ${this.#strategy}: ${what}: the state${path}: ${expectationOf(issue?.message ?? '')}`,
    );
  }
}
