import { Secret } from '../../../src/core/base/secret.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { ToyExchange, toySymbol } from '../../support/second-venue/exchange.ts';
import toy from '../../support/second-venue/venue.ts';
import { keepsTheContract } from '../contract.ts';

keepsTheContract(toy, async () => {
  const exchange = await ToyExchange.start();
  let quantity = 10;
  return {
    settings: { preset: 'custom', base_url: exchange.url, api: 'v3' },
    credentials: { apiKey: 'toy-key', secret: new Secret('none') },
    symbol: toySymbol.name,
    bid: { price: 190 as Ticks, lots: 2 as Lots },
    move: () => {
      quantity += 1;
      exchange.move(String(quantity));
    },
    print: () => exchange.print(),
    loseUpdate: () => exchange.lose(1),
    silence: () => (exchange.silences = 1),
    cut: () => exchange.cut(),
    close: () => exchange.close(),
  };
});
