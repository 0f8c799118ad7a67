import type { Instrument, Lots } from '../core/model/instrument.ts';

/** Estimates where cancelled quantity stood, when the recording only shows that a level shrank. */
export interface QueueModel {
  /**
   * Number of the `lots` cancelled at a level that stood ahead of our order. `front` and `back` are the foreign lots ahead
   * of it and behind it; the answer is cut to what is possible.
   */
  ahead(lots: Lots, front: Lots, back: Lots): Lots;
}

/** Orders behind ours are cancelled first, so our place in the queue improves as little as possible. */
export const conservative: QueueModel = {
  ahead(lots, _front, back) {
    return Math.max(0, lots - back) as Lots;
  },
};

/** Cancels come from ahead and from behind in proportion to what stands there; a broken lot is counted behind. */
export const proportional: QueueModel = {
  ahead(lots, front, back) {
    const all = front + back;
    return (all === 0 ? 0 : Math.floor((lots * front) / all)) as Lots;
  },
};

/**
 * The chance that a cancelled lot stood behind us: `f(back) / (f(back) + f(front))`. Cancels ahead of us are
 * `1 - chance` of what left; a broken lot is counted behind. Source: Rigtorp, "Estimating order queue position" (2013).
 */
function byChance(f: (lots: number) => number): QueueModel {
  return {
    ahead(lots, front, back) {
      const chance = f(back) / (f(back) + f(front));
      return (Number.isFinite(chance) ? Math.floor(lots * (1 - chance)) : 0) as Lots;
    },
  };
}

/** `f(x) = x ** power`: with 1 this is `proportional` up to the broken lot; above, long queues lose at their longer end. */
export function powerModel(power: number): QueueModel {
  return byChance((lots) => lots ** power);
}

/** `f(x) = log(1 + x)` of quantities in base currency, `lot` a lot: the split is closer to halves than the quantities are. */
export function logModel(lot: number): QueueModel {
  return byChance((lots) => Math.log(1 + lots * lot));
}

export const queueModelNames = ['conservative', 'proportional', 'power', 'log'] as const;
export type QueueModelName = (typeof queueModelNames)[number];

/** The model of that name for an instrument; `power` is the exponent of `power`, `lot` a lot in base currency. */
export function queueModelOf(name: QueueModelName, power: number, lot: number): QueueModel {
  switch (name) {
    case 'conservative':
      return conservative;
    case 'proportional':
      return proportional;
    case 'power':
      return powerModel(power);
    case 'log':
      return logModel(lot);
  }
}

/** A lot in base currency. */
export function lotOf({ spec }: Instrument): number {
  return Number(spec.quantityIncrement);
}
