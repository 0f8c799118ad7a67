import { statSync } from 'node:fs';

/** Notices when files in use are deleted or others put in their place: whoever has them open writes on into nothing. */
export class FilesInPlace {
  /** The file that stood at a path when it was seen first, by its number in the file system. */
  readonly #seen = new Map<string, number | undefined>();

  /** Files that are not there yet are taken up as soon as they are. */
  constructor(paths: readonly string[]) {
    for (const path of paths) this.#seen.set(path, fileAt(path));
  }

  /** One sentence about the first file that is gone, if any is. */
  missing(): string | undefined {
    for (const [path, before] of this.#seen) {
      const now = fileAt(path);
      if (before === now) continue;
      if (before !== undefined)
        return `${path} was ${now === undefined ? 'deleted' : 'replaced'} while it was in use`;
      this.#seen.set(path, now);
    }
    return undefined;
  }
}

function fileAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
