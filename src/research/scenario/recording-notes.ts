import type { Recording } from '../../data/recording/index.ts';
import type { Scenario } from './scenario.ts';

/** Notes of the data on themselves, less what the scenario says instead. */
export function notesOfData(
  recording: Recording,
  said?: Pick<Scenario, 'instrument' | 'sources'>,
): readonly string[] {
  return [...notesBeside(recording, said), ...recording.findings];
}

/** The notes of data without what the scenario says of the instrument. */
export function notesBeside(
  { notes, instruments }: Recording,
  said: Pick<Scenario, 'instrument' | 'sources'> | undefined,
): readonly string[] {
  // As importers write it; packs and our own Parquet keep it.
  const assumed = /(, )?fee rates are assumed$/;
  const left = instruments.all.length > 1 ? '$1fee rates of other symbols are assumed' : '';
  const isGiven = said?.instrument?.fees !== undefined;
  return isGiven ? notes.map((note) => note.replace(assumed, left)) : notes;
}
