import type { ClientOrderId, OrderState } from '../../../src/core/model/order.ts';
import { Counterparty } from './counterparty.ts';
import { expectBookedOnce, expectSameAccount, expectSameBook, expectSentOnce } from './invariants.ts';
import { Puppet } from './puppet.ts';
import type { StageParts } from './stage.ts';
import { Stage, strategyOf } from './stage.ts';

/** A buy that rests: nobody sells as low. */
export const far = { side: 'buy', quantity: 20, price: 299_100 } as const;

/** A quiet exchange, a counterparty that makes its market, and a daemon whose strategy does what the test tells it. */
export class PuppetScene {
  readonly stage: Stage;
  readonly counterparty: Counterparty;
  readonly puppet: Puppet;

  private constructor(stage: Stage, counterparty: Counterparty, puppet: Puppet) {
    this.stage = stage;
    this.counterparty = counterparty;
    this.puppet = puppet;
  }

  /** Open once the strategy runs and sees a live book. Close its stage after the test. */
  static async open(parts: Partial<StageParts> = {}): Promise<PuppetScene> {
    Puppet.forget();
    const stage = await Stage.open({
      strategies: [strategyOf('puppet')],
      exchange: { flow: { enabled: false } },
      ...parts,
    });
    try {
      return new PuppetScene(stage, new Counterparty(stage.exchange), await Puppet.of(stage));
    } catch (error) {
      await stage.close();
      throw error;
    }
  }

  stateOf(id: string): OrderState | undefined {
    return this.stage.daemon.trader.view.order(id as ClientOrderId)?.state;
  }

  /** I1, I4, I6, I8: sent once, booked once, and soon the account and the book are the exchange's. */
  async expectWhole(): Promise<void> {
    await expectSameAccount(this.stage);
    expectSentOnce(this.stage);
    expectBookedOnce(this.stage);
    await expectSameBook(this.stage);
  }
}
