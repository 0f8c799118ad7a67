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

/** The chance that a lot which left a level stood behind us, of the lots that stand ahead of us and behind. */
type Chance = (front: number, back: number) => number;

/**
 * Rule by chance: what left a level stood behind us with some chance; what was traded since the last change is taken off first. Source:
 * Rigtorp, "Estimating order queue position" (2013). This is the arithmetic of the tools it is compared with, to the last
 * digit: a place that a change pushed below 0 is not yet a fill, and later ones may push it back; an estimate that is no
 * number is the whole level.
 */
function byChance(chance: Chance): QueueRule {
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
      const front = place.ahead;
      const back = before - front;
      const share = chance(front, back);
      const behind = Math.abs(share) === Number.POSITIVE_INFINITY ? 1 : share;
      // What cannot have stood behind us stood ahead.
      const excess = Math.min(0, back - behind * gone);
      const estimate = front - (1 - behind) * gone + excess;
      place.ahead = estimate < after ? estimate : after;
    },
  };
}

/** `f` of what stands behind beside `f` of what stands ahead. */
function weighed(f: (lots: number) => number): Chance {
  return (front, back) => f(back) / (f(back) + f(front));
}

/** `f` of what stands behind as a part of `f` of all that stands there. */
function ofAll(f: (lots: number) => number): Chance {
  return (front, back) => f(back) / f(back + front);
}

/** The logarithm of one more than a quantity: in base currency, `lot` is one lot. */
function logOf(lot: number): (lots: number) => number {
  return (lots) => Math.log(1 + lots * lot);
}

export const queueRuleNames = [
  'risk-averse',
  'probability-power',
  'probability-power-2',
  'probability-power-3',
  'probability-log',
  'probability-log-2',
] as const;
export type QueueRuleName = (typeof queueRuleNames)[number];

/** The rule of that name for an instrument; `power` is the exponent of the power rules, `lot` a lot in base currency. */
export function queueRuleOf(name: QueueRuleName, power: number, lot: number): QueueRule {
  const raised = (x: number): number => x ** power;
  switch (name) {
    case 'risk-averse':
      return riskAverse;
    case 'probability-power':
      return byChance(weighed(raised));
    case 'probability-power-2':
      return byChance(ofAll(raised));
    case 'probability-power-3':
      return byChance((front, back) => 1 - raised(front / (front + back)));
    case 'probability-log':
      return byChance(weighed(logOf(lot)));
    case 'probability-log-2':
      return byChance(ofAll(logOf(lot)));
  }
}

/** How many whole lots of ours the trades have reached: 0 while anything whole stands ahead. */
export function reached(place: QueuePlace): number {
  return place.ahead < 0 ? Math.floor(-place.ahead) : 0;
}

/** Whether an order that fills whole is next: to the nearest lot less than nothing stands ahead. */
export function isNext(place: QueuePlace): boolean {
  return place.ahead <= -0.5;
}
