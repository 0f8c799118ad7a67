import type { Cancel, Clock, Micros } from '../../core/base/clock.ts';
import { millis, seconds, timeText } from '../../core/base/clock.ts';
import { GodwitError } from '../../core/base/errors.ts';
import type { Channel, Frame } from '../../core/model/frame.ts';
import type { InstrumentSpec } from '../../core/model/instrument.ts';
import type { Block, BlockKind, RecorderOptions } from '../recording/index.ts';
import { encodeBlock, encodeFileHead, packLater } from '../recording/index.ts';
import { FrameBlockWriter } from './block.ts';
import type { FrameLogHeader } from './log.ts';
import { frameLogExtension, frameLogMagic, frameLogVersion } from './log.ts';
import { redactFrame } from './redact.ts';
import { mkdir, open } from 'node:fs/promises';
import { join, dirname } from 'node:path';

/** The recorder cannot keep what it was given: the disk failed or is too slow. Nothing is recorded from here on. */
export class RecorderHalted extends GodwitError {
  override readonly code = 'GW_RECORDER_HALTED';
}

export interface RecorderDeps {
  /** Where segments go. */
  readonly folder: string;
  readonly options: RecorderOptions;
  /** Every channel of the frames to come, in the order that the header keeps. */
  readonly channels: readonly Channel[];
  /** Written into every segment, so that a recording needs nothing else. */
  readonly instruments: readonly InstrumentSpec[];
  readonly clock: Clock;
  /** Called once when the recorder gives up. */
  readonly onHalt: (error: RecorderHalted) => void;
  /** Files of the operating system when not given. */
  readonly openSegment?: OpenSegment;
}

export interface RecorderCounters {
  readonly frames: number;
  readonly segments: number;
  readonly blocks: number;
  /** Bytes in files, heads included. */
  readonly writtenBytes: number;
}

interface Waiting {
  readonly raw: Uint8Array;
  readonly count: number;
  readonly base: number;
}

/**
 * Records frames into rotating, compressed segments, without ever making the caller wait.
 *
 * What was taken is written; when that is no longer possible (the disk fails, or more than `bufferBytesMax` waits) it
 * halts and says so, instead of dropping frames quietly. A crash loses at most `flushMs` and leaves a readable file.
 */
export class Recorder {
  readonly #setup: RecorderDeps;
  readonly #open: OpenSegment;
  readonly #block: FrameBlockWriter;
  readonly #queue: Waiting[] = [];
  readonly #runStart: Micros;
  readonly #counts = { frames: 0, segments: 0, blocks: 0, writtenBytes: 0 };
  #queuedBytes = 0;
  #file: SegmentFile | undefined;
  #segmentBytes = 0;
  #segmentStart = 0 as Micros;
  #blockNumber = 0;
  #cancelFlush: Cancel | undefined;
  #writing: Promise<void> | undefined;
  #halted: RecorderHalted | undefined;
  /** A write failed: what stands in the file ends in the middle, so nothing more is appended. */
  #broken = false;
  #closed = false;

  constructor(setup: RecorderDeps) {
    this.#setup = setup;
    this.#block = new FrameBlockWriter(setup.channels);
    this.#open = setup.openSegment ?? openSegmentFile;
    this.#runStart = setup.clock.now();
  }

  get counters(): RecorderCounters {
    return this.#counts;
  }

  /** Bytes taken and not yet written. */
  get pendingBytes(): number {
    return this.#queuedBytes + this.#block.length;
  }

  /** Why nothing is recorded any more; `undefined` while all is well. */
  get halted(): RecorderHalted | undefined {
    return this.#halted;
  }

  /** Takes one frame; credentials are cut out here. Answers false, and keeps nothing, once halted or closed. */
  accept(frame: Frame): boolean {
    if (this.#halted !== undefined || this.#closed) return false;
    if (this.pendingBytes + frame.bytes.length > this.#setup.options.bufferBytesMax) {
      this.#halt(`${this.pendingBytes} bytes wait for the disk, which is too slow`);
      return false;
    }
    this.#block.add(redactFrame(frame));
    this.#counts.frames += 1;
    if (this.#block.length >= this.#setup.options.blockBytes) this.#seal();
    else
      this.#cancelFlush ??= this.#setup.clock.after(millis(this.#setup.options.flushMs), () => this.#seal());
    return true;
  }

  /** Resolves when everything taken so far is on the disk, or the recorder has halted. */
  async flush(): Promise<void> {
    this.#seal();
    await this.#writing;
  }

  /** Writes what waits, ends the segment properly and closes it. Nothing is taken afterwards. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#seal();
    await this.#writing;
    if (!this.#broken) {
      try {
        await this.#endSegment();
      } catch (error) {
        this.#halt('the last segment could not be ended', error);
      }
    }
    await this.#abandonFile();
  }

  #seal(): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    const { count, base } = this.#block;
    if (count === 0 || this.#broken) return;
    const raw = this.#block.take();
    this.#queuedBytes += raw.length;
    this.#queue.push({ raw, count, base });
    this.#writing ??= this.#drain();
  }

  async #drain(): Promise<void> {
    try {
      for (let waiting = this.#queue[0]; waiting !== undefined; waiting = this.#queue[0]) {
        await this.#write(waiting);
        this.#queue.shift();
        this.#queuedBytes -= waiting.raw.length;
        if (this.#queue.length === 0) await this.#file?.sync();
      }
    } catch (error) {
      this.#broken = true;
      this.#halt('a segment could not be written', error);
    } finally {
      this.#writing = undefined;
    }
  }

  async #write({ raw, count, base }: Waiting): Promise<void> {
    const stored = await packLater(raw, this.#setup.options.codec);
    if (this.#file !== undefined && this.#isSegmentFull()) await this.#endSegment();
    if (this.#file === undefined) await this.#startSegment();
    await this.#append('content', { count, base, rawLength: raw.length, stored });
    this.#counts.blocks += 1;
  }

  #isSegmentFull(): boolean {
    const { segmentBytes, segmentMinutes } = this.#setup.options;
    const age = this.#setup.clock.uptime() - this.#segmentStart;
    return this.#segmentBytes >= segmentBytes || age >= seconds(segmentMinutes * 60);
  }

  async #startSegment(): Promise<void> {
    this.#counts.segments += 1;
    const header: FrameLogHeader = {
      format: 'frames',
      version: frameLogVersion,
      codec: this.#setup.options.codec,
      runStart: this.#runStart,
      segment: this.#counts.segments,
      channels: this.#setup.channels,
      instruments: this.#setup.instruments,
    };
    this.#file = await this.#open(join(this.#setup.folder, segmentName(this.#runStart, header.segment)));
    this.#segmentBytes = 0;
    this.#segmentStart = this.#setup.clock.uptime();
    this.#blockNumber = 0;
    await this.#put(encodeFileHead(frameLogMagic, header));
  }

  async #endSegment(): Promise<void> {
    const file = this.#file;
    if (file === undefined) return;
    await this.#append('end', { count: 0, base: 0, rawLength: 0, stored: new Uint8Array(0) });
    await file.sync();
    this.#file = undefined;
    await file.close();
  }

  async #append(kind: BlockKind, content: Omit<Block, 'kind' | 'number'>): Promise<void> {
    await this.#put(encodeBlock({ kind, number: this.#blockNumber, ...content }));
    this.#blockNumber += 1;
  }

  async #put(bytes: Uint8Array): Promise<void> {
    await this.#file?.write(bytes);
    this.#segmentBytes += bytes.length;
    this.#counts.writtenBytes += bytes.length;
  }

  #halt(why: string, cause?: unknown): void {
    if (this.#halted !== undefined) return;
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    const message = cause instanceof Error ? `${why}: ${cause.message}` : why;
    this.#halted = new RecorderHalted(`recording to ${this.#setup.folder} stopped: ${message}`, { cause });
    this.#setup.onHalt(this.#halted);
  }

  async #abandonFile(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    // The halt has been reported already; a handle that will not close adds nothing.
    await file?.close().catch(() => undefined);
  }
}

/** `20240102T030405678901-000001.frames`: by name, segments sort by run and number. */
function segmentName(runStart: Micros, segment: number): string {
  const whole = timeText(runStart).replace(/[-:.Z]/g, '');
  const rest = String(runStart % 1_000).padStart(3, '0');
  return `${whole}${rest}-${String(segment).padStart(6, '0')}${frameLogExtension}`;
}

/** A file the recorder appends to. */
export interface SegmentFile {
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when everything written is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a new file for the recorder. Rejects when it exists already. */
export type OpenSegment = (path: string) => Promise<SegmentFile>;

/** Files of the operating system; missing folders are made. */
export const openSegmentFile: OpenSegment = async (path) => {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'wx');
  return {
    write: async (bytes) => {
      for (let from = 0; from < bytes.length;) {
        const { bytesWritten } = await file.write(bytes, from);
        from += bytesWritten;
      }
    },
    sync: () => file.datasync(),
    close: () => file.close(),
  };
};
