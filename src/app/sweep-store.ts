import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { BadInput } from '../base/errors.ts';
import { unwritable } from '../feed/lines.ts';
import type { TrialOutcome } from './trial-contract.ts';

const storedLine = z.strictObject({
  key: z.string(),
  point: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])),
  figures: z.record(z.string(), z.number()),
  digest: z.string(),
  failure: z.string().optional(),
  equity: z.strictObject({ times: z.array(z.number()), values: z.array(z.number()) }),
});

export type StoredTrial = z.output<typeof storedLine>;

/**
 * Results of trials, one JSON line each, kept by what they are results of: point, code, data and configuration. A sweep
 * that was interrupted finds here what it has done already. A last line that was cut off is dropped.
 */
export class SweepStore {
  readonly path: string;
  readonly #known = new Map<string, StoredTrial>();

  /** Throws `BadInput` with file and line when the file holds something else. `fresh` begins anew. */
  constructor(path: string, { fresh }: { readonly fresh: boolean }) {
    this.path = path;
    try {
      mkdirSync(dirname(path), { recursive: true });
      if (fresh || !existsSync(path)) writeFileSync(path, '');
      else this.#read();
    } catch (error) {
      throw error instanceof BadInput ? error : unwritable(path, error);
    }
  }

  get size(): number {
    return this.#known.size;
  }

  find(key: string): StoredTrial | undefined {
    return this.#known.get(key);
  }

  /** Keeps a result; a second one of the same key changes nothing. */
  add(key: string, point: StoredTrial['point'], outcome: TrialOutcome): void {
    if (this.#known.has(key)) return;
    const { figures, digest, failure, equity } = outcome;
    const line = {
      key,
      point,
      figures: { ...figures },
      digest,
      ...(failure === undefined ? {} : { failure }),
      equity: { times: [...equity.times], values: [...equity.values] },
    };
    this.#known.set(key, line);
    appendFileSync(this.path, `${JSON.stringify(line)}\n`);
  }

  #read(): void {
    const text = readFileSync(this.path, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) truncateSync(this.path, Buffer.byteLength(whole));
    for (const [index, line] of whole.split('\n').entries()) {
      if (line === '') continue;
      const stored = storedLine.safeParse(parsed(line));
      if (!stored.success)
        throw new BadInput(
          `${this.path}: line ${index + 1}: expected the result of a trial, found ${JSON.stringify(line.slice(0, 60))}; --no-resume begins anew`,
        );
      this.#known.set(stored.data.key, stored.data);
    }
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
