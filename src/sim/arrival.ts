import type { Micros } from '../base/clock.ts';
import type { Command } from '../model/command.ts';

/** A command on its way to the venue's engine. */
export class Arrival {
  readonly command: Command;
  /** When it was sent, by wall time. */
  readonly askedAt: Micros;

  constructor(command: Command, askedAt: Micros) {
    this.command = command;
    this.askedAt = askedAt;
  }
}
