import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { WebSocketServer } from 'ws';
import { Random } from '../../../src/core/base/random.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { ExchangeServer } from '../../../src/exchange/server/server.ts';
import { benchSpec, snapshotFrame, stamp, updateFrames } from './book-frames.ts';
import { frameDepth } from './frame-passes.ts';

// A venue in a process of its own: its public socket sends book updates of four levels evenly, so many a second, each
// in a write of its own; its trading socket and REST are the embedded exchange. Usage: node pace-server.ts RATE [UPDATES]

/** A venue that never rests would keep one of two cores, and the daemon of a user has no such neighbour. */
const restMs = 0.1;
const rest = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
const rate = Number(process.argv[2] ?? '2000');
const updates = updateFrames(4, Number(process.argv[3] ?? '100000'), frameDepth);
const exchange = await ExchangeServer.start({
  options: { flow: { enabled: false }, limits: { enabled: false } },
  clock: new SystemClock(),
  random: new Random(9),
});
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
const server = createServer();
server.on('upgrade', (request, tcp: Socket, head) => {
  if (request.url?.endsWith('/public') !== true) {
    forward(request, tcp);
    return;
  }
  sockets.handleUpgrade(request, tcp, head, (ws) => {
    ws.on('error', () => ws.terminate());
    ws.on('message', (data) => {
      const { id, ch } = JSON.parse((data as Buffer).toString('utf8')) as { id: unknown; ch: string };
      tcp.setNoDelay(true);
      ws.send(JSON.stringify({ result: { ch, subscriptions: [benchSpec.symbol] }, id }));
      if (ch === 'trades') {
        // Order controls want a young trade to compare prices with.
        const trade = { t: Date.now(), i: 1, p: '0.060000', q: '0.1000', s: 'buy' };
        ws.send(JSON.stringify({ ch, snapshot: { [benchSpec.symbol]: [trade] } }));
      }
      if (ch !== 'orderbook/full') return;
      ws.send(stamp(snapshotFrame(frameDepth), Date.now()));
      const start = process.hrtime.bigint();
      let next = 0;
      const pump = (): void => {
        const due = (Number(process.hrtime.bigint() - start) * rate) / 1e9;
        if (next < due && next < updates.length)
          ws.send(stamp(updates[next++] as Buffer, Date.now()), { binary: false });
        else Atomics.wait(rest, 0, 0, restMs);
        if (next < updates.length && ws.readyState === ws.OPEN) setImmediate(pump);
      };
      pump();
    });
  });
});

/** Everything but the public socket belongs to the exchange: its bytes go through as they are. */
function forward(request: IncomingMessage, tcp: Socket): void {
  const { hostname, port } = new URL(exchange.restUrl);
  const other = connect(Number(port), hostname, () => {
    const lines = [`${request.method} ${request.url} HTTP/1.1`];
    for (let i = 0; i < request.rawHeaders.length; i += 2)
      lines.push(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}`);
    other.write(`${lines.join('\r\n')}\r\n\r\n`);
    tcp.pipe(other).pipe(tcp);
  });
  other.setNoDelay(true);
  other.on('error', () => tcp.destroy());
  tcp.on('error', () => other.destroy());
}

const key = exchange.accounts.get('demo').keys[0];
server.listen(0, '127.0.0.1', () =>
  process.send?.({
    rest: exchange.restUrl,
    ws: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: key?.apiKey,
    secretKey: key?.secret.reveal(),
  }),
);
process.on('disconnect', () => process.exit(0));
