import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { decodeEvent } from './records/canonical.ts';
import type { ChainPlace, LooseRecord } from './records/chain.ts';
import { createSegment } from './segments/file.ts';
import { KeptSegments, bytesPerMib, SegmentWriter } from './segment-writer.ts';
import { segmentPath } from './segments/segments.ts';
import type { FromWriter, ToWriter, WriterTask } from './writer-messages.ts';

/** How many records one commit takes at most: a commit must end before the next can be waited for. */
const commitMax = 10_000;

/** The thread that writes: chains records, commits whatever waits as one group, waits for the disk. */
class DiskWriter {
  readonly #port: MessagePort;
  readonly #task: WriterTask;
  readonly #kept: KeptSegments;
  #number = 1;
  #segment: SegmentWriter;
  #ended = false;

  constructor(port: MessagePort, task: WriterTask) {
    this.#port = port;
    this.#task = task;
    this.#number = task.number;
    this.#kept = new KeptSegments(task);
    this.#segment = this.#open(task.last);
  }

  /** Takes `first` and all that arrived behind it, so that one wait for the disk serves them all. */
  receive(first: ToWriter): void {
    let message: ToWriter | undefined = first;
    while (message !== undefined && !this.#ended) {
      const records: LooseRecord[] = [];
      let group = 0;
      while (message?.type === 'group' && records.length < commitMax) {
        for (const record of message.records) records.push(record);
        group = message.group;
        message = this.#next();
      }
      if (records.length > 0) this.#commit(records, group);
      if (message?.type === 'close') {
        this.#close();
        return;
      }
    }
  }

  #next(): ToWriter | undefined {
    return (receiveMessageOnPort(this.#port) as { message: ToWriter } | undefined)?.message;
  }

  #commit(records: readonly LooseRecord[], group: number): void {
    const full = this.#segment.bytes >= segmentBytes(this.#task);
    const carried = full ? records.findIndex(({ kind }) => kind === 'stateCarried') : -1;
    let finish: (() => void) | undefined;
    let rest = records;
    if (carried >= 0) {
      this.#segment.commit(records.slice(0, carried));
      finish = this.#rotate(records[carried] as LooseRecord);
      rest = records.slice(carried + 1);
    }
    this.#segment.commit(rest);
    this.#post({ type: 'durable', group });
    finish?.();
    this.#kept.makeRoom(this.#segment.bytes);
  }

  /**
   * Begins a new segment with a carried state, from which alone a restart goes on. It has its name, for good, before
   * anything in it counts; until then the journal ends with the segment before it. So a crash between any two steps
   * leaves a journal with every acknowledged record. What is returned seals the segment before, for which nothing waits.
   */
  #rotate(carried: LooseRecord): () => void {
    const { directory, header } = this.#task;
    const begun = decodeEvent(carried.text).receiveTime;
    const before = this.#segment;
    this.#number += 1;
    const place = { header, number: this.#number, begun, after: before.last };
    this.#segment = this.#open(createSegment(directory, place, [carried]));
    return () => {
      before.seal();
      this.#kept.add({ number: place.number - 1, ended: begun });
      this.#kept.removeOld(begun);
    };
  }

  #open(last: ChainPlace): SegmentWriter {
    return new SegmentWriter(
      segmentPath(this.#task.directory, this.#number),
      last,
      this.#task.limits.sizeMaxMib,
    );
  }

  #close(): void {
    this.#ended = true;
    this.#segment.close();
    this.#post({ type: 'closed' });
    this.#port.close();
  }

  #post(message: FromWriter): void {
    // A port has no origin to name.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#port.postMessage(message);
  }
}

/** A quarter of all there may be at most: otherwise the first segment would fail the journal, not begin a second. */
function segmentBytes({ limits: { segmentMib, sizeMaxMib } }: WriterTask): number {
  return Math.min(segmentMib, sizeMaxMib / 4) * bytesPerMib;
}

const port = parentPort;
if (port !== null) {
  // A failure ends the thread: a failed sync is never retried as a success (faults, D2).
  const writer = new DiskWriter(port, workerData as WriterTask);
  port.on('message', (message: ToWriter) => writer.receive(message));
}
