import type { Clock, Micros } from '../base/clock.ts';
import type { Journal } from '../journal/index.ts';
import type { Command, NewOrderCommand, NewOrderListCommand, ReplaceOrderCommand } from '../model/command.ts';
import type { CommandSettled, Event } from '../model/event.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { StateView } from '../state/index.ts';
import type { GateOptions } from './options.ts';

/** The rate budgets as the gate uses them. */
export interface CommandBudgets {
  /** Takes a slot in every scope the command draws on; -1 when one of them is used up. */
  take(command: Command): number;
  /** How long until `take` may succeed if nothing else happens. */
  wait(command: Command): Micros;
  /** Gives the slot back when its answer has come. */
  settle(slot: number, outcome: CommandSettled['outcome']): void;
  /** Reads of the account that the venue sustains in a second; absent where it does not tell. */
  readonly readRate?: number | undefined;
}

export interface GateDeps {
  readonly view: StateView;
  readonly journal: Journal;
  readonly budgets: CommandBudgets;
  readonly clock: Clock;
  readonly options: GateOptions;
  /** How late market data may come, ms. */
  readonly marketLagMsMax: number;
  /** Whether the account was compared with the venue since the trading session came up. */
  readonly reconciled: () => boolean;
  /** Sends to the venue; only the gate calls it. */
  readonly send: (command: Command) => void;
  /** Into the bus. */
  readonly publish: (event: Event) => void;
  /** The instruments whose books a command needs: see `OrderManager.inputsOf`. */
  readonly inputsOf: (
    command: NewOrderCommand | NewOrderListCommand | ReplaceOrderCommand,
  ) => readonly InstrumentId[];
}
