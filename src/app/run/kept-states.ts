import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { BadInput } from '../../core/base/errors.ts';
import { ConfigError } from '../../core/config/error.ts';
import { makeFolder } from '../../research/report/index.ts';
import type { KeptState } from '../../core/strategy/framework.ts';

const shape = z.strictObject({ version: z.int(), json: z.string() });

/** States that strategies keep over a restart: one file each in the run directory, replaced whole. */
export class KeptStates {
  readonly #folder: string;

  /** Throws `ConfigError` when the run directory takes nothing. */
  constructor(directory: string) {
    this.#folder = join(directory, 'kept');
    try {
      makePrivate(directory);
      makePrivate(this.#folder);
      accessSync(this.#folder, constants.W_OK);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new ConfigError(`run.directory: expected a folder that can be written, found: ${why}`, {
        cause: error,
      });
    }
  }

  /** State that the strategy kept last, or `undefined`. Throws `BadInput` when its file is damaged. */
  read(strategy: string): KeptState | undefined {
    const file = this.#file(strategy);
    if (!existsSync(file)) return undefined;
    try {
      return shape.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      throw new BadInput(`${file}: expected the kept state of strategy ${strategy}; mend or remove the file`);
    }
  }

  write(strategy: string, state: KeptState): void {
    const file = this.#file(strategy);
    writeFileSync(`${file}.next`, JSON.stringify({ version: state.version, json: state.json }), {
      mode: 0o600,
    });
    renameSync(`${file}.next`, file);
  }

  /** Forgets what the strategy kept: it is no longer its own. */
  forget(strategy: string): void {
    rmSync(this.#file(strategy), { force: true });
  }

  #file(strategy: string): string {
    return join(this.#folder, `${strategy}.json`);
  }
}

/** Makes a folder private; one that is there stays as it is. */
function makePrivate(folder: string): void {
  makeFolder(dirname(resolve(folder)));
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
}
