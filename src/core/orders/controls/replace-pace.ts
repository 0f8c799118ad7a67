import type { Micros } from '../../base/clock.ts';
import { millis } from '../../base/clock.ts';
import type { ClientOrderId, Order } from '../../model/order.ts';
import type { Rule } from '../base/candidate.ts';
import { deny } from '../base/candidate.ts';
import type { RuleState, RuleStates } from '../base/memory.ts';
import { ruleStates } from '../base/memory.ts';
import { delayMs, ruleSettings } from '../base/options.ts';

const settings = ruleSettings(
  {
    replaceMsMin: delayMs
      .default(0)
      .describe('least time between two replacements of one order; cancels are never held back'),
  },
  { replaceMsMin: 'less' },
);

/** Ids kept of one strategy, two for each replacement; beyond, the oldest is forgotten. */
const idsMax = 20_000;

/** Times at which orders were replaced last, by `uptime`, under the id of the order and of what replaces it, the oldest first. */
class ReplaceTimes implements RuleState {
  readonly #window: Micros;
  readonly #times: Map<ClientOrderId, Micros>;

  constructor(window: Micros, before: ReplaceTimes | undefined) {
    this.#window = window;
    this.#times = before === undefined ? new Map<ClientOrderId, Micros>() : before.#times;
  }

  lastOf(id: ClientOrderId): Micros | undefined {
    return this.#times.get(id);
  }

  /** A replacement has left. One that the venue refuses counts as well: it was a message like any other. */
  replaced(original: ClientOrderId, id: ClientOrderId, now: Micros): void {
    if (this.#window === 0) return;
    for (const one of [original, id]) {
      this.#times.delete(one);
      this.#times.set(one, now);
    }
    for (const [one, time] of this.#times) {
      if (now - time < this.#window && this.#times.size <= idsMax) break;
      this.#times.delete(one);
    }
  }
}

const times = ruleStates<ReplaceTimes>(({ options }, before) => {
  const most = Math.max(...options.map((one) => settings.of(one).replaceMsMin));
  return new ReplaceTimes(millis(most), before);
});

/**
 * A least time between two replacements of one order. What replaces an order goes on as that order. A replacement of an earlier run
 * counts by the time in the journal at which it was accepted, unless the clock was set back since.
 */
export const replacePace = {
  code: 'REPLACE_TOO_SOON',
  settings,
  // Its class is not part of the type of the table.
  states: times as RuleStates,
  once: true,
  control: ({ strategy, replaces }, _view, memory) => {
    if (replaces === undefined) return undefined;
    const { replaceMsMin } = settings.of(memory.options);
    if (replaceMsMin === 0) return undefined;
    const { clientOrderId } = replaces;
    const last = times.of(strategy).lastOf(clientOrderId);
    const passed = last === undefined ? sinceMade(replaces, memory.now) : memory.uptime - last;
    if (passed === undefined || passed >= millis(replaceMsMin)) return undefined;
    return deny(
      'REPLACE_TOO_SOON',
      `expected at least ${replaceMsMin} ms between replacements of one order (orders.replaceMsMin), found ${Math.floor(passed / 1_000)} ms since that of order ${clientOrderId}`,
    );
  },
} satisfies Rule;

/** How long ago an order was made as a replacement; `undefined` where it was not, or the clock does not say. */
function sinceMade({ originalClientOrderId, createdAt }: Order, now: Micros): number | undefined {
  return originalClientOrderId === undefined || createdAt > now ? undefined : now - createdAt;
}
