import { fail } from '../../core/base/assert.ts';
import type { Event } from '../../core/model/event.ts';
import type { InstrumentSpec } from '../../core/model/instrument.ts';
import type { BlockCodec, Printing } from '../recording/index.ts';
import { encodeBlock, encodeFileHead, pack } from '../recording/index.ts';
import { PackBlockWriter } from './block-writer.ts';
import { isPackable } from './block.ts';
import type { PackHeader, PackIndexEntry } from './event.ts';
import { encodePackTrailer, packMagic, packVersion, packVersionOfOrders } from './event.ts';

/** A block is full when level changes, trades and messages together reach this. */
const blockWeight = 65_536;

export interface PackWriterOptions {
  readonly instruments: readonly InstrumentSpec[];
  readonly codec: BlockCodec;
  readonly notes?: readonly string[];
  readonly grade?: PackHeader['grade'];
  readonly printing?: Printing | undefined;
  /** Whether what events hold of single orders is kept; `false` when absent. */
  readonly orders?: boolean | undefined;
  /** Facts of the source known once it was read through; asked when the pack is finished. Only for files. */
  readonly closing?: () => PackClosing;
}

/** Where the bytes of a pack go. */
export type PackTarget = (bytes: Uint8Array) => void;

/**
 * Writes market events into a pack: the fast format of replays, about four bytes a level change. Blocks stand alone,
 * so they can be decoded in any order and by several workers. An event that is no fact of the market is a bug.
 */
export class PackWriter {
  readonly #target: PackTarget;
  readonly #codec: BlockCodec;
  readonly #block: PackBlockWriter;
  readonly #index: PackIndexEntry[] = [];
  readonly #header: PackHeader;
  #offset = 0;

  constructor(target: PackTarget, options: PackWriterOptions) {
    this.#target = target;
    this.#codec = options.codec;
    this.#block = new PackBlockWriter(options.orders);
    this.#header = {
      format: 'events',
      version: options.orders === true ? packVersionOfOrders : packVersion,
      codec: options.codec,
      instruments: options.instruments,
      notes: options.notes ?? [],
      grade: options.grade ?? 'A',
      ...(options.printing === undefined || options.printing === 'fixed'
        ? {}
        : { printing: options.printing }),
    };
    const isOpen = options.closing !== undefined;
    this.#put(isOpen ? openHead(this.#header) : encodeFileHead(packMagic, this.#header));
  }

  /** The head with its closing words, of the length of the one written: to be put in its place. */
  closed(closing: PackClosing): Uint8Array {
    return closedHead(this.#header, closing);
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#offset;
  }

  add(event: Event): void {
    if (!isPackable(event)) fail('a pack holds marketData of the market', { kind: event.kind });
    this.#block.add(event);
    if (this.#block.weight >= blockWeight) this.#seal();
  }

  /** Writes what is left, and the index as the end block. */
  finish(): void {
    this.#seal();
    const offset = this.#offset;
    const raw = Buffer.from(JSON.stringify(this.#index), 'utf8');
    this.#write('end', raw, this.#index.length, 0);
    this.#put(encodePackTrailer(offset, this.#index.length));
  }

  #seal(): void {
    const { messages, base } = this.#block;
    if (messages === 0) return;
    this.#index.push({ offset: this.#offset, firstReceiveTime: base, messages });
    this.#write('content', this.#block.take(), messages, base);
  }

  #write(kind: 'content' | 'end', raw: Uint8Array, count: number, base: number): void {
    const number = kind === 'content' ? this.#index.length - 1 : this.#index.length;
    const stored = pack(raw, this.#codec);
    this.#put(encodeBlock({ kind, number, count, base, rawLength: raw.length, stored }));
  }

  #put(bytes: Uint8Array): void {
    this.#target(bytes);
    this.#offset += bytes.length;
  }
}

/** Space reserved in the head for what is only known at the end. */
const reserveBytes = 4_096;

/** Facts for a reader of results, known when the source was read through. */
export type PackClosing = Pick<PackHeader, 'findings' | 'proof' | 'measures'>;

/** The head of a pack with space for its closing fields. */
export function openHead(header: PackHeader): Uint8Array {
  return encodeFileHead(packMagic, { ...header, reserve: ' '.repeat(reserveBytes) });
}

/**
 * The same head, of the same length, with the closing fields in that space. Measures that do not fit are left out, findings that do not
 * fit are counted.
 */
export function closedHead(header: PackHeader, { measures, ...closing }: PackClosing): Uint8Array {
  const { length } = openHead(header);
  const all = closing.findings ?? [];
  const whole =
    measures === undefined ? undefined : headOfLength(length, { ...header, ...closing, measures });
  if (whole !== undefined) return whole;
  for (let kept = all.length; kept >= 0; kept--) {
    const left = all.length - kept;
    const findings = left === 0 ? all : [...all.slice(0, kept), `${left} more kinds of findings`];
    const closed = headOfLength(length, { ...header, ...closing, findings });
    if (closed !== undefined) return closed;
  }
  return openHead(header);
}

/** The head of a file, filled up to so many bytes; `undefined` where it has more. */
function headOfLength(length: number, header: PackHeader): Uint8Array | undefined {
  const spare = length - encodeFileHead(packMagic, { ...header, reserve: '' }).length;
  return spare < 0 ? undefined : encodeFileHead(packMagic, { ...header, reserve: ' '.repeat(spare) });
}
