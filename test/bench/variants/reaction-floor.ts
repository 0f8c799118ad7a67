import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../../src/core/base/random.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { clientOptions } from '../../../src/venues/options.ts';
import { WsSocket } from '../../../src/venues/net/ws-socket.ts';
import { firstSequence } from '../support/book-frames.ts';
import { startChild } from '../support/child.ts';
import { print, quantile } from '../support/print.ts';
import { answerLots, updatesKnown, WireProbe } from '../support/wire-probe.ts';

// The floor of `reaction.ts`: the same frames at the same pace, each answered by a text that stands ready, so that all
// that is left is the machine, Node and our socket. Prints what `reaction.ts` prints.

const child = await startChild('pace-server.ts', ['2000']);
const { ws } = child.said as { ws: string };
const clock = new SystemClock();
const { socket: options } = clientOptions.parse({});
const answers = Array.from(
  { length: updatesKnown },
  (_, i) =>
    `{"method":"ping","params":{"text":"${'x'.repeat(160)}","quantity":"0.0${answerLots(i)}"},"id":1}`,
);
const setup = { clock, random: new Random(1), options };
const trading = new WsSocket({
  ...setup,
  url: `${ws}/api/3/ws/trading`,
  skipUtf8Validation: false,
  listener: { opened: () => {}, received: () => {}, closed: () => {} },
});
let frames = 0;
const market: WsSocket = new WsSocket({
  ...setup,
  url: `${ws}/api/3/ws/public`,
  skipUtf8Validation: true,
  listener: {
    opened: () => market.send('{"method":"subscribe","ch":"orderbook/full","params":{},"id":"f1"}'),
    received: () => {
      frames += 1;
      // The answer to the subscription and the snapshot come first, and the first update has the sequence behind it.
      if (frames > 2) trading.send(answers[(firstSequence + frames - 2) % updatesKnown] as string);
    },
    closed: () => {},
  },
});
trading.open();
while (!trading.isOpen) await sleep(20);
const probe = new WireProbe();
market.open();
await sleep(1_000);
const before = probe.own.length;
await sleep(5_000);
const owns = probe.own.slice(before);
const wholes = probe.whole.slice(before);
if (owns.length < 1_000) throw new Error(`only ${owns.length} answers left in five seconds`);
print({
  value: quantile(owns, 0.5),
  ownP10: quantile(owns, 0.1),
  ownP99: quantile(owns, 0.99),
  wholeP50: quantile(wholes, 0.5),
  wholeP10: quantile(wholes, 0.1),
  wholeP99: quantile(wholes, 0.99),
  answers: owns.length,
});
child.close();
process.exit(0);
