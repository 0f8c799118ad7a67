import { BadInput } from '../../core/base/errors.ts';
import type { FrameCounters } from '../../core/model/frame-format.ts';
import { FilesOverlap } from '../recording/index.ts';
import type { Printing, BookProof, Recording } from '../recording/index.ts';
import { TooManySymbols } from '../../core/model/symbols-max.ts';
import type { Event } from '../../core/model/event.ts';
import type { Frame } from '../../core/model/frame.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { Anomaly, ImportedRecording } from './grade-anomaly.ts';
import { OtherKind } from './fields.ts';
import { countsAnomalies } from './grade-anomaly.ts';

const partialWords = 'partial: stopped at ';

/** Whether a finding says that a recording ends before its data do: its grade is C at best. */
export function isPartialFinding(finding: string): boolean {
  return finding.startsWith(partialWords) || finding.includes(': torn tail, ');
}

/** Whether something is wrong with the data themselves, so that what comes before is worth keeping. */
export function isDamage(error: unknown): error is BadInput {
  return (
    error instanceof BadInput &&
    !(error instanceof FilesOverlap) &&
    !(error instanceof OtherKind) &&
    !(error instanceof TooManySymbols)
  );
}

/**
 * Items before the first damage of a source, for a first look that only learns from it: the second look meets the
 * damage again. Throws what it met when nothing came before it, and shows it to `onDamage` otherwise.
 */
export async function* untilDamage<Item>(
  batches: AsyncIterable<Item>,
  isPartial: boolean | undefined,
  onDamage: (damage: Error) => void = () => {},
): AsyncGenerator<Item, void, undefined> {
  let isEmpty = true;
  try {
    for await (const batch of batches) {
      isEmpty = false;
      yield batch;
    }
  } catch (error) {
    if (isPartial !== true || isEmpty || !isDamage(error)) throw error;
    onDamage(error);
  }
}

/**
 * A recording that ends where its data are damaged instead of throwing: what came before is kept, and the first finding
 * says where it stopped and why. Damage before the first event is thrown.
 */
export class PartialRecording implements ImportedRecording {
  readonly format: string;
  readonly paths: readonly string[];
  readonly instruments: Instruments;
  readonly grade: 'A' | 'B';
  readonly frames: (() => AsyncGenerator<readonly Frame[], void, undefined>) | undefined;
  readonly printing: Printing | undefined;
  readonly orders: boolean;
  readonly #whole: Recording;
  #stopped: string | undefined;

  constructor(whole: Recording) {
    this.#whole = whole;
    this.format = whole.format;
    this.paths = whole.paths;
    this.instruments = whole.instruments;
    this.grade = whole.grade;
    this.frames = whole.frames;
    this.printing = whole.printing;
    this.orders = whole.orders === true;
  }

  /** Whether the last pass met damage. */
  get isPartial(): boolean {
    return this.findings.some(isPartialFinding);
  }

  get findings(): readonly string[] {
    const { findings } = this.#whole;
    return this.#stopped === undefined ? findings : [`${partialWords}${this.#stopped}`, ...findings];
  }

  get notes(): readonly string[] {
    return this.#whole.notes;
  }

  get counters(): FrameCounters | undefined {
    return this.#whole.counters;
  }

  get proof(): BookProof | undefined {
    return this.#whole.proof;
  }

  get anomalies(): readonly Anomaly[] {
    return countsAnomalies(this.#whole) ? this.#whole.anomalies : [];
  }

  async *events(heard?: () => number): AsyncGenerator<readonly Event[], void, undefined> {
    this.#stopped = undefined;
    let isEmpty = true;
    try {
      for await (const batch of this.#whole.events(heard)) {
        isEmpty = false;
        yield batch;
      }
    } catch (error) {
      if (isEmpty || !isDamage(error)) throw error;
      this.#stopped = error.message;
    }
    const torn = isEmpty ? this.findings.find(isPartialFinding) : undefined;
    if (torn !== undefined) throw new BadInput(`${torn} before the first event: nothing of it can be kept`);
  }
}
