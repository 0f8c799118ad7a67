import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { signV3 } from '../../../src/venues/hitbtc/wire/rest-auth.ts';
import { httpOrder, measureHttp } from '../support/http-sample.ts';

// The same orders through the global fetch, signed by our code, the answer parsed.

const { credentials, form, path } = httpOrder;
const clock = new SystemClock();
await measureHttp((baseUrl) => async () => {
  const signed = { method: 'POST', path: `/api/3${path}`, query: '', body: form };
  const response = await fetch(`${baseUrl}/api/3${path}`, {
    method: 'POST',
    body: form,
    headers: {
      authorization: signV3(credentials, signed, { now: clock.now(), windowMs: 10_000 }),
      'content-type': 'application/x-www-form-urlencoded',
    },
  });
  if (response.status !== 200 || ((await response.json()) as { status: string }).status !== 'new')
    throw new Error(`status ${response.status}`);
});
