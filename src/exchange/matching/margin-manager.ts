import { unreachable } from '../../core/base/assert.ts';
import type { MarginCommand } from './command.ts';
import type { Desk } from './desk.ts';
import { settleFunding, takeInterest } from './margin-charges.ts';
import { closePosition, setAmr, setAutoMargin, setLeverage, setMargin } from './margin-commands.ts';

/** Executes a command about margin. */
export function manageMargin(desk: Desk, command: MarginCommand): void {
  switch (command.kind) {
    case 'setMargin':
      return setMargin(desk, command);
    case 'setLeverage':
      return setLeverage(desk, command);
    case 'setAmr':
      return setAmr(desk, command);
    case 'setAutoMargin':
      return setAutoMargin(desk, command);
    case 'closePosition':
      return closePosition(desk, command);
    case 'takeInterest':
      return takeInterest(desk);
    case 'settleFunding':
      return settleFunding(desk, command);
    default:
      return unreachable(command);
  }
}
