import { CounterRandom } from '../../src/app/virtual/counter-random.ts';
import type { FaultyKind } from './faulty.ts';
import { faultyKinds, faultyName } from './faulty.ts';
import { symbols } from './traded.ts';

/** One strategy of a seed. */
export interface Role {
  readonly name: string;
  /** Third part of its order ids. */
  readonly tag: string;
  /** Symbols of spot that it trades. */
  readonly symbols: readonly string[];
  /** The part of its turns in which it wishes for something, of the pace of the seed. */
  readonly share: number;
  /** What is wrong with it. */
  readonly faulty?: FaultyKind;
}

/** The strategy of every seed; margin, contracts, lists and limits on loss are its own. */
export const workloadName = 'workload';

const lone: Role = { name: workloadName, tag: 'work', symbols, share: 1 };

/** The strategies of a seed: seven of twenty have two or three, half of these a faulty one among them. */
export function castOf(seed: number): readonly Role[] {
  const random = new CounterRandom(seed, 'cast');
  if (!random.chance(0.35)) return [lone];
  const count = random.between(2, 3);
  const isFaulty = random.chance(0.5);
  const kind = random.pick(faultyKinds);
  const share = 1 / count;
  const roles = [{ ...lone, share: Math.max(share, 0.5) }];
  for (let number = 2; number <= count; number++)
    roles.push({
      name: `beside${number}`,
      tag: `bes${number}`,
      symbols: random.pick([symbols, ['ETHUSDT'], ['BTCUSDT']]),
      share,
    });
  if (!isFaulty) return roles;
  // It stands before, between or behind the others, who are notified in this order.
  const at = random.between(0, roles.length - 1);
  const faulty: Role = { name: faultyName, tag: 'bad', symbols, share, faulty: kind };
  const others = roles.slice(0, count - (random.chance(0.5) ? 0 : 1));
  return [...others.slice(0, at), faulty, ...others.slice(at)];
}
