import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { FigureLine } from './figure-lines.ts';
import { keptText } from './figure-lines.ts';

/** Figures of earlier runs in a file, in which those of a row take the place of older ones as soon as it is measured. */
export class KeptFigures {
  readonly #path: string;
  #lines: readonly FigureLine[];

  /** Throws where the file holds something else: hours later it would be lost. */
  constructor(path: string) {
    this.#path = path;
    this.#lines = existsSync(path) ? linesOf(path) : [];
  }

  /** A row that has measured nothing changes nothing. The file is written whole or not at all. */
  keep(lines: readonly FigureLine[]): void {
    if (lines.length === 0) return;
    const text = keptText(this.#lines, lines);
    this.#lines = JSON.parse(text) as readonly FigureLine[];
    const next = `${this.#path}.next`;
    writeFileSync(next, text);
    renameSync(next, this.#path);
  }
}

function linesOf(path: string): readonly FigureLine[] {
  try {
    const lines: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (Array.isArray(lines)) return lines as readonly FigureLine[];
  } catch {
    // The sentence below says it.
  }
  throw new Error(`${path} holds no list of figures; mend it or move it away, then measure again`);
}
