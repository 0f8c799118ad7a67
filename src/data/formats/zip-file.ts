import { createReadStream } from 'node:fs';
import type { UnzipFile } from 'fflate';
import { Unzip, UnzipInflate } from 'fflate';
import { BadInput } from '../../core/base/errors.ts';

/** Some bytes of the one file inside a zip. */
export interface ZipPiece {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const pieceBytes = 64 * 1024;

/**
 * The content of a zip that holds one file (folders do not count), unpacked while it is read. Throws `BadInput` with the
 * path when there is no file in it, more than one, or the zip is cut short.
 */
export async function* unzipFile(path: string): AsyncGenerator<ZipPiece, void, undefined> {
  const reader = new OneFile(path);
  for await (const chunk of createReadStream(path, { highWaterMark: pieceBytes })) {
    reader.push(chunk as Uint8Array, false);
    yield* reader.takePieces();
  }
  reader.push(new Uint8Array(0), true);
  yield* reader.takePieces();
  reader.endFile();
}

class OneFile {
  readonly #path: string;
  readonly #unzip: Unzip;
  #name: string | undefined;
  #pieces: Uint8Array[] = [];
  #problem: Error | undefined;
  #isWhole = false;

  constructor(path: string) {
    this.#path = path;
    this.#unzip = new Unzip((file) => this.#found(file));
    this.#unzip.register(UnzipInflate);
  }

  push(bytes: Uint8Array, isLast: boolean): void {
    this.#unzip.push(bytes, isLast);
    if (this.#problem !== undefined) throw this.#problem;
  }

  *takePieces(): Generator<ZipPiece, void, undefined> {
    const pieces = this.#pieces;
    this.#pieces = [];
    for (const bytes of pieces) yield { name: this.#name ?? '', bytes };
  }

  endFile(): void {
    if (this.#name === undefined) {
      throw new BadInput(`${this.#path}: expected a zip with one file of data in it, found none`);
    }
    if (!this.#isWhole) {
      throw new BadInput(
        `${this.#path}: expected a whole zip, found the end inside ${this.#name}; fetch the file again`,
      );
    }
  }

  #found(file: UnzipFile): void {
    if (file.name.endsWith('/')) return;
    if (file.name === '[Content_Types].xml' || file.name.startsWith('xl/')) {
      this.#problem = new BadInput(
        `${this.#path}: expected data, found a workbook of Excel; save its sheet as CSV, which is read with decimal commas, too`,
      );
      return;
    }
    if (this.#name !== undefined) {
      this.#problem = new BadInput(
        `${this.#path}: expected a zip with one file of data in it, found ${this.#name} and ${file.name}; unpack it and name the files`,
      );
      return;
    }
    this.#name = file.name;
    file.ondata = (error, bytes, isFinal) => {
      if (error !== null) this.#problem = error;
      else this.#pieces.push(bytes);
      if (isFinal) this.#isWhole = true;
    };
    file.start();
  }
}
