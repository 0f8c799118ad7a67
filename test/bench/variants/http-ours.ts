import { Random } from '../../../src/core/base/random.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { clientOptions } from '../../../src/venues/options.ts';
import { RestClient } from '../../../src/venues/hitbtc/client/rest/rest.ts';
import { httpInFlight, httpOrder, measureHttp } from '../support/http-sample.ts';

// Signed orders by HTTP through our client.

const { credentials, form, path } = httpOrder;
await measureHttp((baseUrl) => {
  const rest = new RestClient({
    baseUrl,
    credentials,
    clock: new SystemClock(),
    random: new Random(1),
    options: clientOptions.parse({ rest: { connections: httpInFlight } }).rest,
  });
  return async () => {
    const reply = await rest.send({ method: 'POST', path, form, signed: true });
    if (reply.verdict.outcome !== 'acknowledged') throw new Error(reply.verdict.message);
  };
});
