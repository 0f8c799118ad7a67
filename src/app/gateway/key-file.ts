import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { z } from 'zod';
import { Secret } from '../../core/base/secret.ts';
import { ConfigError } from '../../core/config/error.ts';
import { unguessable } from '../../operate/index.ts';

/** The key pair of a program. */
export interface ProgramKey {
  readonly apiKey: string;
  readonly secret: Secret;
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
}

const keyText = z.string().regex(/^[A-Za-z0-9_-]{32}$/);
const keyFile = z.strictObject({
  version: z.literal(1),
  keys: z.record(
    z.string(),
    z.strictObject({ apiKey: keyText, secret: keyText, madeAt: z.int().nonnegative() }),
  ),
});

/**
 * The file with the keys of programs. It holds secrets as they are, since a signature can be checked by its secret alone, so nobody
 * else may read it. It is replaced as a whole, so a gateway that reads it meanwhile sees the keys of before or those of afterwards.
 */
export class KeyFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Keys by program; none where there is no file. Throws `ConfigError` for a file that others can read, or that is none of keys. */
  read(): ReadonlyMap<string, ProgramKey> {
    const found = statSync(this.path, { throwIfNoEntry: false });
    if (found === undefined) return new Map();
    if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
      throw new ConfigError(`gateway.keys: the file ${this.path} can be read by others; expected mode 0600`);
    const { keys } = this.#parsed();
    const byKey = new Map<string, string>();
    for (const [name, { apiKey }] of Object.entries(keys)) {
      const other = byKey.get(apiKey);
      if (other !== undefined)
        throw new ConfigError(
          `gateway.keys: the programs ${other} and ${name} have one key in ${this.path}; make another with godwit gateway rotate ${name}`,
        );
      byKey.set(apiKey, name);
    }
    return new Map(
      Object.entries(keys).map(([name, { secret, ...key }]) => [
        name,
        { ...key, secret: new Secret(secret) },
      ]),
    );
  }

  /** Text that is another one when the file was replaced. */
  get version(): string {
    const found = statSync(this.path, { throwIfNoEntry: false });
    return found === undefined ? '' : `${found.ino} ${found.mtimeMs} ${found.size} ${found.mode}`;
  }

  /** Gives a program a new key, in place of the one that it had. `now`: milliseconds since the epoch. */
  make(name: string, now: number): ProgramKey {
    const key = { apiKey: unguessable(192), secret: new Secret(unguessable(192)), madeAt: now };
    this.#write(new Map([...this.read(), [name, key]]));
    return key;
  }

  /** Takes the key of a program away. */
  remove(name: string): void {
    const keys = new Map(this.read());
    keys.delete(name);
    this.#write(keys);
  }

  #parsed(): z.output<typeof keyFile> {
    try {
      return keyFile.parse(JSON.parse(readFileSync(this.path, 'utf8')));
    } catch (cause) {
      // What the file holds is secret, and so is what a parser says of it.
      const why = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
      throw new ConfigError(
        `gateway.keys: expected the file ${this.path} as godwit gateway add writes it, found another${why}`,
      );
    }
  }

  #write(keys: ReadonlyMap<string, ProgramKey>): void {
    const rows = [...keys].map(([name, { secret, ...key }]) => [name, { ...key, secret: secret.reveal() }]);
    const text = `${JSON.stringify({ version: 1, keys: Object.fromEntries(rows) }, undefined, 2)}\n`;
    const beside = `${this.path}.${process.pid}.new`;
    try {
      const file = openSync(beside, 'wx', 0o600);
      try {
        writeSync(file, text);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(beside, this.path);
    } catch (cause) {
      rmSync(beside, { force: true });
      const why = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
      throw new ConfigError(`gateway.keys: cannot write the file ${this.path} (${why})`, { cause });
    }
  }
}
