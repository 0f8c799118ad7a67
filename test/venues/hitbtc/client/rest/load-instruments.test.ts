import { afterEach, beforeEach, expect, test } from 'vitest';
import { Random } from '../../../../../src/core/base/random.ts';
import { SystemClock } from '../../../../../src/core/base/system-clock.ts';
import { loadInstruments } from '../../../../../src/venues/hitbtc/client/rest/symbol-list.ts';
import { clientOptions } from '../../../../../src/venues/options.ts';
import { RestClient } from '../../../../../src/venues/hitbtc/client/rest/rest.ts';
import { encodeSymbol } from '../../../../../src/venues/hitbtc/wire/resources/symbol.ts';
import { answer, StubHttpServer } from '../support/stub-http-server.ts';
import { twoInstruments } from '../support/instruments.ts';

let server: StubHttpServer;
let rest: RestClient;

beforeEach(async () => {
  server = await StubHttpServer.start();
  const options = clientOptions.parse({ rest: { retryMs: 1 } }).rest;
  rest = new RestClient({ baseUrl: server.url, clock: new SystemClock(), random: new Random(1), options });
});
afterEach(async () => {
  await rest.close();
  await server.close();
});

const symbols = Object.fromEntries(
  twoInstruments().all.map(({ spec }) => [spec.symbol, encodeSymbol('v3', spec)]),
);

test('instruments come from the symbol list of the venue, even when the first answer is lost', async () => {
  server.handler = ({ socket }, response) => {
    if (server.seen.length === 1) socket.destroy();
    else answer(response, 200, symbols);
  };
  const instruments = await loadInstruments({ rest, symbols: ['CCCBBB'] });
  expect(instruments.get('CCCBBB').spec).toEqual(twoInstruments().get('CCCBBB').spec);
  expect(server.seen[1]?.url).toBe('/api/3/public/symbol?symbols=CCCBBB');
});

test('a symbol the venue does not have is named', async () => {
  server.handler = (_seen, response) => answer(response, 200, symbols);
  await expect(loadInstruments({ rest, symbols: ['AAABBB', 'XXXYYY'] })).rejects.toThrow(
    'the venue has no symbol XXXYYY',
  );
});

test('symbols with names that are passed over are reported once, in a sentence', async () => {
  const [spec] = Object.values(symbols);
  const odd = { '币 安USDT': spec, 'A\u202EBUSDT': spec, 'BTC:USD': spec };
  server.handler = (_seen, response) => answer(response, 200, { ...symbols, ...odd, 币安USDT: spec });
  const noted: string[] = [];
  const log = { warn: (_fields: unknown, text?: string) => void noted.push(text ?? '') };
  const instruments = await loadInstruments({ rest, log });
  expect(instruments.all.map(({ symbol }) => symbol)).toEqual([...Object.keys(symbols), '币安USDT']);
  expect(noted).toEqual([
    '3 symbols of the list are passed over: expected names of 1 to 40 letters, digits and signs such as _ . / - (no spaces, nothing hidden), found "币 安USDT", "A\\u{202e}BUSDT", "BTC:USD"',
  ]);
  await expect(loadInstruments({ rest, log, symbols: ['BTC:USD'] })).rejects.toThrow(
    /3 symbols of the list are passed over: .* "BTC:USD"$/,
  );
  expect(noted).toHaveLength(1);
});

test('a venue in maintenance is reported with its status', async () => {
  server.handler = (_seen, response) => answer(response, 503, '');
  await expect(loadInstruments({ rest })).rejects.toThrow(/symbol list could not be read: .*HTTP 503/);
  expect(server.seen).toHaveLength(3);
});

test('a venue that cannot be reached has no status', async () => {
  server.handler = (_seen, response) => response.destroy();
  await expect(loadInstruments({ rest })).rejects.toThrow(/^the symbol list could not be read: (?!.*HTTP)/);
});
