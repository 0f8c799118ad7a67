import { expect } from 'vitest';
import type { Amount } from '../../../src/core/base/amount.ts';
import { add, subtract, zero } from '../../../src/core/base/amount.ts';
import type { Instrument, Lots } from '../../../src/core/model/instrument.ts';
import { marginModes } from '../../../src/core/model/margin.ts';
import type { MarginAccountView, MarginMode, PositionView } from '../../../src/core/model/margin.ts';
import type { MarginProductName } from '../../../src/core/model/product.ts';
import { futuresAccountOf, marginAccountOf } from '../../../src/exchange/matching/accounts/command.ts';
import type { AccountId } from '../../../src/exchange/matching/accounts/command.ts';
import {
  decodeMarginAccount,
  MarginObjects,
} from '../../../src/venues/hitbtc/wire/resources/margin-model.ts';
import { Counterparty } from './counterparty.ts';
import { Puppet } from './puppet.ts';
import type { StageParts } from './stage.ts';
import { Stage, strategyOf } from './stage.ts';
import { until } from './until.ts';

export const contract = 'ETHUSDT_PERP';

/** A quiet exchange, counterparties on spot and on a perpetual, and a daemon whose strategy trades all products. */
export class MarginScene {
  readonly stage: Stage;
  readonly spot: Counterparty;
  readonly perpetual: Counterparty;
  puppet: Puppet;

  private constructor(stage: Stage, parties: readonly [Counterparty, Counterparty], puppet: Puppet) {
    this.stage = stage;
    [this.spot, this.perpetual] = parties;
    this.puppet = puppet;
  }

  static async open(parts: Partial<StageParts> = {}): Promise<MarginScene> {
    Puppet.forget();
    const stage = await Stage.open({
      strategies: [strategyOf('puppet', { contracts: [contract] })],
      exchange: { flow: { enabled: false }, futures: { sampleMs: 100 } },
      ...parts,
    });
    try {
      const spot = new Counterparty(stage.exchange);
      const perpetual = new Counterparty(stage.exchange, contract, 'fund');
      return new MarginScene(stage, [spot, perpetual], await Puppet.of(stage));
    } catch (error) {
      await stage.close();
      throw error;
    }
  }

  get demo(): AccountId {
    return this.stage.exchange.accounts.get('demo').id;
  }

  instrument(symbol: string): Instrument {
    return this.stage.daemon.trader.instruments.get(symbol);
  }

  account(symbol: string, mode: MarginMode): MarginAccountView | undefined {
    const { spec, id } = this.instrument(symbol);
    return this.stage.daemon.trader.view.marginAccount({
      product: spec.type === 'futures' ? 'futures' : 'margin',
      mode,
      instrument: mode === 'isolated' ? id : undefined,
      currency: spec.quoteCurrency,
    });
  }

  /** Waits until a margin account is as it shall be. */
  accountUntil(
    symbol: string,
    mode: MarginMode,
    fits: (account: MarginAccountView | undefined) => boolean,
  ): Promise<true> {
    return until(`the ${mode} account of ${symbol}`, () => fits(this.account(symbol, mode)));
  }

  /** Funding at a rate, now and out of turn; the public history of rates has it. */
  settleFunding(rate: Amount): void {
    const { core, futures } = this.stage.exchange;
    const { id } = core.instruments.get(contract);
    const time = core.now();
    const row = { time, fundingRate: rate, nextFundingTime: time, avgPremiumIndex: zero, interestRate: rate };
    futures.find(contract)?.funding.push(row);
    core.handle({ kind: 'settleFunding', instrument: id, price: 300_000 as never, rate });
  }

  /** What the exchange has open for the account. */
  positionsAt(product: MarginProductName): readonly PositionView[] {
    const owner = product === 'margin' ? marginAccountOf(this.demo) : futuresAccountOf(this.demo);
    return this.stage.exchange.core.exchange.marginAccounts(owner).flatMap(({ positions }) => positions);
  }

  takeInterest(): void {
    this.stage.exchange.core.handle({ kind: 'takeInterest' });
  }

  /** As a killed process leaves it, and started again; `between` happens in the meantime. */
  async killed(between: () => void | Promise<void> = () => {}): Promise<void> {
    await this.stage.daemon.trader.close();
    Puppet.forget();
    await between();
    await this.stage.start();
    this.puppet = await Puppet.of(this.stage);
  }

  /** Soon accounts, positions and orders of all products are the exchange's, to the last digit of the wire. */
  async expectSame(): Promise<void> {
    const { core } = this.stage.exchange;
    const { view, instruments } = this.stage.daemon.trader;
    const objects = new MarginObjects('v3', core.instruments);
    for (const [product, owner] of [
      ['margin', marginAccountOf(this.demo)],
      ['futures', futuresAccountOf(this.demo)],
    ] as const) {
      const theirs = () =>
        core.exchange
          .marginAccounts(owner)
          .map((one) => steady(decodeMarginAccount(objects.account(one), instruments)?.account));
      const ours = () =>
        view.marginAccounts().flatMap((one) => (one.product === product ? [steady(one.account)] : []));
      await expect.poll(ours).toEqual(theirs());
      const orders = () => core.exchange.activeOrders(owner).map(({ clientOrderId }) => clientOrderId);
      const known = () =>
        view
          .openOrders()
          .filter(
            ({ instrument, margin }) =>
              margin !== undefined &&
              (instruments.at(instrument).spec.type === 'futures') === (product === 'futures'),
          )
          .map(({ clientOrderId }) => clientOrderId);
      await expect.poll(known).toEqual(orders());
    }
    const booked = () =>
      view.marginAccounts().flatMap(({ account }) =>
        account.positions.map(({ instrument, mode }) => {
          const lots = view.netPosition(instrument, mode);
          const size = instruments.at(instrument).quantityAmount(Math.abs(lots) as Lots);
          return [instrument, mode, lots < 0 ? subtract(zero, size) : size];
        }),
      );
    const reported = view
      .marginAccounts()
      .flatMap(({ account }) =>
        account.positions.map(({ instrument, mode, quantity }) => [instrument, mode, quantity]),
      );
    await expect.poll(booked).toEqual(reported);
    expect(view.unknownCount()).toBe(0);
  }

  /** What the strategy paid as funding and interest for an instrument, in all margin accounts. */
  charges(symbol: string): Amount {
    const { view } = this.stage.daemon.trader;
    const { id } = this.instrument(symbol);
    return marginModes.reduce((sum, mode) => add(sum, view.position(id, 'puppet', mode).charges), zero);
  }
}

/** What a report keeps true: profit and boundaries move with the market, without a report. */
function steady(account: MarginAccountView | undefined): object | undefined {
  if (account === undefined) return undefined;
  const { callMargin: _call, liquidationMargin: _liquidation, called: _called, ...rest } = account;
  return {
    ...rest,
    positions: account.positions.map(
      ({ pnl: _pnl, marginCall: _margin, liquidation: _price, ...position }) => position,
    ),
  };
}
