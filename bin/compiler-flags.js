// Plain JavaScript that any Node can run: how Godwit wants its code compiled.

/**
 * An event passes some forty small functions, most of them called from one place only. The optimising compiler puts
 * callees into their callers up to a budget, 920 bytes of bytecode; with more of it more of the way of a market fact is one
 * piece of machine code. With twice as much a single run gains twice as much again, but the threads of a sweep, each with a
 * compiler of its own, take 20 MiB more and are no faster.
 */
export const compilerFlags = ['--max-inlined-bytecode-size-cumulative=1400'];
