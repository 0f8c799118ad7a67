const exit = process.exit.bind(process);

/** Ends the process, or the thread, with a code. */
export function leave(code: number): never {
  return exit(code);
}

/**
 * From then on `leave` alone ends this process or thread. A strategy that asks for its end throws instead: it is stopped as
 * for any other fault, and its run is told and kept.
 */
export function keepDoorShut(): void {
  for (const name of ['exit', 'abort']) {
    Reflect.set(process, name, () => {
      throw new Error(`process.${name} was called, and a strategy cannot end the process`);
    });
  }
}
