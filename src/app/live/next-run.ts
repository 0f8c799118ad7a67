/** Whether another run of this process goes on behind one: a change of the venue's grid asks for it, and every other end refuses it. */
export class NextRun {
  #isWanted = false;
  #isOver = false;

  get goesOn(): boolean {
    return this.#isWanted && !this.#isOver;
  }

  want(): void {
    this.#isWanted = true;
  }

  /** A signal, the time or the operator ends the process, be it while a run makes room for the next. */
  end(): void {
    this.#isOver = true;
  }
}
