import { Random } from '../../../src/core/base/random.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { ExchangeServer } from '../../../src/exchange/server/server.ts';

// The embedded exchange in a process of its own, without a market of its own and without request limits. Tells its
// addresses and the demo key.

const exchange = await ExchangeServer.start({
  options: { flow: { enabled: false }, limits: { enabled: false } },
  clock: new SystemClock(),
  random: new Random(9),
});
const key = exchange.accounts.get('demo').keys[0];
process.send?.({
  rest: exchange.restUrl,
  ws: exchange.wsUrl,
  apiKey: key?.apiKey,
  secretKey: key?.secret.reveal(),
});
process.on('disconnect', () => process.exit(0));
