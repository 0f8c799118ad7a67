import { measurePasses } from '../support/frame-passes.ts';
import { openCcxt } from '../support/ccxt.ts';
import { print } from '../support/print.ts';

// The same bytes through ccxt.pro: toString, JSON.parse, handleMessage with a client that resolves nothing, best bid
// and ask read. Usage: node frames-ccxt.ts LEVELS

const [levels = '4'] = process.argv.slice(2);
const exchange = await openCcxt();
const client = { subscriptions: {}, resolve: () => {}, reject: () => {}, url: '' };
let sum = 0;
let touch = '';
const value = measurePasses(Number(levels), (bytes) => {
  exchange.handleMessage(client, JSON.parse(bytes.toString()));
  const book = exchange.orderbooks['ETH/BTC'];
  sum += (book?.bids[0]?.[0] ?? 0) + (book?.asks[0]?.[0] ?? 0);
});
const book = exchange.orderbooks['ETH/BTC'];
touch = `${book?.bids[0]?.[0]} ${book?.asks[0]?.[0]}`;
if (!(sum > 0)) throw new Error('no prices were read');
print({ value, touch });
