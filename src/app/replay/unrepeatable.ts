import type { Micros } from '../../core/base/clock.ts';
import { timeText } from '../../core/base/clock.ts';
import { ownerOf } from '../../core/model/client-order-id.ts';
import { externalStrategy } from '../../core/ledger/index.ts';
import type { InstrumentId } from '../../core/model/instrument.ts';
import type { Event, StateCarried } from '../../core/model/event.ts';
import { isLiquidation } from '../../core/model/liquidation.ts';
import { BookedFills } from '../../core/state/index.ts';

/** An execution, by report or by history. */
type Executed = Parameters<BookedFills['add']>[0];

/** Far more than a history shows of one look. */
const knownMax = 200_000;

const stoodText = 'a position of others stood in a margin account when it began';

/** Collects what operators and others did in a session: it is in the session, and a backtest cannot repeat it. */
export class Unrepeatable {
  /** Each kind once. */
  readonly #reasons = new Map<string, string>();
  /** Executions on spot of orders that no strategy placed. */
  #foreign = 0;
  /** When the first event came. */
  #begunAt: Micros | undefined;
  /** Executions that were seen, those of earlier sessions among them: histories show them again. */
  readonly #known = new BookedFills(knownMax);
  /** Signed lots by instrument that orders of others traded on margin before the session, and no journal knows. */
  readonly #before = new Map<InstrumentId, number>();

  /** Why the session cannot be scored, each with its time; empty where it can. */
  get reasons(): readonly string[] {
    const stood = [...this.#before.values()].some((lots) => lots !== 0);
    const begun = timeText(this.#begunAt ?? (0 as Micros));
    return [...(stood ? [`${begun}: ${stoodText}`] : []), ...this.#reasons.values()];
  }

  get notes(): readonly string[] {
    return this.#foreign === 0 ? [] : [`${this.#foreign} executions of orders of others are left out`];
  }

  /** `isFirst`: nothing but the start was read before. */
  observe(event: Event, isFirst: boolean): void {
    this.#begunAt ??= event.receiveTime;
    switch (event.kind) {
      case 'operatorActed': {
        const { act } = event.act;
        // The backtest has the parameters with which the session began, from its beginning to its end.
        this.#noteEvent(`act ${act}`, `an operator acted (${act})`, event);
        return;
      }
      case 'marginFound':
        this.#noteEvent(event.lots === 0 ? 'margin' : 'position', event.why, event);
        return;
      case 'stateCarried':
        if (isFirst) this.#beginRun(event);
        return;
      case 'orderReport': {
        const { fill, order } = event;
        if (fill !== undefined) this.#executed({ ...order, ...fill }, order.margin !== undefined, event);
        return;
      }
      case 'readAnswered': {
        const { what, fills } = event;
        if (what.of !== 'tradeHistory') return;
        const isMargin = what.product !== undefined && what.product !== 'spot';
        for (const fill of fills) this.#executed(fill, isMargin, event);
        return;
      }
      default:
    }
  }

  /** An execution that was reported or read; each counts once. */
  #executed(trade: Executed, isMargin: boolean, event: Event): void {
    const { clientOrderId: id, instrument, side, quantity, time } = trade;
    if (ownerOf(id) !== undefined || isLiquidation(id) || !this.#known.add(trade)) return;
    const isEarlier = time < (this.#begunAt ?? time);
    if (!isMargin) this.#foreign += isEarlier ? 0 : 1;
    else if (!isEarlier) this.#noteEvent('foreign', `order ${id} of others traded on margin`, event);
    else {
      const lots = side === 'buy' ? quantity : -quantity;
      this.#before.set(instrument, (this.#before.get(instrument) ?? 0) + lots);
    }
  }

  /** Notes what an earlier session left on margin: it is in this one, and its backtest begins without. */
  #beginRun(event: StateCarried): void {
    this.#known.takeFills(event.state.fills);
    const held = event.state.positions.filter(
      ({ account, quantity }) => account !== undefined && quantity !== 0,
    );
    if (held.some(({ strategy }) => strategy !== externalStrategy))
      this.#noteEvent('held', 'strategies held positions of margin accounts when it began', event);
    if (held.some(({ strategy }) => strategy === externalStrategy))
      this.#noteEvent('foreign held', stoodText, event);
  }

  #noteEvent(kind: string, why: string, { receiveTime }: Event): void {
    if (!this.#reasons.has(kind)) this.#reasons.set(kind, `${timeText(receiveTime)}: ${why}`);
  }
}
