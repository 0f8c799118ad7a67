import { WebSocket } from 'ws';
import { Secret } from '../../../src/core/base/secret.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import {
  encodeV3Login,
  encodeV3ReportsSubscribe,
} from '../../../src/venues/hitbtc/wire/v3/order-requests.ts';
import { startChild } from '../support/child.ts';
import { median, nowMicros, print } from '../support/print.ts';

// Orders over the embedded exchange's trading socket, 64 in flight: each is answered and reported before the next one
// of its place leaves. Every second one rests, every second one takes it.

const inFlight = 64;
const perSample = 20_000;
const samples = 6;
const child = await startChild('exchange-child.ts');
const said = child.said as { ws: string; apiKey: string; secretKey: string };
const credentials = { apiKey: said.apiKey, secret: new Secret(said.secretKey) };
const ws = new WebSocket(`${said.ws}/api/3/ws/trading`, {
  perMessageDeflate: false,
  skipUTF8Validation: true,
});
await new Promise((resolve) => ws.once('open', resolve));

function ask(text: string): Promise<string> {
  return new Promise((resolve) => {
    ws.once('message', (bytes) => resolve((bytes as Buffer).toString('utf8')));
    ws.send(text);
  });
}

const login = await ask(encodeV3Login(credentials, { now: new SystemClock().now(), windowMs: 10_000 }, 'l'));
if (!login.includes('"result":true')) throw new Error(`not logged in: ${login}`);
await ask(encodeV3ReportsSubscribe('spot', 's'));

let sent = 0;
let answered = 0;
let reported = 0;
let limit = 0;
let done: () => void = () => {};

function sendNext(): void {
  sent += 1;
  const side = sent % 2 === 1 ? 'buy' : 'sell';
  const id = `bench-${String(sent).padStart(8, '0')}`;
  ws.send(
    `{"method":"spot_new_order","params":{"client_order_id":"${id}","symbol":"ETHBTC","side":"${side}","type":"limit","time_in_force":"GTC","quantity":"0.0010","price":"0.050000","strict_validate":true},"id":${sent}}`,
  );
}

const reportMark = Buffer.from('"method":"spot_order"');
const idMark = Buffer.from('"client_order_id":"bench-');
const wasReported = new Uint8Array(samples * perSample + 1);
const errorMark = Buffer.from('"error"');
ws.on('message', (data) => {
  const bytes = data as Buffer;
  if (bytes.includes(reportMark)) {
    // A resting order is reported when it is new and again when it trades: the first one counts.
    const at = bytes.indexOf(idMark) + idMark.length;
    const number = Number(bytes.toString('latin1', at, at + 8));
    if (wasReported[number] === 0) reported += 1;
    wasReported[number] = 1;
    return;
  }
  if (bytes.includes(errorMark)) throw new Error(bytes.toString());
  answered += 1;
  if (sent < limit) sendNext();
  else if (answered === sent) done();
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

async function sample(): Promise<number> {
  limit = sent + perSample;
  const start = nowMicros();
  await new Promise<void>((resolve) => {
    done = resolve;
    for (let i = 0; i < inFlight; i++) sendNext();
  });
  await until(() => reported === sent);
  return (perSample / (nowMicros() - start)) * 1e6;
}

const rates: number[] = [];
for (let i = 0; i < samples; i++) rates.push(await sample());
print({ value: median(rates.slice(1)), reported });
child.close();
process.exit(0);
