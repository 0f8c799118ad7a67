import { UsageError } from './usage-error.ts';

/** Throws `UsageError` when no recording is named, or when what is named is a file of settings. */
export function expectRecordings(verb: string, recordings: readonly string[]): void {
  if (recordings.length === 0)
    throw new UsageError(`${verb}: missing required argument 'recording', or --scenario FILE instead of it`);
  const settings = recordings.find((path) => /\.ya?ml$/i.test(path));
  if (settings !== undefined)
    throw new UsageError(
      `${verb} ${settings}: expected a recording; a scenario is named by --scenario ${settings}, a sweep is run by godwit sweep ${settings}`,
    );
}
