// Plain JavaScript that any Node can run: how Godwit wants its code compiled.

/** Commands that run trials in threads. */
const threaded = new Set(['sweep', 'walk-forward', 'worker']);
/** Commands that are over before it pays to optimise all of their code. */
const short = new Set(['backtest']);

/**
 * How the program that `command` names wants its code compiled. An event passes some forty small functions, most of them
 * called from one place only. The optimising compiler puts callees into their callers up to a budget, 920 bytes of bytecode;
 * with more of it more of the way of a market fact is one piece of machine code. A single run has three times that. The
 * threads of a sweep, each with a compiler of its own, would take 20 MiB more each for it and be no faster: they have half.
 *
 * That compiler takes a fifth of the processor time of a backtest of a few seconds, and what it makes is hardly run before the end. There it
 * begins with what is called a hundred thousand times; `src/app/process/long-run.ts` gives a longer run the usual 3,000.
 */
export function compilerFlagsOf(command) {
  const inlined = `--max-inlined-bytecode-size-cumulative=${threaded.has(command) ? 1_400 : 2_800}`;
  return short.has(command) ? [inlined, '--invocation-count-for-turbofan=100000'] : [inlined];
}
