import { SystemClock } from '../../core/base/system-clock.ts';
import { openData } from '../../data/open/market-data.ts';
import { PartialRecording } from '../../data/formats/partial-recording.ts';
import { EventCounts } from './event-counts.ts';
import { exitCodes } from '../process/exit-codes.ts';
import type { Output } from '../process/output.ts';
import { futureWords, wordsOf } from './recording-words.ts';
import type { ToldOptions } from './told-options.ts';
import { openOptionsOf } from './told-options.ts';

/** Reads a recording through and tells what is in it. */
export async function inspectRecording(
  files: readonly string[],
  json: boolean,
  output: Output,
  told: ToldOptions = {},
): Promise<number> {
  const recording = new PartialRecording(await openData(files, { ...openOptionsOf(told), partial: true }));
  const counts = new EventCounts(recording);
  for await (const batch of counts.watch(recording.events())) void batch;
  if (json) output.data(JSON.stringify(wordsOf(recording, counts)));
  else for (const line of counts.lines(recording)) output.data(line);
  const future = futureWords(counts, new SystemClock().now());
  if (future !== undefined) output.progress(`data: ${future}`);
  return recording.isPartial ? exitCodes.failed : exitCodes.done;
}
