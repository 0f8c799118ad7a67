import { timeText } from '../../core/base/clock.ts';
import { ownerOf } from '../../core/model/client-order-id.ts';
import type { Event } from '../../core/model/event.ts';
import { isLiquidation } from '../../core/model/liquidation.ts';

/** Collects what operators and others did in a session: it is in the session, and a backtest cannot repeat it. */
export class Unrepeatable {
  /** Each kind once. */
  readonly #reasons = new Map<string, string>();
  /** Executions on spot of orders that no strategy placed. */
  #foreign = 0;

  /** Why the session cannot be scored, each with its time; empty where it can. */
  get reasons(): readonly string[] {
    return [...this.#reasons.values()];
  }

  get notes(): readonly string[] {
    return this.#foreign === 0 ? [] : [`${this.#foreign} executions of orders of others are left out`];
  }

  /** `isFirst`: nothing but the start was read before. */
  observe(event: Event, isFirst: boolean): void {
    switch (event.kind) {
      case 'operatorActed': {
        const { act } = event.act;
        // Parameters that were changed are those of the backtest, too.
        if (act !== 'setParams') this.#note(`act ${act}`, `an operator acted (${act})`, event);
        return;
      }
      case 'marginFound':
        this.#note(event.lots === 0 ? 'margin' : 'position', event.why, event);
        return;
      case 'stateCarried':
        if (isFirst && event.state.positions.some((one) => one.account !== undefined && one.quantity !== 0))
          this.#note('held', 'strategies held positions of margin accounts when it began', event);
        return;
      case 'orderReport': {
        const { fill, order } = event;
        const { clientOrderId, margin } = order;
        if (fill === undefined || ownerOf(clientOrderId) !== undefined || isLiquidation(clientOrderId))
          return;
        if (margin === undefined) this.#foreign += 1;
        else this.#note('foreign', `order ${clientOrderId} of others traded on margin`, event);
        return;
      }
      default:
    }
  }

  #note(kind: string, why: string, { receiveTime }: Event): void {
    if (!this.#reasons.has(kind)) this.#reasons.set(kind, `${timeText(receiveTime)}: ${why}`);
  }
}
