import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A minimal venue for HTTP benches, in a process of its own: answers every request with one order. */
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
const head = { 'content-type': 'application/json; charset=UTF-8', 'content-length': Buffer.byteLength(body) };

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, head);
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit(0));
