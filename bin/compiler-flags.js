// Plain JavaScript that any Node can run: how Godwit wants its code compiled.

/** Commands that run trials in threads. */
const threaded = new Set(['sweep', 'walk-forward', 'worker']);

/**
 * How the program that `command` names wants its code compiled. An event passes some forty small functions, most of them
 * called from one place only. The optimising compiler puts callees into their callers up to a budget, 920 bytes of bytecode;
 * with more of it more of the way of a market fact is one piece of machine code. A single run has three times that. The
 * threads of a sweep, each with a compiler of its own, would take 20 MiB more each for it and be no faster: they have half.
 */
export function compilerFlagsOf(command) {
  return [`--max-inlined-bytecode-size-cumulative=${threaded.has(command) ? 1_400 : 2_800}`];
}
