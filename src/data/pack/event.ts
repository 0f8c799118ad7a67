import { BadInput } from '../../core/base/errors.ts';
import type { Event } from '../../core/model/event.ts';
import type { InstrumentSpec } from '../../core/model/instrument.ts';
import { Instruments } from '../../core/model/instrument.ts';
import { isMembers } from '../../core/base/members.ts';
import type { Block, BlockCodec, ByteSource, Ending, Printing, BookProof } from '../recording/index.ts';
import { unpack, BlockReader, openBytes, openFile, readSpecList } from '../recording/index.ts';
import type { EventPool } from './event-pool.ts';
import { PackBlockReader } from './block-reader.ts';

/** The first bytes of every pack. */
export const packMagic = 'GODWITP1';
export const packVersion = 1;
/** The version of packs that keep single orders beside books and trades; all others are of the one before. */
export const packVersionOfOrders = 2;

/** Head of a pack. */
export interface PackHeader {
  readonly format: 'events';
  readonly version: number;
  readonly codec: BlockCodec;
  readonly instruments: readonly InstrumentSpec[];
  /** Notes for a reader of results on the source. */
  readonly notes: readonly string[];
  readonly grade: 'A' | 'B';
  /** How the venue printed prices and sizes; `fixed` when absent. */
  readonly printing?: Printing;
  /** Findings in the source that the pack was made of. */
  readonly findings?: readonly string[];
  /** Checksums of the venue that were compared when the pack was made. */
  readonly proof?: BookProof | undefined;
  /** Measures of all its events for their grade, where there was space for them; see `data/grade/measures.ts`. */
  readonly measures?: unknown;
}

/** One block in the index of a pack. */
export interface PackIndexEntry {
  readonly offset: number;
  readonly firstReceiveTime: number;
  readonly messages: number;
}

const trailerLength = 16;
const trailerMagic = 0x58_49_57_47;

/** The last bytes of a pack: where its index stands, and the number of that block. */
export function encodePackTrailer(offset: number, number: number): Uint8Array {
  const bytes = Buffer.alloc(trailerLength);
  bytes.writeUInt32LE(trailerMagic, 0);
  bytes.writeUInt32LE(number, 4);
  bytes.writeDoubleLE(offset, 8);
  return bytes;
}

/**
 * A pack, read block by block: from a file, or from memory that workers share. Decoding is synchronous. Damage is a
 * `BadInput` that names file and place; a torn tail is an ending.
 */
export class EventPack {
  readonly header: PackHeader;
  readonly instruments: Instruments;
  readonly #source: ByteSource;
  readonly #path: string;
  #ending: Ending | undefined;

  /** Throws `BadInput` when the source is no pack of a version we read. */
  constructor(source: ByteSource, path: string) {
    this.#source = source;
    this.#path = path;
    this.header = checkHeader(this.#reader().header, path);
    this.instruments = new Instruments(this.header.instruments);
  }

  /** Whether events hold the single orders behind the books. */
  get hasOrders(): boolean {
    return this.header.version === packVersionOfOrders;
  }

  /** How the pack ended, once all batches were read. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  /**
   * The events from the beginning, one batch per block, or several where a block holds more than `messagesMax`: what is
   * handled in small batches is still in the caches when it is. May be called again. With a pool a batch is overwritten by
   * the next one, and the events of it, with their levels, once they are heard.
   */
  *batches(
    messagesMax = Number.POSITIVE_INFINITY,
    pool?: EventPool,
  ): Generator<readonly Event[], void, undefined> {
    const reader = this.#reader();
    for (let block = reader.next(); block !== undefined; block = reader.next()) {
      if (block.count <= messagesMax && pool === undefined) yield this.#decode(block);
      else yield* this.#slices(block, messagesMax, pool);
    }
    this.#ending = reader.ending;
  }

  /** The blocks, without reading them. Empty when the pack was not finished. */
  index(): readonly PackIndexEntry[] {
    const trailer = this.#trailer();
    if (trailer === undefined) return [];
    const reader = this.#reader();
    reader.seek(trailer.readDoubleLE(8), trailer.readUInt32LE(4));
    reader.next();
    if (reader.endBlock === undefined) return [];
    const json = Buffer.from(unpack(reader.endBlock, this.header.codec)).toString('utf8');
    return JSON.parse(json) as readonly PackIndexEntry[];
  }

  /** The events of block `number` of the index alone. */
  block(number: number, entry: PackIndexEntry): readonly Event[] {
    const reader = this.#reader();
    reader.seek(entry.offset, number);
    const block = reader.next();
    return block === undefined ? [] : this.#decode(block);
  }

  /** Whether the pack was written to its end, which is there. */
  get isFinished(): boolean {
    return this.#trailer() !== undefined;
  }

  close(): void {
    this.#source.close();
  }

  #trailer(): Buffer | undefined {
    const { size } = this.#source;
    if (size < trailerLength) return undefined;
    const trailer = Buffer.from(this.#source.read(size - trailerLength, trailerLength));
    return trailer.readUInt32LE(0) === trailerMagic ? trailer : undefined;
  }

  #reader(): BlockReader {
    return new BlockReader(this.#source, this.#path, packMagic);
  }

  #decode(block: Block): readonly Event[] {
    return this.#checked(block, () => this.#open(block).events(block.count));
  }

  *#slices(
    block: Block,
    messagesMax: number,
    pool: EventPool | undefined,
  ): Generator<readonly Event[], void, undefined> {
    const reader = this.#checked(block, () => this.#open(block, pool));
    let events: Event[] = [];
    for (let left = block.count; left > 0;) {
      const count = Math.min(messagesMax, left);
      left -= count;
      if (pool === undefined) events = [];
      pool?.beginBatch();
      yield this.#checked(block, () => {
        reader.takeEvents(count, events);
        if (left === 0) reader.endBlock(block.count);
        return events;
      });
    }
  }

  #open(block: Block, pool?: EventPool): PackBlockReader {
    const raw = unpack(block, this.header.codec);
    const { instruments, hasOrders } = this;
    return new PackBlockReader(raw, block.base, { instruments: instruments.all.length, hasOrders, pool });
  }

  /** Answer of `read`; what it throws with the place added. */
  #checked<Answer>(block: Block, read: () => Answer): Answer {
    try {
      return read();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new BadInput(`${this.#path}: block ${block.number}: ${why}`, { cause: error });
    }
  }
}

/** Opens a pack file. Throws `BadInput` when it cannot be read or is no pack. */
export function openPack(path: string): EventPack {
  return new EventPack(openFile(path), path);
}

/** A pack that stands in memory; `path` is only named in errors. */
export function packOfBytes(bytes: Uint8Array, path = 'pack in memory'): EventPack {
  return new EventPack(openBytes(bytes), path);
}

function checkHeader(header: unknown, path: string): PackHeader {
  const found = isMembers(header) ? header : {};
  const version = found['version'];
  if (found['format'] !== 'events' || (version !== packVersion && version !== packVersionOfOrders)) {
    throw new BadInput(
      `${path}: expected an event pack of version ${packVersion} or ${packVersionOfOrders}, found version ${String(version)}`,
    );
  }
  if (found['codec'] !== 'none' && found['codec'] !== 'zstd') {
    throw new BadInput(`${path}: expected the codec none or zstd, found ${String(found['codec'])}`);
  }
  readSpecList(found['instruments'], path);
  return found as unknown as PackHeader;
}
