import { seconds } from '../../src/core/base/clock.ts';
import { Random } from '../../src/core/base/random.ts';
import { VirtualClock } from '../../src/core/base/virtual-clock.ts';
import type { Connection } from '../../src/exchange/sockets/connection.ts';
import type { AppSetup } from '../../src/exchange/server/app-setup.ts';
import { Faults } from '../../src/exchange/base/faults.ts';
import { exchangeOptions } from '../../src/exchange/server/options.ts';
import { Publisher } from '../../src/exchange/sockets/publisher.ts';
import { restApi } from '../../src/exchange/server/routes.ts';
import { socketLocations } from '../../src/exchange/server/locations.ts';
import { RateLimiter } from '../../src/exchange/base/rate-limits.ts';
import { makeWorld } from '../../src/exchange/server/world.ts';
import { channels } from '../../src/venues/hitbtc/wire/v3/channels.ts';
import { channelTemplate } from './client-rows.ts';
import type { DocumentRow } from './rows.ts';
import { nameOf, plain } from './rows.ts';

/** The servers of an exchange that does not listen: what they serve is asked of them directly. */
function appSetup(): AppSetup {
  const clock = new VirtualClock(seconds(1_700_000_000));
  const options = exchangeOptions.parse({ flow: { enabled: false }, limits: { enabled: false } });
  const world = makeWorld(options, clock, new Random('rows'));
  const faults = new Faults(clock, () => {});
  const publisher = new Publisher({ core: world.core, clock, faults, options: options.publish });
  const throttle = new RateLimiter(clock, false);
  return { world, publisher, throttle, faults, options, clock };
}

/** Which of the rows the exchange serves: its REST routes, its socket methods, its channels. */
export function exchangeRows(rows: readonly DocumentRow[]): ReadonlySet<string> {
  const setup = appSetup();
  const served = new Set(restApi(setup).bindings.map(({ method, path }) => plain(`${method} ${path}`)));
  const places = new Map(socketLocations(setup).map((location) => [location.path, location]));
  const ask = (place: string, frame: object): Readonly<Record<string, unknown>> => {
    const received: string[] = [];
    const connection = {
      address: '127.0.0.1',
      open: true,
      send: (text: string) => received.push(text),
      sendFrame: () => {},
    };
    const session = places.get(place)?.open(connection as unknown as Connection);
    session?.onText(JSON.stringify({ ...frame, id: 1 }));
    session?.onClose();
    return JSON.parse(received[0] ?? '{"error":{"code":404}}') as Record<string, unknown>;
  };
  for (const row of rows) {
    if (row.kind !== 'socket' || row.place === undefined) continue;
    const place = `${row.version === 'v3' ? '/api/3' : '/api/2'}${row.place}`;
    const needsChannel = place === '/api/3/ws/public';
    const frame = { method: row.row, params: {}, ...(needsChannel && { ch: 'trades' }) };
    const { error } = ask(place, frame) as { readonly error?: { readonly code: number } };
    if (error?.code !== 404) served.add(nameOf(row));
  }
  for (const ch of channels.keys()) {
    const params = {
      symbols: ['BTCUSDT', 'BTCUSDT_PERP'],
      ...(ch.startsWith('price/rate') && { currencies: ['BTC'] }),
      ...((ch.startsWith('price/rate') || ch.startsWith('converted')) && { target_currency: 'USDT' }),
    };
    const { result } = ask('/api/3/ws/public', { method: 'subscribe', ch, params }) as {
      readonly result?: { readonly subscriptions: readonly string[] };
    };
    if ((result?.subscriptions.length ?? 0) > 0) served.add(`/api/3/ws/public ${channelTemplate(ch)}`);
  }
  return served;
}
