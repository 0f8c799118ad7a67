import { connect } from 'node:net';
import type { Bench } from './raw-client.ts';

/** Sends bytes as they are to the HTTP port of a bench, and gives what comes back once a whole answer was there. */
export function rawHttp(bench: Bench, request: string): Promise<string> {
  const { hostname, port } = new URL(bench.server.restUrl);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.setEncoding('utf8');
    socket.on('error', reject);
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (isWhole(text)) socket.end();
    });
    socket.on('close', () => resolve(text));
  });
}

function isWhole(text: string): boolean {
  const [head, body = ''] = text.split('\r\n\r\n', 2);
  const length = /content-length: (\d+)/i.exec(head ?? '')?.[1];
  return length !== undefined && Buffer.byteLength(body) >= Number(length);
}
