/** A run with everything joined and the clock at its start. Driven once, then finished. */
export interface OpenRun<Result> {
  /** Lets the data pass. */
  drive(): Promise<void>;
  /** Ends the run, and tells what came of it. */
  finish(): Promise<Result>;
}
