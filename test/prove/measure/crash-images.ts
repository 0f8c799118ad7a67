import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GodwitError } from '../../../src/core/base/errors.ts';
import { Random } from '../../../src/core/base/random.ts';
import { DiskJournal } from '../../../src/core/journal/disk.ts';
import { encodeEvent, isKept } from '../../../src/core/journal/records/records.ts';
import { readJournal } from '../../../src/core/journal/replay.ts';
import { startDirectory } from '../../../src/core/journal/start-directory.ts';
import { unfinishedPath } from '../../../src/core/journal/segments/segments.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { carried, filled, noted, pending } from '../../core/journal/support/events.ts';

/** The files of a run directory at one moment. */
type Image = ReadonlyMap<string, Buffer>;

export const damages = ['cut', 'zeroed', 'flipped', 'reordered'] as const;
export type Damage = (typeof damages)[number];

/** What came of images. It goes through JSON. */
export interface ImageCounts {
  images: number;
  /** Acknowledged records that a start after a crash does not find, starts that it refuses included. */
  lost: number;
  /** Acknowledged records that are gone after damage, and nothing says so. */
  unnoticed: number;
  /** Records that come out and were never written, or were otherwise. */
  phantoms: number;
  /** Images of damage that a start noticed, or refused. */
  noticed: number;
  /** The first that went wrong, in words. */
  wrong: string[];
}

export function noCounts(): ImageCounts {
  return { images: 0, lost: 0, unnoticed: 0, phantoms: 0, noticed: 0, wrong: [] };
}

const header = 'instruments';
/** Disk writes go to the page cache at best: a file in sectors of so many bytes, each written whole or not at all. */
const sector = 512;

/** A journal of real files, and every moment at which a record had just been acknowledged. */
export class CrashImages {
  /** The text of each record, by sequence from 1. */
  readonly #texts: readonly string[];
  /** Moment `n` is that at which record `n` was acknowledged; the one at 0 has none. */
  readonly #moments: readonly Image[];
  readonly #directory: string;
  #number = 0;

  private constructor(texts: readonly string[], moments: readonly Image[], directory: string) {
    this.#texts = texts;
    this.#moments = moments;
    this.#directory = directory;
  }

  /** Writes so many records through the journal itself: several segments, carried states, and a restart in the middle. */
  static async write(records: number): Promise<CrashImages> {
    // In memory where there is such a folder: what a sync costs is not the question here.
    const root = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
    const directory = mkdtempSync(join(root, 'godwit-images-'));
    const run = join(directory, 'run');
    const options = { segmentMib: 1 / 24 };
    const texts: string[] = [];
    let journal = new DiskJournal({ directory: run, header, options });
    const moments = [filesOf(run)];
    for (let sequence = 1; sequence <= records; sequence++) {
      const event = eventAt(sequence);
      texts.push(textOf(event));
      journal.append(event, sequence);
      await new Promise<void>((resolve) => journal.whenDurable(resolve));
      moments.push(await settled(run));
      if (sequence !== Math.ceil(records / 2) + 3) continue;
      await journal.close();
      journal = new DiskJournal({ directory: run, header, options });
      moments.splice(-1, 1, filesOf(run));
    }
    await journal.close();
    return new CrashImages(texts, moments, directory);
  }

  get records(): number {
    return this.#texts.length;
  }

  /** How many files of segments there are at the end. */
  get segments(): number {
    return [...(this.#moments.at(-1)?.keys() ?? [])].filter((name) => name.endsWith('.sqlite')).length;
  }

  /** The end of every file of the last moment and every boundary of a record: crashes and damage there. */
  boundaries(from: number, to: number, counts: ImageCounts): void {
    const random = new Random(from).fork('boundaries');
    for (let moment = from; moment < to && moment < this.records; moment++) {
      this.#rotation(moment, random, counts);
      for (const damage of damages) {
        this.#crash(moment, damage, 0, random, counts);
        for (const [name, bytes] of this.#image(moment + 1)) {
          const begin = firstDifference(this.#image(moment).get(name), bytes);
          if (begin < bytes.length) this.#damage(moment + 1, damage, { name, at: begin }, random, counts);
        }
      }
    }
  }

  /** So many drawn offsets of the journal's files, half of them in what a crash leaves half-written, each damaged in every way. */
  offsets(seed: number, count: number, counts: ImageCounts): void {
    const random = new Random(seed).fork('offsets');
    const moments = this.#texts.map((_, moment) => moment);
    const within = moments.filter((moment) => !this.#isRotation(moment));
    for (let i = 0; i < count; i++) {
      if (i % 2 === 0) {
        const moment = random.pick(within);
        const part = random.float();
        for (const damage of damages) this.#crash(moment, damage, part, random, counts);
        continue;
      }
      const moment = random.pick(moments);
      const image = this.#image(moment + 1);
      const name = random.pick([...image.keys()].filter((one) => (image.get(one)?.length ?? 0) > 0));
      const at = random.between(0, (image.get(name)?.length ?? 1) - 1);
      for (const damage of damages) this.#damage(moment + 1, damage, { name, at }, random, counts);
    }
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #image(moment: number): Image {
    return this.#moments[moment] ?? new Map<string, Buffer>();
  }

  /** Whether files come or go behind a moment. The steps of a new segment have an order, and images of their own. */
  #isRotation(moment: number): boolean {
    return this.#image(moment).size !== this.#image(moment + 1).size;
  }

  /** The lights go out while a record is written: what was synced is there, and of the rest a part. */
  #crash(moment: number, damage: Damage, part: number, random: Random, counts: ImageCounts): void {
    const before = this.#image(moment);
    const after = this.#image(moment + 1);
    if (this.#isRotation(moment)) return;
    const logs = [...after].filter(([name, bytes]) => name.endsWith('-wal') && bytes !== before.get(name));
    const image = new Map(before);
    for (const [name, bytes] of logs)
      image.set(name, partOf(before.get(name), bytes, { damage, part, random }));
    const found = this.#start(image);
    counts.images += 1;
    const why = found.error ?? (found.tail < moment ? `ends with record ${found.tail}` : undefined);
    if (why !== undefined) {
      counts.lost += Math.max(1, moment - found.tail);
      note(counts, `crash behind record ${moment}, ${damage}: ${why}`);
    }
    this.#judgePhantoms(found, moment + 1, counts);
  }

  /** Steps of a new segment: half a file under another name, and a whole one with nothing else done. */
  #rotation(moment: number, random: Random, counts: ImageCounts): void {
    const before = this.#image(moment);
    const [created] = [...this.#image(moment + 1)].filter(
      ([name]) => name.endsWith('.sqlite') && !before.has(name),
    );
    if (created === undefined) return;
    const [name, bytes] = created;
    const half = new Map(before).set(
      unfinishedPath(name),
      bytes.subarray(0, random.between(0, bytes.length)),
    );
    const whole = new Map(before).set(name, bytes);
    for (const [image, least] of [
      [half, moment],
      [whole, moment + 1],
    ] as const) {
      const found = this.#start(image);
      counts.images += 1;
      if (found.error !== undefined || found.tail < least) {
        counts.lost += Math.max(1, least - found.tail);
        note(counts, `a new segment behind record ${moment}: ${found.error ?? `ends with ${found.tail}`}`);
      }
      this.#judgePhantoms(found, moment + 1, counts);
    }
  }

  /** A file that was whole is damaged: whatever is gone is noticed. */
  #damage(
    moment: number,
    damage: Damage,
    place: { readonly name: string; readonly at: number },
    random: Random,
    counts: ImageCounts,
  ): void {
    const image = new Map(this.#image(moment));
    const bytes = Buffer.from(image.get(place.name) ?? []);
    image.set(place.name, damaged(bytes, place.at, { damage, random }));
    const found = this.#start(image);
    counts.images += 1;
    if (found.isNoticed) counts.noticed += 1;
    else if (found.tail < moment) {
      counts.unnoticed += moment - found.tail;
      note(
        counts,
        `${place.name} ${damage} at ${place.at} of ${bytes.length}: ends with ${found.tail} of ${moment}, unnoticed`,
      );
    }
    this.#judgePhantoms(found, moment, counts);
  }

  #judgePhantoms({ texts, tail }: Found, most: number, counts: ImageCounts): void {
    const wrong = texts.findIndex((text, index) => text !== this.#texts[index]);
    if (wrong < 0 && tail <= most) return;
    counts.phantoms += 1;
    note(counts, wrong < 0 ? `record ${tail} came out of ${most}` : `record ${wrong + 1} is another one`);
  }

  /** What a start finds in an image, and what readers find after it. */
  #start(image: Image): Found {
    const directory = join(this.#directory, `image-${this.#number++}`);
    mkdirSync(directory, { mode: 0o700 });
    for (const [name, bytes] of image) writeFileSync(join(directory, name), bytes, { mode: 0o600 });
    const texts: string[] = [];
    let tail = 0;
    try {
      const { tail: found, cut, loss, unchecked } = startDirectory(directory, header, () => undefined);
      tail = found;
      for (const { event } of readJournal(directory)) texts.push(textOf(event));
      const isNoticed = cut !== undefined || loss !== undefined || unchecked !== undefined;
      const isRead = texts.length === tail;
      return { texts, tail, isNoticed, error: isRead ? undefined : `${texts.length} of ${tail} can be read` };
    } catch (error) {
      if (!(error instanceof GodwitError)) throw error;
      return { texts, tail, isNoticed: true, error: error.message };
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
}

interface Found {
  readonly texts: readonly string[];
  readonly tail: number;
  readonly isNoticed: boolean;
  readonly error: string | undefined;
}

function note({ wrong }: ImageCounts, why: string): void {
  if (wrong.length < 5) wrong.push(why);
}

/** The event as the journal has it. */
function textOf(event: Event): string {
  return isKept(event) ? encodeEvent(event) : event.kind;
}

function eventAt(sequence: number): Event {
  if (sequence % 12 === 0) return carried(3);
  if (sequence % 5 === 0) return noted(sequence, 1_500);
  return sequence % 2 === 0 ? pending(sequence) : filled(sequence);
}

/** Files of a run directory that outlive a loss of power. One that the writer removes meanwhile is left out. */
function filesOf(directory: string, before: Image = new Map()): Image {
  const names = readdirSync(directory).filter((name) => name !== 'journal.lock' && !name.endsWith('-shm'));
  const files = new Map<string, Buffer>();
  for (const name of names.sort()) {
    const bytes = bytesOf(join(directory, name));
    if (bytes === undefined) continue;
    const same = before.get(name);
    files.set(name, same?.equals(bytes) === true ? same : bytes);
  }
  return files;
}

function bytesOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The files once the writer has done what it does behind an acknowledgement. */
async function settled(directory: string): Promise<Image> {
  let image = filesOf(directory);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const next = filesOf(directory, image);
    if (next.size === image.size && [...next].every(([name, bytes]) => image.get(name) === bytes))
      return next;
    image = next;
  }
}

function firstDifference(before: Buffer | undefined, after: Buffer): number {
  if (before === undefined) return 0;
  let at = 0;
  while (at < before.length && before[at] === after[at]) at += 1;
  return at;
}

/** A file on its way from one moment to the next: what was not written is as it was, and behind its old end absent or zero. */
function partOf(
  before: Buffer | undefined,
  after: Buffer,
  { damage, part, random }: { damage: Damage; part: number; random: Random },
): Buffer {
  const old = before ?? Buffer.alloc(0);
  const begin = firstDifference(before, after);
  const at = Math.min(after.length - 1, begin + Math.floor(part * (after.length - begin)));
  const image = Buffer.alloc(Math.max(old.length, after.length));
  old.copy(image);
  switch (damage) {
    case 'cut':
      after.copy(image, 0, 0, at);
      return image.subarray(0, Math.max(old.length, at));
    case 'zeroed':
      after.copy(image, 0, 0, at);
      return image;
    case 'flipped':
      after.copy(image);
      image[at] = (image[at] ?? 0) ^ (1 << random.between(0, 7));
      return image;
    case 'reordered':
      for (let from = begin - (begin % sector); from < after.length; from += sector)
        if (random.chance(0.5)) after.copy(image, from, from, from + sector);
      return image;
  }
}

function damaged(bytes: Buffer, at: number, { damage, random }: { damage: Damage; random: Random }): Buffer {
  switch (damage) {
    case 'cut':
      return bytes.subarray(0, at);
    case 'zeroed':
      return bytes.fill(0, at);
    case 'flipped':
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.between(0, 7));
      return bytes;
    case 'reordered': {
      const one = at - (at % sector);
      const most = Math.max(0, Math.ceil(bytes.length / sector) - 1);
      const other = random.between(0, most) * sector;
      const kept = Buffer.from(bytes.subarray(one, one + sector));
      bytes.copy(bytes, one, other, other + sector);
      kept.copy(bytes, other);
      return bytes;
    }
  }
}
