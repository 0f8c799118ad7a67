import type { Amount } from '../../src/core/base/amount.ts';
import { parseAmount, zero } from '../../src/core/base/amount.ts';
import type { Micros } from '../../src/core/base/clock.ts';
import type { Random } from '../../src/core/base/random.ts';
import type {
  AccountId,
  ExchangeCommand,
  PlaceCommand,
} from '../../src/exchange/matching/accounts/command.ts';
import type { Outcome } from '../../src/exchange/matching/accounts/outcome.ts';
import { Instruments } from '../../src/core/model/instrument.ts';
import type { InstrumentId, Lots, Ticks } from '../../src/core/model/instrument.ts';
import type { ClientOrderId, OrderRequest } from '../../src/core/model/order.ts';
import { contingencyTypes } from '../../src/core/model/order-list.ts';
import { needsPrice, needsStopPrice, orderTypes, timesInForce } from '../../src/core/model/order.ts';
import { spotSpec } from './markets.ts';

/** Three markets in a triangle: usual fees, a rebate, and rates so fine that fees are cut below 10^-24. */
export function triangle(): Instruments {
  return new Instruments([
    spotSpec('AAABBB', {
      tickSize: '0.01',
      quantityIncrement: '0.001',
      takeRate: '0.0025',
      makeRate: '0.001',
    }),
    spotSpec('CCCBBB', { baseCurrency: 'CCC', tickSize: '0.5', takeRate: '0.0009', makeRate: '-0.0001' }),
    spotSpec('AAACCC', {
      quoteCurrency: 'CCC',
      tickSize: '0.000000001',
      quantityIncrement: '0.00000000001',
      takeRate: '0.00025',
      makeRate: '0.00015',
    }),
  ]);
}

export const accounts = [0, 1, 2, 7] as AccountId[];
const currencies = ['AAA', 'BBB', 'CCC'];

/** An endless, seeded stream of commands: mostly orders around a wandering price, and everything else now and then. */
export class RandomCommands {
  readonly #random: Random;
  readonly #live = new Map<string, { account: AccountId; clientOrderId: string }>();
  #middle = 1_000;
  #number = 0;
  now: Micros;

  constructor(random: Random, start: Micros) {
    this.#random = random;
    this.now = start;
  }

  next(): ExchangeCommand {
    const random = this.#random;
    this.now = (this.now + this.#step()) as Micros;
    if (random.chance(0.02)) this.#middle = Math.max(20, this.#middle + random.between(-5, 5));
    if (random.chance(0.0005)) this.#middle = random.between(20, 4_000);
    const roll = random.float();
    if (roll < 0.5) return this.#place();
    if (roll < 0.58) return this.#placeList();
    if (roll < 0.76) return { kind: 'cancel', ...this.#known() };
    if (roll < 0.9) return this.#replace();
    if (roll < 0.975) return this.#adjust();
    if (roll < 0.98) {
      const instrument = random.chance(0.3) ? undefined : this.#instrument();
      return { kind: 'cancelAll', account: random.pick(accounts), instrument };
    }
    if (roll < 0.985) {
      const status = random.chance(0.9) ? 'working' : 'suspended';
      return { kind: 'setStatus', instrument: this.#instrument(), status };
    }
    return { kind: 'expire' };
  }

  #place(): PlaceCommand {
    const random = this.#random;
    const account = random.pick(accounts);
    const type = random.chance(0.6) ? 'limit' : random.pick(orderTypes);
    const timeInForce = random.chance(0.5) ? 'GTC' : random.pick(timesInForce);
    const id = random.chance(0.02) ? this.#known().clientOrderId : `order-${this.#number++}`;
    const request: OrderRequest = {
      clientOrderId: id as ClientOrderId,
      instrument: this.#instrument(),
      side: random.chance(0.5) ? 'buy' : 'sell',
      type,
      timeInForce: type === 'market' && random.chance(0.9) ? random.pick(['IOC', 'FOK']) : timeInForce,
      quantity: this.#quantity(),
      price: needsPrice(type) !== random.chance(0.01) ? this.#price() : undefined,
      stopPrice: needsStopPrice(type) ? this.#price() : undefined,
      expireTime:
        timeInForce === 'GTD' ? ((this.now + random.between(-1_000_000, 60_000_000)) as Micros) : undefined,
      postOnly: random.chance(0.1),
    };
    return { kind: 'place', account, request, takeMarkup: this.#markup(), makeMarkup: this.#markup() };
  }

  /** Mostly lists that may be placed: the free dice of single orders would break a rule nearly every time. */
  #placeList(): ExchangeCommand {
    const random = this.#random;
    const contingency = random.pick(contingencyTypes);
    const count = contingency === 'oneTriggerOneCancelOther' ? 3 : random.between(2, 3);
    const sharedInstrument = this.#instrument();
    const free = random.chance(0.05);
    const orders = Array.from({ length: random.chance(0.02) ? random.between(0, 4) : count }, (_, index) => {
      const { request, takeMarkup, makeMarkup } = this.#place();
      const instrument = contingency === 'allOrNone' ? index % 3 : sharedInstrument;
      const spread = contingency === 'oneTriggerOther' || contingency === 'oneCancelOther';
      const placed = {
        ...request,
        instrument:
          free || (spread && random.chance(0.3)) ? request.instrument : (instrument as InstrumentId),
      };
      const fitting = free ? placed : this.#fitted(placed, contingency, index);
      return { request: fitting, takeMarkup, makeMarkup };
    });
    const listId = random.chance(0.02) ? 'another' : (orders[0]?.request.clientOrderId ?? 'empty');
    return { kind: 'placeList', account: random.pick(accounts), listId, contingency, orders };
  }

  #fitted(request: OrderRequest, contingency: string, index: number): OrderRequest {
    const primary = contingency.startsWith('oneTrigger') && index === 0;
    if (contingency === 'allOrNone') {
      const type = request.price === undefined ? 'market' : 'limit';
      return { ...request, type, timeInForce: 'FOK', stopPrice: undefined, postOnly: false };
    }
    if (primary || contingency === 'oneTriggerOther') return request;
    const market = request.type === 'market';
    const kind = market ? { type: 'stopMarket' as const, stopPrice: this.#price() } : {};
    const rests =
      request.type === 'limit' && (request.timeInForce === 'IOC' || request.timeInForce === 'FOK');
    return { ...request, ...kind, ...(rests && { timeInForce: 'GTC' as const }) };
  }

  #replace(): ExchangeCommand {
    const random = this.#random;
    const { account, clientOrderId } = this.#known();
    const newClientOrderId = random.chance(0.03) ? clientOrderId : `order-${this.#number++}`;
    const price = random.chance(0.8) ? this.#price() : undefined;
    const stopPrice = random.chance(0.15) ? this.#price() : undefined;
    const quantity = this.#quantity();
    return { kind: 'replace', account, clientOrderId, newClientOrderId, quantity, price, stopPrice };
  }

  #adjust(): ExchangeCommand {
    const random = this.#random;
    const change = parseAmount(random.pick(['50', '12.5', '0.000001', '-3', '-0.1', '4000', '-200']));
    return {
      kind: 'adjustBalance',
      account: random.pick(accounts),
      currency: random.pick(currencies),
      change,
    };
  }

  /** Hands over what came of each command: cancels and replacements then mostly meet orders that live. */
  observe(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) {
      if (outcome.kind !== 'report') continue;
      const { account, order } = outcome;
      const name = `${account} ${order.clientOrderId}`;
      if (order.state === 'new' || order.state === 'suspended' || order.state === 'partiallyFilled')
        this.#live.set(name, { account, clientOrderId: order.clientOrderId });
      else this.#live.delete(name);
      if (outcome.reportType === 'replaced') this.#live.delete(`${account} ${order.originalClientOrderId}`);
    }
  }

  /** An order that lives, or now and then one that does not. */
  #known(): { account: AccountId; clientOrderId: string } {
    const live = [...this.#live.values()];
    if (live.length > 0 && this.#random.chance(0.9)) return this.#random.pick(live);
    return {
      account: this.#random.pick(accounts),
      clientOrderId: `order-${this.#random.between(0, this.#number)}`,
    };
  }

  /** Mostly milliseconds; sometimes nothing, sometimes hours. */
  #step(): number {
    const random = this.#random;
    if (random.chance(0.1)) return 0;
    if (random.chance(0.002)) return random.between(0, 10_000_000_000);
    return random.between(1, 400_000);
  }

  #instrument(): InstrumentId {
    return this.#random.between(0, 2) as InstrumentId;
  }

  #quantity(): Lots {
    const random = this.#random;
    if (random.chance(0.01)) return random.pick([0, -1, 0.5, Number.NaN]) as Lots;
    return (random.chance(0.9) ? random.between(1, 20) : random.between(1, 500)) as Lots;
  }

  /** Mostly within a few ticks of the middle, sometimes beyond any window, sometimes nonsense. */
  #price(): Ticks {
    const random = this.#random;
    if (random.chance(0.01)) return random.pick([0, -3, 1.5, Number.NaN]) as Ticks;
    if (random.chance(0.05)) return random.between(1, 12_000) as Ticks;
    return Math.max(1, this.#middle + random.between(-8, 8)) as Ticks;
  }

  #markup(): Amount {
    return this.#random.chance(0.05) ? parseAmount(this.#random.pick(['0.001', '-0.5', '2'])) : zero;
  }
}
