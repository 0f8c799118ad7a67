import type { ClientOrderId } from '../../../src/core/model/order.ts';
import type { Orders, SpotOrderRequest } from '../../../src/core/strategy/context.ts';
import type { Strings } from '../fixtures/puppet.ts';
import type { Stage } from './stage.ts';
import { until } from './until.ts';

type PuppetContext = Parameters<Strings['wishes'][number]>[0];

const puppets = Symbol.for('godwit.test.puppets');

/** The hand of a test in the puppet strategy of a stage. */
export class Puppet {
  readonly #strings: Strings;

  private constructor(strings: Strings) {
    this.#strings = strings;
  }

  /** Waits until the strategy runs and sees a live book. */
  static async of(stage: Stage, symbol = 'ETHUSDT'): Promise<Puppet> {
    const strings = await until('the puppet', () => {
      const found = Reflect.get(globalThis, puppets) as Strings | undefined;
      const { trader } = stage.daemon;
      const live = trader.view.book(trader.instruments.get(symbol).id).status === 'live';
      return trader.started && live && found;
    });
    return new Puppet(strings);
  }

  /** The puppet of whatever runs in this process, once its strategy has been made. */
  static get running(): Puppet | undefined {
    const strings = Reflect.get(globalThis, puppets) as Strings | undefined;
    return strings && new Puppet(strings);
  }

  /** Forgets the puppet of an earlier test. */
  static forget(): void {
    Reflect.deleteProperty(globalThis, puppets);
  }

  get books(): Strings['books'] {
    return this.#strings.books;
  }

  get fills(): readonly string[] {
    return this.#strings.fills;
  }

  get margin(): readonly string[] {
    return this.#strings.margin;
  }

  get funding(): Strings['funding'] {
    return this.#strings.funding;
  }

  get outages(): Strings['outages'] {
    return this.#strings.outages;
  }

  /** The states an order went through, as they were reported to the strategy; what is reported twice counts once. */
  statesOf(id: string): readonly string[] {
    return this.#strings.orders
      .filter((line) => line.startsWith(`${id} `))
      .map((line) => line.split(' ')[1] ?? '')
      .filter((state, index, all) => state !== all[index - 1]);
  }

  /** Does something in the strategy's own turn, and gives what came of it. */
  act<Result>(act: (orders: Orders) => Result): Promise<Result> {
    return this.turn(({ orders }) => act(orders));
  }

  /** As `act`, with everything that the strategy has. */
  turn<Result>(act: (context: PuppetContext) => Result): Promise<Result> {
    return new Promise((resolve) => this.#strings.wishes.push((context) => resolve(act(context))));
  }

  place(request: Omit<SpotOrderRequest, 'symbol'>): Promise<ClientOrderId> {
    return this.act((orders) => orders.place({ symbol: 'ETHUSDT', ...request }));
  }

  /** Waits until the strategy has a report that the order is in `state`. */
  async received(id: string, state: string): Promise<void> {
    await until(`${id} ${state}, received so far: ${this.statesOf(id).join(' ')}`, () =>
      this.statesOf(id).includes(state),
    );
  }
}
