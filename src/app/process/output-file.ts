import { realpathSync } from 'node:fs';
import { BadInput } from '../../core/base/errors.ts';
import { prepareFile } from '../../research/report/index.ts';

/**
 * Looks whether a file can be written where a person wants it. Throws `BadInput` when not, and when it, or the name it has
 * until it is whole, is one of the files that are read.
 */
export function prepareOutput(inputs: readonly string[], out: string): void {
  for (const name of [out, `${out}.unfinished`]) {
    const input = inputs.find((one) => isSame(one, name));
    if (input !== undefined)
      throw new BadInput(
        `${out}: expected another file than those that are read, found ${input}; name another with --out`,
      );
  }
  prepareFile('--out', out);
}

function isSame(one: string, other: string): boolean {
  const real = realOf(one);
  return real !== undefined && real === realOf(other);
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
