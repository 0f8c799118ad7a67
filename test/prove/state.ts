import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What the numbers were measured on. */
export interface Measured {
  /** Twelve digits; a tree with changes ends in `+`. */
  readonly commit: string;
  readonly isClean: boolean;
}

/** Files that follow from what was measured, so that a tree which differs only in them is clean. */
const follows = ['test/prove/figures.json', 'docs/reliability.md'];

export function measuredOn(root: string): Measured {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  try {
    const changed = git('status', '--porcelain', '--', '.', ...follows.map((path) => `:!${path}`));
    const isClean = changed.trim() === '';
    return { commit: git('rev-parse', '--short=12', 'HEAD').trim() + (isClean ? '' : '+'), isClean };
  } catch {
    return { commit: 'unknown', isClean: false };
  }
}

interface Piece {
  readonly chunk: string;
  readonly value: unknown;
}

/** What was measured of one row already: a line of JSON for each piece, written as soon as it is known. */
export class RowState {
  readonly #path: string;
  readonly #pieces = new Map<string, unknown>();

  constructor(directory: string, row: string) {
    mkdirSync(directory, { recursive: true });
    this.#path = join(directory, `${row}.jsonl`);
    if (!existsSync(this.#path)) return;
    for (const line of readFileSync(this.#path, 'utf8').split('\n')) {
      const piece = pieceOf(line);
      if (piece !== undefined) this.#pieces.set(piece.chunk, piece.value);
    }
  }

  get chunks(): readonly string[] {
    return [...this.#pieces.keys()];
  }

  has(chunk: string): boolean {
    return this.#pieces.has(chunk);
  }

  get(chunk: string): unknown {
    return this.#pieces.get(chunk);
  }

  set(chunk: string, value: unknown): void {
    this.#pieces.set(chunk, value);
    const piece: Piece = { chunk, value };
    // The line begins anew, for the case that a stopped process left half of one.
    appendFileSync(this.#path, `\n${JSON.stringify(piece)}\n`);
  }
}

/** A line that a stopped process wrote in part is none. */
function pieceOf(line: string): Piece | undefined {
  try {
    const piece = JSON.parse(line) as Partial<Piece>;
    return typeof piece.chunk === 'string' ? { chunk: piece.chunk, value: piece.value } : undefined;
  } catch {
    return undefined;
  }
}

/** Removes what other commits have left. */
export function forgetOthers(root: string, kept: readonly string[]): void {
  if (!existsSync(root)) return;
  for (const name of readdirSync(root))
    if (!kept.includes(name)) rmSync(join(root, name), { recursive: true });
}
