import { BadInput } from '../../core/base/errors.ts';
import type { Tree } from '../../core/config/layers.ts';
import type { Config } from '../config/schema.ts';
import { runsIn } from '../../data/open/last-day.ts';
import { openRecording } from '../../data/open/own-formats.ts';
import type { Event } from '../../core/model/event.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { JournalSession } from '../run/journal-session.ts';
import { JournalComparison } from './journal-comparison.ts';
import type { Output } from '../process/output.ts';
import type { ReplayResult } from './session.ts';
import { JournalNeeded, replaySession } from './session.ts';

export interface ReplayCommand {
  /** The configuration of the replay, made from that of the run. */
  readonly configure: (recorded: Tree) => Config;
  readonly recordings: readonly string[];
  /** The run directory whose journal the replay is compared with. */
  readonly journal: string | undefined;
  readonly output: Output;
  readonly json: boolean;
}

/**
 * `godwit replay`: runs a recorded session again and, with its journal, reports whether its events are the same. Of a folder with
 * several runs each is replayed on its own, on the grid that it ran on. Throws `BadInput` when all is replayed that can be, if some went
 * on with a journal that is not named.
 */
export async function replayCommand(command: ReplayCommand): Promise<number> {
  const codes: number[] = [];
  const needing: JournalNeeded[] = [];
  const runs = await runsIn(command.recordings);
  for (const recordings of runs) {
    if (codes.length > 0 && !command.json) command.output.data('');
    try {
      codes.push(await replayRun({ ...command, recordings }));
    } catch (error) {
      if (!(error instanceof JournalNeeded) || runs.length === 1) throw error;
      needing.push(error);
    }
  }
  if (needing.length > 0) {
    const names = needing.map(({ run }) => run).join(', ');
    throw new BadInput(
      `${needing.length} of ${runs.length} runs of the recording went on with the journal of those before (${names}); name its directory by --journal`,
    );
  }
  return Math.max(...codes);
}

async function replayRun({ configure, recordings, journal, output, json }: ReplayCommand): Promise<number> {
  const counts = new Map<Event['kind'], number>();
  const recording = await openRecording(recordings);
  let sent = 0;
  let comparison: JournalComparison | undefined;
  const result = await replaySession({
    configure,
    recording,
    history: (run) => {
      if (journal === undefined) return [];
      const session = JournalSession.of(journal, run);
      const history = session.history();
      comparison = new JournalComparison(session);
      return history;
    },
    watch: (stamped) => {
      counts.set(stamped.event.kind, (counts.get(stamped.event.kind) ?? 0) + 1);
      comparison?.observe(stamped);
    },
    onSent: () => (sent += 1),
  });
  const replay = { result, sent, counts, comparison, findings: recording.findings };
  if (json) output.data(JSON.stringify(documentOf(replay)));
  else for (const line of linesOf(replay)) output.data(line);
  if (result.changed.length > 0)
    output.progress(`note: not as in the run: ${result.changed.join(', ')}; other decisions are no surprise`);
  return comparison?.departure === undefined ? exitCodes.done : exitCodes.checkFailed;
}

/** Result of a replay. */
interface Replayed {
  readonly result: ReplayResult;
  /** Commands that left. */
  readonly sent: number;
  readonly counts: ReadonlyMap<Event['kind'], number>;
  readonly comparison: JournalComparison | undefined;
  /** Damage in the recording: the replay goes as far as that, or past it. */
  readonly findings: readonly string[];
}

function documentOf({ result, sent, counts, comparison, findings }: Replayed): object {
  const { start, changed, digest, strays, last } = result;
  const { run, mode, earlier } = start;
  const events = Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));
  const compared =
    comparison === undefined
      ? null
      : {
          alike: comparison.alike,
          more: comparison.more,
          departure: comparison.departure ?? null,
          removed: comparison.removed?.why ?? null,
        };
  return { run, mode, earlier, changed, digest, last, sent, strays, events, compared, findings };
}

function linesOf({ result, sent, counts, comparison, findings }: Replayed): readonly string[] {
  const { start, digest, last } = result;
  const { run, mode, earlier } = start;
  return [
    `run       ${run}, mode ${mode}`,
    `events    ${last - earlier}, the last has sequence ${last}`,
    `intents   ${counts.get('intent') ?? 0}, commands ${sent}, denials ${counts.get('orderDenied') ?? 0}`,
    `digest    ${digest}`,
    ...findings.map((finding) => `found     ${finding}`),
    ...verdict(comparison),
  ];
}

function verdict(comparison: JournalComparison | undefined): readonly string[] {
  if (comparison === undefined) return [];
  const { departure, alike, more, removed } = comparison;
  const before = removed === undefined ? [] : [`note      ${removed.why}`];
  if (departure === undefined) {
    return [
      ...before,
      `journal   alike in ${alike} events${more ? '; the recording ends before the journal does' : ''}`,
    ];
  }
  return [
    ...before,
    `journal   alike in ${alike} events, then they part at sequence ${departure.sequence}`,
    `  run     ${departure.journal.slice(0, 400)}`,
    `  replay  ${departure.replay.slice(0, 400)}`,
  ];
}
