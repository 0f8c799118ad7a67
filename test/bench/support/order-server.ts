import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';

// A minimal venue for HTTP benches, in a process of its own: answers every request with one order. It reads no more of
// HTTP than where a request ends, so that it always has time left and the clients alone are measured.

const body = JSON.stringify({
  id: 7_000_000_000_123,
  client_order_id: 'gw-bench-00001',
  symbol: 'AAABBB',
  side: 'buy',
  status: 'new',
  type: 'limit',
  time_in_force: 'GTC',
  quantity: '5.00',
  quantity_cumulative: '0',
  price: '10.02',
  post_only: false,
  created_at: '2024-01-02T03:04:05.678Z',
  updated_at: '2024-01-02T03:04:05.678Z',
});
const answer = [
  'HTTP/1.1 200 OK',
  'content-type: application/json; charset=UTF-8',
  `date: ${new Date().toUTCString()}`,
  'connection: keep-alive',
  `content-length: ${String(Buffer.byteLength(body))}`,
  '',
  body,
].join('\r\n');
const headEnd = '\r\n\r\n';
const lengthLine = /\r\ncontent-length: *(\d+)/i;

/** Answers every whole request on one connection, in their order; one without a length is a mistake of the bench. */
function serve(socket: Socket): void {
  let unread = '';
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    unread += text;
    for (let end = unread.indexOf(headEnd); end >= 0; end = unread.indexOf(headEnd)) {
      const length = lengthLine.exec(unread.slice(0, end))?.[1];
      if (length === undefined) throw new Error('expected a request with a content-length');
      const next = end + headEnd.length + Number(length);
      if (unread.length < next) return;
      unread = unread.slice(next);
      socket.write(answer);
    }
  });
  socket.on('error', () => socket.destroy());
}

const server = createServer({ noDelay: true }, serve);
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
