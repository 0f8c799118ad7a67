/** Options with which Node was started, by its command line and by `NODE_OPTIONS`; one with a value may be two words. */
export function nodeOptions(): readonly string[] {
  return [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(/\s+/)];
}
