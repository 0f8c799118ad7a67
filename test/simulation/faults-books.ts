import type { FaultRow } from './fault.ts';
import { tampering } from './faults-sockets.ts';
import { symbols } from './traded.ts';
import type { Refuser } from './weather.ts';

type Sides = Record<'b' | 'a', [string, string][]> & { readonly s: number };

/** Faults after which the venue's market data alone do not bring a book back. */
export const bookFaults = {
  loseDeletion: {
    rows: 'W13',
    isNarrow: true,
    begin: (stage) => {
      const { books } = stage.system.tower;
      const symbol = stage.random.pick(symbols);
      return tampering(stage, 'market', (text) => {
        if (!text.startsWith('{"ch":"orderbook/full","update"') || !text.includes(symbol)) return undefined;
        const frame = JSON.parse(text) as { update: Record<string, Sides | undefined> };
        const sides = frame.update[symbol];
        if (sides === undefined || !withoutDeletions(sides)) return undefined;
        books.loses(symbol, sides.s);
        return [{ text: JSON.stringify(frame), later: 0 }];
      });
    },
  },
  refuseSubscription: {
    rows: 'W14',
    isNarrow: true,
    begin: (stage) => {
      const { system, random, force } = stage;
      const symbol = random.pick(symbols);
      const verb = random.pick(['subscribe', 'unsubscribe'] as const);
      let left = verb === 'subscribe' ? 1 + Math.floor(force * 2) : Number.POSITIVE_INFINITY;
      // The gap that it comes after.
      system.exchange.faults.dropUpdates(symbol, 1);
      const refuser: Refuser = (road, text) => {
        if (road !== 'market' || left <= 0 || !text.startsWith(`{"method":"${verb}","ch":"orderbook/full"`))
          return undefined;
        left -= 1;
        stage.mark();
        const { id, params } = JSON.parse(text) as Subscription;
        for (const one of params.symbols) system.tower.live.refused(one);
        return JSON.stringify({
          jsonrpc: '2.0',
          error: { code: 10_001, message: 'Validation error', description: 'simulated' },
          id,
        });
      };
      const { refusers } = system.network.weather;
      refusers.add(refuser);
      return () => refusers.delete(refuser);
    },
  },
} satisfies Record<string, FaultRow>;

interface Subscription {
  readonly id: number | string;
  readonly params: { readonly symbols: readonly string[] };
}

/** Takes out the levels that are gone. Returns whether there were any. */
function withoutDeletions(sides: Sides): boolean {
  let found = false;
  for (const side of ['b', 'a'] as const) {
    const left = sides[side].filter(([, quantity]) => Number(quantity) !== 0);
    found ||= left.length < sides[side].length;
    sides[side] = left;
  }
  return found;
}
