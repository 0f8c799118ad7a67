import type { Event } from '../../core/model/event.ts';
import type { Instruments } from '../../core/model/instrument.ts';
import type { Batches } from './merge.ts';
import { mergeEvents } from './merge.ts';
import { OneFileAFeed } from './one-file-a-feed.ts';

/**
 * The events of several files by the time they were received; those of a single file as they come. `sources` by their
 * `paths`. Throws `FilesOverlap` where two of them tell the same of one symbol at the same time.
 */
export async function* mergeFiles(
  sources: readonly Batches<Event>[],
  paths: readonly string[],
  instruments: Instruments,
): AsyncGenerator<readonly Event[], void, undefined> {
  const [only] = sources;
  if (only !== undefined && sources.length === 1) {
    yield* only;
    return;
  }
  const feeds = new OneFileAFeed(paths, instruments);
  yield* mergeEvents(sources, 'receiveTime', { keep: (event, source) => feeds.hears(event, source) });
}
