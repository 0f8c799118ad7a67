import { micros } from '../../src/core/base/clock.ts';
import { decodeEvent, encodeEvent } from '../../src/core/journal/records/records.ts';
import type { Event } from '../../src/core/model/event.ts';
import { evidenceHalts } from '../../src/core/model/evidence-halt.ts';
import type { Instruments } from '../../src/core/model/instrument.ts';
import { marginModes, positionAccounts } from '../../src/core/model/margin.ts';
import { State } from '../../src/core/state/state.ts';
import type { StateView } from '../../src/core/state/view.ts';
import type { Breaches } from './breaches.ts';
import { firstDifference } from './check-end.ts';

const sides = ['buy', 'sell'] as const;

/**
 * Holds a state that was carried over against the state that it is of: a blank one that takes it, as a restart does, and the rest of the
 * step, knows the same and carries the same. I11.
 */
export class CarriedCheck {
  readonly #breaches: Breaches;
  readonly #instruments: Instruments;
  /** Begun with what was carried in this step. */
  #taken: State | undefined;

  constructor(breaches: Breaches, instruments: Instruments) {
    this.#breaches = breaches;
    this.#instruments = instruments;
  }

  restart(): void {
    this.#taken = undefined;
  }

  /** The trader has taken this event in. */
  after(event: Event): void {
    if (event.kind === 'stateCarried') {
      this.#taken = new State({ instruments: this.#instruments });
      this.#taken.fold(decodeEvent(encodeEvent(event)));
    } else this.#taken?.fold(event);
  }

  afterStep(view: StateView): void {
    const taken = this.#taken;
    if (taken === undefined) return;
    this.#taken = undefined;
    const why =
      firstDifference(this.#known(taken), this.#known(view)) ??
      (view instanceof State ? firstDifference(taken.carry(), view.carry()) : undefined);
    if (why !== undefined) this.#breaches.add('I11', `a carried state is not that of the run: ${why}`);
  }

  #known(view: StateView): readonly unknown[] {
    return [
      view.openOrders(),
      this.#instruments.all.map(({ id }) =>
        sides.map((side) => [
          view.bestOwnPrice(id, side),
          positionAccounts.map((account) => view.workingLots(id, side, undefined, account)),
        ]),
      ),
      view.unknownCount(),
      view.missingFills(),
      view.balances(),
      view.balances('futures'),
      view.positions(),
      view.marginAccounts(),
      view.marginChanges,
      // What evidence ends is over with the run: the next one reads all before it trades.
      view.holds.filter(({ kind }) => !evidenceHalts.some((halt) => halt === kind)),
      view.losses.latches,
      view.openExecutions,
      view.differences.all,
      view.movedMoney.all(),
      view.courses.all,
      view.wallets.differences,
      view.wallets.isProven,
      this.#instruments.all.map(({ id }) =>
        marginModes.map((mode) => view.wallets.hasTraded(id, mode, micros(0))),
      ),
    ];
  }
}
