import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { benchSpec, firstSequence, snapshotFrame, updateFrames } from './book-frames.ts';
import { frameDepth } from './frame-passes.ts';

// A public socket in a process of its own that answers a book subscription with a snapshot and then sends updates as
// fast as they are read, many in one write. Usage: node flood-server.ts LEVELS; tells its port.

const levels = Number(process.argv[2] ?? '4');
const chunkFrames = 1_024;
const chunksAhead = 4;
const updates = updateFrames(levels, chunkFrames, frameDepth);
const framed = updates.map(frameOf);
const chunk = Buffer.concat(framed);
const digits = firstSequence.toString().length;
const sequenceAt: number[] = [];
let offset = 0;
for (const bytes of framed) {
  sequenceAt.push(offset + bytes.indexOf('"s":') + 4);
  offset += bytes.length;
}

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on('connection', (ws, request) => {
  ws.on('message', (data) => {
    const { id } = JSON.parse((data as Buffer).toString('utf8')) as { id: unknown };
    ws.send(JSON.stringify({ result: { ch: 'orderbook/full', subscriptions: [benchSpec.symbol] }, id }));
    ws.send(snapshotFrame(frameDepth));
    const { socket } = request;
    let sequence = firstSequence;
    const pump = (): void => {
      for (let i = 0; i < chunksAhead; i++) {
        sequence += chunkFrames;
        if (!socket.write(numbered(sequence - chunkFrames))) {
          socket.once('drain', pump);
          return;
        }
      }
      setImmediate(pump);
    };
    setImmediate(pump);
  });
  ws.on('error', () => ws.terminate());
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));

/** The chunk with the sequences that follow `last`. */
function numbered(last: number): Buffer {
  const bytes = Buffer.from(chunk);
  for (let i = 0; i < sequenceAt.length; i++)
    bytes.write(String(last + 1 + i), sequenceAt[i] ?? 0, digits, 'latin1');
  return bytes;
}

/** A text frame as a server sends it: final, unmasked. */
function frameOf(payload: Buffer): Buffer {
  const head =
    payload.length < 126
      ? Buffer.from([0x81, payload.length])
      : Buffer.from([0x81, 126, payload.length >> 8, payload.length & 255]);
  return Buffer.concat([head, payload]);
}
