import type { Lots } from '../model/instrument.ts';

/** Where cancelled quantity stood, when the recording only tells that a level shrank. */
export interface QueueModel {
  /**
   * Of `lots` cancelled at a level, how many stood ahead of our order. `front` and `back` are the foreign lots ahead
   * of it and behind it; the answer is cut to what is possible.
   */
  ahead(lots: Lots, front: Lots, back: Lots): Lots;
}

/** Whoever stands behind us leaves first: our place in the queue only improves when it must. */
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
