import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Random } from '../../src/base/random.ts';
import { Secret } from '../../src/base/secret.ts';
import { SystemClock } from '../../src/base/system-clock.ts';
import { clientOptions } from '../../src/client/options.ts';
import { RestClient } from '../../src/client/rest.ts';
import { signV3 } from '../../src/wire/rest-auth.ts';

// Orders by HTTP, signed, 16 in flight: our client against the global fetch, in one run, interleaved.
// The venue is another process. Prints orders per second and one machine-readable line with the ratio.

const inFlight = 16;
const perSample = 4_000;
const rounds = 5;
const target = 4;
const credentials = { apiKey: 'bench-key', secret: new Secret('bench-secret-0123456789') };
const form =
  'client_order_id=gw-bench-00001&symbol=AAABBB&side=buy&quantity=5.00&price=10.02&strict_validate=true';
const path = '/spot/order';
const clock = new SystemClock();

const child = fork(fileURLToPath(new URL('support/order-server.ts', import.meta.url)));
const [port] = (await once(child, 'message')) as [number];
const baseUrl = `http://127.0.0.1:${port}`;
const rest = new RestClient({
  baseUrl,
  credentials,
  clock,
  random: new Random(1),
  options: clientOptions.parse({ rest: { connections: inFlight } }).rest,
});

async function byUs(): Promise<void> {
  const reply = await rest.send({ method: 'POST', path, form, signed: true });
  if (reply.verdict.outcome !== 'acknowledged') throw new Error(reply.verdict.message);
}

async function byFetch(): Promise<void> {
  const signed = { method: 'POST', path: `/api/3${path}`, query: '', body: form };
  const response = await fetch(`${baseUrl}/api/3${path}`, {
    method: 'POST',
    body: form,
    headers: {
      authorization: signV3(credentials, signed, { now: clock.now(), windowMs: 10_000 }),
      'content-type': 'application/x-www-form-urlencoded',
    },
  });
  if (response.status !== 200 || ((await response.json()) as { status: string }).status !== 'new') {
    throw new Error(`status ${response.status}`);
  }
}

/** Orders per second with so many in flight. */
async function sample(send: () => Promise<void>): Promise<number> {
  let left = perSample;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await send();
    }
  };
  const start = clock.uptime();
  await Promise.all(Array.from({ length: inFlight }, worker));
  return (perSample / (clock.uptime() - start)) * 1e6;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] as number;
}

await sample(byUs);
await sample(byFetch);
const ours: number[] = [];
const theirs: number[] = [];
for (let round = 0; round < rounds; round++) {
  ours.push(await sample(byUs));
  theirs.push(await sample(byFetch));
}
await rest.close();
child.disconnect();
const ratio = median(ours) / median(theirs);
process.stdout.write(
  `godwit ${median(ours).toFixed(0)} orders/s, fetch ${median(theirs).toFixed(0)} orders/s\n`,
);
process.stdout.write(
  `${JSON.stringify({ name: 'http-orders-vs-fetch', value: Number(ratio.toFixed(2)), limit: target, passed: ratio >= target })}\n`,
);
