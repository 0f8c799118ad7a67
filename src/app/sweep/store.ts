import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { BadInput } from '../../core/base/errors.ts';
import { isTree } from '../../core/config/layers.ts';
import { unwritable } from '../../data/recording/index.ts';
import { doubtCodes, prepareFile } from '../../research/report/index.ts';
import type { TrialOutcome } from './trial-contract.ts';

const storedLine = z.strictObject({
  key: z.string(),
  point: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])),
  figures: z.record(z.string(), z.number()),
  currency: z.string().optional(),
  digest: z.string(),
  failure: z.string().optional(),
  equity: z.strictObject({ times: z.array(z.number()), values: z.array(z.number()) }),
  doubts: z.array(z.strictObject({ code: z.enum(doubtCodes), text: z.string() })).optional(),
});

export type StoredTrial = z.output<typeof storedLine>;

/**
 * Results of trials, one JSON line each, kept by what they are results of: point, code, data and configuration. A sweep
 * that was interrupted finds here what it has done already. A last line that was cut off is dropped. Each line ends with a
 * checksum of the rest: one that was changed since is left out. Lines of before have none, and count.
 */
export class SweepStore {
  readonly path: string;
  readonly #known = new Map<string, StoredTrial>();
  readonly #changed: number[] = [];

  /** Throws `BadInput` with file and line when the file holds something else. `fresh` begins anew. */
  constructor(path: string, { fresh }: { readonly fresh: boolean }) {
    this.path = path;
    prepareFile('the store of results', path);
    try {
      if (fresh || !existsSync(path)) writeFileSync(path, '');
      else this.#read();
    } catch (error) {
      throw error instanceof BadInput ? error : unwritable(path, error);
    }
  }

  get size(): number {
    return this.#known.size;
  }

  /** Numbers of the lines that were changed since they were written: they count for nothing. */
  get changed(): readonly number[] {
    return this.#changed;
  }

  find(key: string): StoredTrial | undefined {
    return this.#known.get(key);
  }

  /** Keeps a result; a second one of the same key changes nothing. Throws `BadInput` when the disk refuses. */
  add(key: string, point: StoredTrial['point'], outcome: TrialOutcome): void {
    if (this.#known.has(key)) return;
    const { figures, currency, digest, failure, equity, doubts } = outcome;
    const line = {
      key,
      point,
      figures: { ...figures },
      ...(currency === undefined ? {} : { currency }),
      digest,
      ...(failure === undefined ? {} : { failure }),
      equity: { times: [...equity.times], values: [...equity.values] },
      ...(doubts === undefined ? {} : { doubts: [...doubts] }),
    };
    this.#known.set(key, line);
    const text = JSON.stringify(line);
    try {
      appendFileSync(this.path, `${text.slice(0, -1)},"sum":"${sumOf(text)}"}\n`);
    } catch (error) {
      throw unwritable(this.path, error);
    }
  }

  #read(): void {
    const text = readFileSync(this.path, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) truncateSync(this.path, Buffer.byteLength(whole));
    for (const [index, line] of whole.split('\n').entries()) {
      if (line === '') continue;
      const { sum, rest } = withoutSum(parsed(line));
      if (sum !== undefined && sum !== sumOf(JSON.stringify(rest))) {
        this.#changed.push(index + 1);
        continue;
      }
      const stored = storedLine.safeParse(rest);
      if (!stored.success)
        throw new BadInput(
          `${this.path}: line ${index + 1}: expected the result of a trial, found ${JSON.stringify(line.slice(0, 60))}; --no-resume begins anew`,
        );
      this.#known.set(stored.data.key, stored.data);
    }
  }
}

function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

function withoutSum(line: unknown): { readonly sum?: unknown; readonly rest: unknown } {
  if (!isTree(line)) return { rest: line };
  const { sum, ...rest } = line;
  return { sum, rest };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
