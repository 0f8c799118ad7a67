import type { Micros } from '../core/base/clock.ts';
import type { Command } from '../core/model/command.ts';
import type { Event } from '../core/model/event.ts';

/** What is on its way in the simulated venue and no market data; those travel as they are. */
export type Message = InboundCommand | OutboundEvent;

/** A command on its way to the engine. */
export class InboundCommand {
  readonly command: Command;
  /** When it was sent, by wall time. */
  readonly askedAt: Micros;

  constructor(command: Command, askedAt: Micros) {
    this.command = command;
    this.askedAt = askedAt;
  }
}

/** An event on its way to us. */
export class OutboundEvent {
  readonly event: Event;

  constructor(event: Event) {
    this.event = event;
  }
}
