import { bookRequest, withoutDeletions } from './book-frames.ts';
import type { FaultRow, FaultStage } from './fault.ts';
import { lasting } from './fault.ts';
import { place } from './faults-margin.ts';
import { tampering } from './faults-sockets.ts';
import { symbols } from './traded.ts';
import type { Refuser } from '../../src/app/virtual/weather.ts';

/** Faults after which the venue's market data alone do not bring a book back. */
export const bookFaults = {
  loseDeletion: {
    rows: 'W13',
    isNarrow: true,
    begin: (stage) => {
      const { books } = stage.system.tower;
      const symbol = stage.random.pick(symbols);
      tradeThrough(stage, symbol);
      return tampering(stage, 'market', (text) => {
        const lossy = withoutDeletions(text, symbol);
        if (lossy === undefined) return undefined;
        books.loses(symbol, lossy.sequence);
        return [{ text: lossy.text, later: 0 }];
      });
    },
  },
  refuseSubscription: {
    rows: 'W14',
    isNarrow: true,
    begin: (stage) => {
      const { system, random, force } = stage;
      const symbol = random.pick(symbols);
      const verb = random.chance(0.7) ? 'unsubscribe' : 'subscribe';
      let left = verb === 'subscribe' ? 1 + Math.floor(force * 2) : Number.POSITIVE_INFINITY;
      // The gap that it comes after.
      system.exchange.faults.dropUpdates(symbol, 1);
      const refuser: Refuser = (road, text) => {
        const request = road === 'market' && left > 0 ? bookRequest(text, verb) : undefined;
        if (request === undefined) return undefined;
        left -= 1;
        stage.mark();
        const { id, symbols: asked } = request;
        for (const one of asked) system.tower.live.refused(one);
        return JSON.stringify({
          jsonrpc: '2.0',
          error: { code: 10_001, message: 'Validation error', description: 'simulated' },
          id,
        });
      };
      const { refusers } = system.network.weather;
      refusers.add(refuser);
      // An end that is refused for less time than a book may be out of use would come right by itself.
      lasting(stage, refusedMs, () => refusers.delete(refuser));
    },
  },
} satisfies Record<string, FaultRow>;

/** So long the venue refuses what it refuses. */
const refusedMs = 25_000;
/** So many levels somebody trades through, and so long his order stays in their place. */
const levelsThrough = 3;
const staysMs = 8_000;
/** What of his order stays: more than others take meanwhile, in quote currency. */
const staysFor = 20_000;

/** Somebody trades through the best levels of a side, whose deletions are lost: the book that is left is crossed until he goes. */
function tradeThrough(stage: FaultStage, symbol: string): void {
  const { exchange } = stage.system;
  const { core } = exchange.world;
  const instrument = core.instruments.all.find((one) => one.symbol === symbol);
  if (instrument === undefined) return;
  const side = stage.random.pick(['buy', 'sell'] as const);
  const levels = core.market(instrument.id).book.liveLevels(side, levelsThrough);
  const last = levels.at(-1);
  if (last === undefined) return;
  const through = levels.reduce((sum, { quantity }) => sum + quantity, 0);
  const stays = instrument.lots('1') * Math.ceil(staysFor / Number(instrument.priceText(last.price)));
  const clientOrderId = place(stage, {
    instrument: instrument.id,
    price: last.price,
    side: side === 'buy' ? 'sell' : 'buy',
    lots: through + stays,
    timeInForce: 'GTC',
  });
  stage.after(staysMs, () => {
    const account = exchange.world.accounts.get('other').id;
    stage.system.command({ kind: 'cancel', account, clientOrderId });
  });
}
