/** Where an order stands in the queue of its level, in lots; estimates may be broken numbers. */
export interface QueuePlace {
  /** Foreign lots ahead; below 0 when more was traded than stood ahead. */
  ahead: number;
  /** Traded at the level since its last recorded change: that change must not be counted twice. */
  traded: number;
}

/** How recorded changes of a level move an order in its queue. */
export interface QueueRule {
  /** `lots` were traded at the order's price by the other side. */
  trade(place: QueuePlace, lots: number): void;
  /** The level changed from `before` to `after` lots. */
  change(place: QueuePlace, before: number, after: number): void;
}

/** Only trades move us forward, and what is left at the level is never less than what is ahead of us. */
export const riskAverse: QueueRule = {
  trade(place, lots) {
    place.ahead -= lots;
  },
  change(place, _before, after) {
    if (after < place.ahead) place.ahead = after;
  },
};

/**
 * Cancels come from ahead of us with the chance `1 - f(back) / (f(back) + f(front))`; what was traded since the last
 * change is taken off first. Source: Rigtorp, "Estimating order queue position" (2013).
 */
function byChance(f: (lots: number) => number): QueueRule {
  return {
    trade(place, lots) {
      place.ahead -= lots;
      place.traded += lots;
    },
    change(place, before, after) {
      const gone = before - after - place.traded;
      place.traded = 0;
      if (gone < 0) {
        place.ahead = Math.min(place.ahead, after);
        return;
      }
      const front = Math.max(0, place.ahead);
      const back = Math.max(0, before - front);
      const share = f(back) / (f(back) + f(front));
      const behind = Number.isNaN(share) ? 1 : share;
      // What cannot have stood behind us stood ahead.
      const excess = Math.min(0, back - behind * gone);
      place.ahead = Math.min(place.ahead - (1 - behind) * gone + excess, after);
    },
  };
}

export const queueRuleNames = ['risk-averse', 'probability-power', 'probability-log'] as const;
export type QueueRuleName = (typeof queueRuleNames)[number];

/** The rule of that name; `power` is the exponent of `probability-power`. */
export function queueRuleOf(name: QueueRuleName, power: number): QueueRule {
  switch (name) {
    case 'risk-averse':
      return riskAverse;
    case 'probability-power':
      return byChance((lots) => lots ** power);
    case 'probability-log':
      return byChance((lots) => Math.log1p(lots));
  }
}

/** How many whole lots of ours the trades have reached: 0 while anything whole stands ahead. */
export function reached(place: QueuePlace): number {
  return Math.round(place.ahead) < 0 ? Math.floor(-place.ahead) : 0;
}
