import type { Micros } from '../base/clock.ts';
import { BadInput } from '../base/errors.ts';
import { SmallMap } from '../base/small-map.ts';
import type { Denial } from '../model/denial.ts';
import type { InstrumentId, Lots } from '../model/instrument.ts';
import type { ClientOrderId, Order, OrderRequest } from '../model/order.ts';

/** More orders asked for without a verdict than an account may hold: something places in a loop. */
const askedMax = 25_000;

/** A wish, and the order it shows as once somebody looks: nearly always the verdict comes first. */
interface Asked {
  readonly request: OrderRequest;
  readonly original: ClientOrderId | undefined;
  readonly time: Micros;
  order: Order | undefined;
}

/** Orders and cancels a strategy asked for and that no verdict has met yet. */
export class AskedOrders {
  readonly #strategy: string;
  readonly #orders = new SmallMap<string, Asked>();
  readonly #cancels = new SmallMap<ClientOrderId, true>();

  constructor(strategy: string) {
    this.#strategy = strategy;
  }

  /** How many orders wait for a verdict. */
  get size(): number {
    return this.#orders.size;
  }

  add(request: OrderRequest, original: ClientOrderId | undefined, time: Micros): void {
    if (this.#orders.size >= askedMax) {
      throw new BadInput(
        `strategy ${this.#strategy} asked for ${askedMax} orders without waiting for a verdict`,
      );
    }
    this.#orders.set(request.clientOrderId, { request, original, time, order: undefined });
  }

  /** Whether a cancel was not already asked for. */
  askCancel(id: ClientOrderId): boolean {
    if (this.#cancels.has(id) || this.#cancels.size >= askedMax) return false;
    this.#cancels.set(id, true);
    return true;
  }

  get(id: ClientOrderId): Order | undefined {
    const asked = this.#orders.get(id);
    return asked === undefined ? undefined : this.#orderOf(asked);
  }

  /** Those on one instrument, or all; oldest first. */
  of(instrument: InstrumentId | undefined): readonly Order[] {
    const all = [...this.#orders.values()].map((asked) => this.#orderOf(asked));
    return instrument === undefined ? all : all.filter((order) => order.instrument === instrument);
  }

  /** A verdict on a placement or a replacement came. */
  settle(id: ClientOrderId): void {
    this.#orders.delete(id);
  }

  /** A verdict on a cancel came, or the order ended. */
  settleCancel(id: ClientOrderId): void {
    this.#cancels.delete(id);
  }

  /** The order asked for under `id` as one that our controls denied, if it was asked for. */
  denied(id: ClientOrderId, denial: Denial, time: Micros): Order | undefined {
    const asked = this.get(id);
    if (asked === undefined) return undefined;
    return { ...asked, state: 'denied', code: denial.code, why: denial.why, updatedAt: time };
  }

  #orderOf(asked: Asked): Order {
    asked.order ??= Object.freeze({
      ...asked.request,
      strategy: this.#strategy,
      state: 'pending',
      cumulative: 0 as Lots,
      venueOrderId: undefined,
      originalClientOrderId: asked.original,
      createdAt: asked.time,
      updatedAt: asked.time,
      code: undefined,
      why: undefined,
      cancelPending: false,
      replacePending: undefined,
    });
    return asked.order;
  }
}
