/** Takes the exit code of the command that was named. */
export type Run = (code: Promise<number> | number) => Promise<void>;
