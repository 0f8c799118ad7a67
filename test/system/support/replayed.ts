import { expect } from 'vitest';
import { configSchema } from '../../../src/app/config/schema.ts';
import { replaySession } from '../../../src/app/replay/session.ts';
import type { Event } from '../../../src/core/model/event.ts';
import { openRecording } from '../../../src/data/open/own-formats.ts';
import type { Stage } from './stage.ts';

/** Stops the session: no order is left, and its recording gives its digest again with nothing changed. */
export async function expectReplays(stage: Stage): Promise<void> {
  expect(await stage.stop()).toEqual([]);
  const result = await replaySession({
    configure: (recorded) => configSchema.parse(recorded),
    recording: await openRecording([stage.recording]),
  });
  expect(result.digest).toBe(stage.daemon.digest());
  expect(result.changed).toEqual([]);
}

/** The recording of a session that has ended gives its digest again, and these kinds of events one for one. */
export async function expectReplayed(stage: Stage, kinds: readonly Event['kind'][]): Promise<void> {
  const again: Event[] = [];
  const { digest, strays } = await replaySession({
    configure: (recorded) => configSchema.parse({ ...recorded, strategies: stage.config.strategies }),
    recording: await openRecording([stage.recording]),
    watch: ({ event }) => void again.push(event),
  });
  const isCompared = ({ kind }: Event): boolean => kinds.includes(kind);
  expect(again.filter(isCompared)).toEqual(stage.seen.map(({ event }) => event).filter(isCompared));
  expect(strays).toBe(0);
  expect(digest).toBe(stage.daemon.digest());
}
