import type { FileHead } from '../formats/index.ts';

/** One layout of files that is read without a flag that it does not name: a row of docs/import.md. */
export interface FileLayout {
  /** Program or archive, and the kind of its files: `Freqtrade candles, feather`. */
  readonly name: string;
  /** The format that reads it, as in `--format`. */
  readonly format: string;
  /** A name such as the program gives to its file; symbol and period are known from it where the content does not tell them. */
  readonly file: string;
  /** The header as it stands in the file, or the first row where there is none. */
  readonly begins: string;
  /** Versions of the program that write it, or the times since when its archive has it. */
  readonly writtenBy: string;
  /** The flags that it needs, and why: neither the content nor the name tells. Absent where it needs none. */
  readonly flags?: string;
}

/** A layout that is known and refused: a row of docs/import.md. */
export interface RefusedLayout {
  readonly name: string;
  /** The header as it stands in the file, or the first row where there is none. */
  readonly begins: string;
  /** Recognises such a file among those of no format, by its beginning. */
  readonly detects: (head: FileHead) => boolean;
  /** Part of a sentence: the kind of file, the nearest layout that is read, and the way to it. */
  readonly instead: string;
}
