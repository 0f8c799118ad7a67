import { withStrays } from './strays.ts';

/** A run with everything joined and the clock at its start. Driven once, then finished. */
export interface OpenRun<Result> {
  /** Lets the data pass. */
  drive(): Promise<void>;
  /** Ends the run, and tells what came of it. */
  finish(): Promise<Result>;
}

/** Opens a run, and runs it to its end. `charge` adds what its strategies threw outside of their handlers: see `withStrays`. */
export async function runThrough<Result>(
  open: () => Promise<OpenRun<Result>>,
  charge: (result: Result, strays: readonly string[]) => Result,
): Promise<Result> {
  return await withStrays(async () => {
    const run = await open();
    await run.drive();
    return await run.finish();
  }, charge);
}
