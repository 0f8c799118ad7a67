import { BadInput } from '../../core/base/errors.ts';
import type { Micros } from '../../core/base/clock.ts';
import { decodeEvent, encodeEvent } from '../../core/journal/index.ts';
import type { KeptEvent } from '../../core/journal/index.ts';
import type { Tree } from '../../core/config/layers.ts';
import type { RunStarted } from '../../core/model/event.ts';
import type { Frame } from '../../core/model/frame.ts';
import type { OperatorAct } from '../../core/model/operator.ts';
import { runChannel } from '../../core/model/frame.ts';

/**
 * Mark of what reached the core of a run beside the venue's frames. Kept in the recording as frames of channel `run`, in the
 * order of arrival: with them, and the frames, a replay has everything on which decisions depend.
 */
export type RunMark =
  /** The first one. `earlier` is the last sequence of the journal the run went on with, 0 for a fresh one. */
  | {
      readonly mark: 'start';
      readonly run: string;
      readonly mode: RunStarted['mode'];
      /** Part of the configuration that decides. */
      readonly configuration: Tree;
      /** Hashes of the files of each strategy, in the order of the configuration. */
      readonly strategies: readonly string[];
      readonly earlier: number;
      /** The operator cleared a latched halt. */
      readonly clearHalt?: boolean;
    }
  /** An event that is in no frame: a session went up or down, a feed fell silent, a worker's strategy spoke. */
  | { readonly mark: 'event'; readonly event: KeptEvent }
  /** The journal made the record durable that had waited longest. */
  | { readonly mark: 'durable' }
  | { readonly mark: 'journalFailed'; readonly why: string }
  /** The disk has no room for the journal; without a reason, it had room again. */
  | { readonly mark: 'journalWaits'; readonly why?: string }
  /** An operator asked for something. */
  | { readonly mark: 'act'; readonly act: OperatorAct; readonly who: string; readonly why: string }
  | { readonly mark: 'halt'; readonly why: string }
  /** A message about the own account could not be read. */
  | { readonly mark: 'unread'; readonly why: string }
  | { readonly mark: 'stop'; readonly why: string };

export function markFrame(mark: RunMark, receiveTime: Micros): Frame {
  const text =
    mark.mark === 'event' ? `{"mark":"event","event":${encodeEvent(mark.event)}}` : JSON.stringify(mark);
  return { channel: runChannel, direction: 'in', receiveTime, bytes: Buffer.from(text, 'utf8') };
}

/** The mark a frame of channel `run` holds. Throws `BadInput` when it is none we know. */
export function readMark(frame: Frame): RunMark {
  const text = Buffer.from(frame.bytes).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (!isMark(value))
    throw new BadInput(`expected a mark of a run, found ${JSON.stringify(text.slice(0, 80))}`);
  if (value.mark !== 'event') return value;
  return { mark: 'event', event: decodeEvent(JSON.stringify(value.event)) };
}

const kinds: readonly unknown[] = [
  'start',
  'event',
  'durable',
  'journalFailed',
  'journalWaits',
  'act',
  'halt',
  'unread',
  'stop',
];

function isMark(value: unknown): value is RunMark {
  return typeof value === 'object' && value !== null && 'mark' in value && kinds.includes(value.mark);
}
