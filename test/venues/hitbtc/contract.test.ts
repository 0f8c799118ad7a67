import { Secret } from '../../../src/core/base/secret.ts';
import type { Lots, Ticks } from '../../../src/core/model/instrument.ts';
import { startExchange } from '../../../src/exchange/index.ts';
import { hitbtc } from '../../../src/venues/hitbtc/venue.ts';
import { Counterparty } from '../../system/support/counterparty.ts';
import { keepsTheContract } from '../contract.ts';

keepsTheContract(hitbtc, async () => {
  const exchange = await startExchange({
    seed: 9,
    flow: { enabled: false },
    publish: { bookMs: 5, balanceBatchMs: 50 },
    limits: { enabled: false },
  });
  const counterparty = new Counterparty(exchange.server);
  const { apiKey, secretKey } = exchange.keyOf('demo');
  let price = 298_000;
  return {
    settings: { preset: 'custom', base_url: exchange.restUrl, ws_url: exchange.wsUrl, api: 'v3' },
    credentials: { apiKey, secret: new Secret(secretKey) },
    symbol: counterparty.instrument.symbol,
    bid: { price: 290_000 as Ticks, lots: 500 as Lots },
    move: () => {
      price -= 1;
      counterparty.rest('buy', price, 10);
    },
    print: () => counterparty.take('buy', 301_000, 10),
    loseUpdate: () => exchange.faults.dropUpdates(counterparty.instrument.symbol, 1),
    silence: () => exchange.faults.dropReplies(1),
    cut: () => exchange.faults.closeSockets(1006),
    close: () => exchange.stop(),
  };
});
