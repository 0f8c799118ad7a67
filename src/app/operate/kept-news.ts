import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../core/base/logger.ts';
import type { KeptNews, NewsStore } from '../../operate/index.ts';
import { keptNewsShape } from '../../operate/index.ts';
import { writeOwnFile } from './run-file.ts';

const fileName = 'news.json';
/**
 * News that has not arrived, in a file of the run directory. It is written at the end of the turn in which it changed. What cannot be
 * written is logged, and stays in memory: news must not stop what it tells of.
 */
export class KeptNewsFile {
  readonly #directory: string;
  readonly #log: Logger;
  readonly #earlier: ReadonlyMap<string, readonly KeptNews[]>;
  /** Of places that are still told: what waits for others is dropped with the first change. */
  readonly #places = new Map<string, readonly KeptNews[]>();
  #isChanged = false;

  constructor(directory: string, log: Logger) {
    this.#directory = directory;
    this.#log = log;
    this.#earlier = new Map(Object.entries(this.#read()));
  }

  storeOf(place: string): NewsStore {
    return {
      earlier: () => this.#earlier.get(place) ?? [],
      keep: (news) => {
        if (news.length === 0) this.#places.delete(place);
        else this.#places.set(place, news);
        if (this.#isChanged) return;
        this.#isChanged = true;
        queueMicrotask(() => this.close());
      },
    };
  }

  /** Writes what is not written yet. */
  close(): void {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    try {
      writeOwnFile(this.#directory, fileName, { version: 1, places: Object.fromEntries(this.#places) });
    } catch (error) {
      this.#log.warn(
        { why: String(error) },
        `${fileName} could not be written: news would not survive a restart`,
      );
    }
  }

  #read(): Readonly<Record<string, readonly KeptNews[]>> {
    const path = join(this.#directory, fileName);
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch {
      return {};
    }
    try {
      return keptNewsShape.parse(JSON.parse(text)).places;
    } catch {
      this.#log.warn({ path }, 'expected news that an earlier run did not deliver, found something else');
      return {};
    }
  }
}
