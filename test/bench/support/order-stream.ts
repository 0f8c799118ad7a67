import { Random } from '../../../src/base/random.ts';

/** One operation: a new order, a cancel of the order placed as number `target`, or an order that takes at once. */
export interface Operation {
  readonly kind: 'new' | 'cancel' | 'take';
  readonly number: number;
  readonly buy: boolean;
  readonly price: number;
  readonly quantity: number;
  readonly target: number;
}

const middle = 1_000_000;
const liveOrders = 5_000;

/** 47 % new at exponential distance, 42 % cancels of a random resting order, 11 % takers; about 5,000 live orders. */
export function orderStream(operations: number): readonly Operation[] {
  const random = new Random('order stream');
  const resting: number[] = [];
  return Array.from({ length: operations + liveOrders }, (_, number) => {
    const roll = random.float();
    const kind = number < liveOrders || roll < 0.47 ? 'new' : roll < 0.89 ? 'cancel' : 'take';
    const buy = random.chance(0.5);
    const away = Math.floor(random.exponential(40)) + 1;
    const price = kind === 'take' ? middle + (buy ? 40 : -40) : middle + (buy ? -away : away);
    const quantity = random.between(1, kind === 'take' ? 60 : 100);
    let target = 0;
    if (kind === 'new') resting.push(number);
    if (kind === 'cancel' && resting.length > 0) {
      const at = random.between(0, resting.length - 1);
      target = resting[at] ?? 0;
      resting[at] = resting.at(-1) ?? 0;
      resting.pop();
    }
    return { kind, number, buy, price, quantity, target };
  });
}
