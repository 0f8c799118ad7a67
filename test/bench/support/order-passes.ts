import { cpuMicros, median, print } from './print.ts';

const warmUp = 3;
const measured = 7;

/** What a pass over the stream came to, so that both sides can be seen to do the same work. */
export interface Heard {
  /** Lots that takers got. */
  traded: number;
  /** Orders that rested, or took something, or were canceled: once for each time somebody is to be told. */
  told: number;
}

/**
 * Plays the stream so many times, each against a new book, until everything is compiled and then to be measured.
 * `prepare` makes a book and is not measured; what it returns plays the stream once.
 */
export function measurePasses(operations: number, prepare: () => () => Heard): void {
  const times: number[] = [];
  let last: Heard = { traded: 0, told: 0 };
  for (let pass = 0; pass < warmUp + measured; pass++) {
    const play = prepare();
    const start = cpuMicros();
    last = play();
    if (pass >= warmUp) times.push(cpuMicros() - start);
  }
  print({ value: operations / median(times), traded: last.traded, told: last.told });
}
