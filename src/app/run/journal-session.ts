import { BadInput } from '../../core/base/errors.ts';
import { isWritten, cutText, lastRunIn, readHeader, readJournal } from '../../core/journal/index.ts';
import type { JournalCut, RemovedRecords, RecordPlace, RunPlace } from '../../core/journal/index.ts';
import type { RunStarted } from '../../core/model/event.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { StampedEvent } from '../../core/model/stamped-event.ts';
import { instrumentsOfHeader } from './journal-header.ts';

/** Where a reading begins: at a place, or at the beginning of a run that is looked for; the whole journal without either. */
interface Beginning<Place> {
  readonly place: Place;
  readonly run?: string;
}

/**
 * One run by its journal, or all of its runs. Whoever asks something of a journal folds `records`, which end where another run begins or
 * instruments get other numbers, and says `notes` of what was not there. A session is read once. Errors as `readJournal`.
 */
export class JournalSession<Place extends RecordPlace | undefined = RecordPlace | undefined> {
  readonly directory: string;
  readonly place: Place;
  readonly #runId: string | undefined;
  readonly #read: Generator<StampedEvent, void>;
  #run: RunStarted | undefined;
  #removed: RemovedRecords | undefined;
  #torn: JournalCut | undefined;
  #lost: JournalCut | undefined;
  #header: string | undefined;
  #described: ReturnType<typeof instrumentsOfHeader> | undefined;
  /** The record that a look ahead has found. */
  #next: StampedEvent | undefined;
  #isBegun: boolean;
  #isOver = false;

  private constructor(directory: string, { place, run }: Beginning<Place>) {
    this.directory = directory;
    this.place = place;
    this.#runId = run;
    this.#isBegun = run === undefined;
    this.#read = readJournal(directory, {
      from: place,
      anyGrid: this.#isOne,
      onCut: (cut) => this.#cut(cut),
      onRemoved: (removed) => (this.#removed = removed),
      onHeader: (header) => this.#under(header),
    });
  }

  /** All runs of a journal whose instruments have the numbers of the last one. */
  static all(directory: string): JournalSession<undefined> {
    return new JournalSession(directory, { place: undefined });
  }

  /** The run that has a record at `place`, from there on. */
  static at<Place extends RecordPlace>(directory: string, place: Place): JournalSession<Place> {
    return new JournalSession(directory, { place });
  }

  /** The last run of a journal; `undefined` where none began. */
  static last(directory: string): JournalSession<RunPlace> | undefined {
    const place = lastRunIn(directory);
    return place === undefined ? undefined : JournalSession.at(directory, place);
  }

  /** A run by its name. */
  static of(directory: string, run: string): JournalSession<undefined> {
    return new JournalSession(directory, { place: undefined, run });
  }

  /** The run of the record that came last; `undefined` while no beginning was read. */
  get run(): RunStarted | undefined {
    return this.#run;
  }

  /** Whether a process writes the journal, so that it may go on. */
  get isWritten(): boolean {
    return isWritten(this.directory);
  }

  /** As the journal numbers them. */
  get instruments(): Instruments {
    return this.#terms.instruments;
  }

  /** Whether the journal names the currencies of its instruments: older ones do not. */
  get hasTerms(): boolean {
    return this.#terms.hasTerms;
  }

  /** The header under which the session was written. */
  get header(): string {
    return this.#header ?? readHeader(this.directory, this.place?.segment);
  }

  /** Records of before, which the journal does not hold any more or has under other numbers. */
  get removed(): RemovedRecords | undefined {
    return this.#removed;
  }

  /** The torn end of the journal, which is left out. */
  get torn(): JournalCut | undefined {
    return this.#torn;
  }

  /** The end that had been on the disk and is there no more. */
  get lost(): JournalCut | undefined {
    return this.#lost;
  }

  /** Sentences on what was removed, is torn and is lost, as far as the session was read. */
  get notes(): readonly string[] {
    const cuts = [this.#torn, this.#lost].filter((cut) => cut !== undefined);
    return [...(this.#removed === undefined ? [] : [this.#removed.why]), ...cuts.map(cutText)];
  }

  /**
   * Records of the journal before the run, from the last carried state on: all that the run was given. Throws `BadInput` when the journal does
   * not hold its beginning, or no longer.
   */
  history(): readonly StampedEvent[] {
    let history: StampedEvent[] = [];
    for (let found = this.#step(); found !== undefined; found = this.#step()) {
      const { event } = found;
      if (event.kind === 'runStarted' && event.run === this.#runId) {
        this.#isBegun = true;
        this.#next = found;
        return history;
      }
      if (event.kind === 'stateCarried') history = [];
      history.push(found);
    }
    const why = this.#removed === undefined ? '' : `: ${this.#removed.why}`;
    throw new BadInput(
      `expected the beginning of the run ${this.#runId} in the journal ${this.directory}, found none${why}`,
    );
  }

  /** The records of the session, each once. */
  *records(): Generator<StampedEvent, void> {
    if (!this.#isBegun) this.history();
    let isFirst = true;
    try {
      for (let found = this.#next ?? this.#step(); found !== undefined; found = this.#step()) {
        const { event } = found;
        if (event.kind === 'runStarted') {
          if (this.#isOne && !isFirst) return;
          this.#run = event;
        }
        isFirst = false;
        yield found;
      }
    } finally {
      this.#read.return();
    }
  }

  /** Whether the records of one run are asked for. */
  get #isOne(): boolean {
    return this.place !== undefined || this.#runId !== undefined;
  }

  get #terms(): ReturnType<typeof instrumentsOfHeader> {
    return (this.#described ??= instrumentsOfHeader(this.header));
  }

  #cut(cut: JournalCut): void {
    if (cut.lostUpTo === undefined) this.#torn = cut;
    else this.#lost = cut;
  }

  #step(): StampedEvent | undefined {
    const found = this.#read.next();
    return found.done === true || this.#isOver ? undefined : found.value;
  }

  /** Under another header the same numbers mean other amounts: a run ends before. */
  #under(header: string): void {
    this.#isOver = this.#isOne && this.#isBegun && this.#header !== undefined && this.#header !== header;
    if (!this.#isOver) this.#header = header;
  }
}
