import { openCcxt } from '../support/ccxt.ts';
import { startChild } from '../support/child.ts';
import { cpuMicros, nowMicros, print } from '../support/print.ts';

// The same sender read by ccxt.pro's watchOrderBook. Every frame is applied to its book, whether or not the awaiting
// consumer wakes for it, so its sequence tells how many were. Usage: node socket-ccxt.ts LEVELS

const [levels = '4'] = process.argv.slice(2);
const child = await startChild('flood-server.ts', [levels]);
const exchange = await openCcxt(`127.0.0.1:${String(child.said)}`);
const start = nowMicros();
let from: { sequence: number; time: number; cpu: number } | undefined;
for (;;) {
  const book = await exchange.watchOrderBook('ETH/BTC');
  const time = nowMicros();
  if (from === undefined && time - start > 1_000_000) from = { sequence: book.nonce, time, cpu: cpuMicros() };
  if (from === undefined || time - from.time < 2_000_000) continue;
  if (!(book.bids.length > 0 && book.asks.length > 0)) throw new Error('the book is empty');
  const frames = book.nonce - from.sequence;
  print({
    value: (frames / (cpuMicros() - from.cpu)) * 1e6,
    ofWallTime: (frames / (time - from.time)) * 1e6,
  });
  child.close();
  process.exit(0);
}
