import { Secret } from '../../../src/core/base/secret.ts';
import { startChild } from './child.ts';
import { median, nowMicros, print } from './print.ts';

/** One signed order by HTTP, as every client of the bench sends it. */
export const httpOrder = {
  credentials: { apiKey: 'bench-key', secret: new Secret('bench-secret-0123456789') },
  path: '/spot/order',
  form: 'client_order_id=gw-bench-00001&symbol=AAABBB&side=buy&quantity=5.00&price=10.02&strict_validate=true',
} as const;

export const httpInFlight = 16;
const perSample = 5_000;
const samples = 5;
/** The first seconds are the compiler's, as in the other rows: a client lives for days. */
const warmMicros = 3_000_000;

/** Orders a second with 16 in flight, the median of samples once all is compiled; `open` is given the server's address. */
export async function measureHttp(open: (baseUrl: string) => () => Promise<void>): Promise<void> {
  const child = await startChild('order-server.ts');
  const send = open(`http://127.0.0.1:${String(child.said)}`);
  const rates: number[] = [];
  for (const begun = nowMicros(); rates.length < samples;) {
    let left = perSample;
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await send();
      }
    };
    const start = nowMicros();
    await Promise.all(Array.from({ length: httpInFlight }, worker));
    if (start - begun > warmMicros) rates.push((perSample / (nowMicros() - start)) * 1e6);
  }
  print({ value: median(rates) });
  child.close();
  process.exit(0);
}
