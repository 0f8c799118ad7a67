import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Amount } from '../../src/core/base/amount.ts';
import { parseAmount } from '../../src/core/base/amount.ts';
import type { AccountId } from '../../src/exchange/matching/accounts/command.ts';
import type { Bench } from './support/raw-client.ts';
import { openBench, rest } from './support/raw-client.ts';
import { walletCurrencies, walletOptions } from './support/wallet-bench.ts';

const codes = ['BTC', 'ETH', 'LTC', 'XRP', 'USDT', 'EUR'];

/** Everything every account has anywhere, with what went in and out, is always the same. */
function held(bench: Bench, currency: string): bigint {
  const { context } = bench.server.wallet;
  let total = context.held.total(currency) + context.derivatives.total(currency);
  for (const { id } of bench.server.accounts.all) {
    const { available, reserved } = bench.server.core.exchange.balance(id as AccountId, currency);
    total += available + reserved;
  }
  const { received, sent, fees, kept } = context.flow(currency);
  return total - received + sent + fees + kept;
}

const currency = fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...codes) }, fc.string({ maxLength: 5 }));
const amount = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 1, max: 900 }).map((units) => String(units / 100)) },
  fc.constantFrom('0', '-1', '0.0000001', '0.123456789012345678', '99999999', 'x', '1e2'),
  fc.double(),
);
const address = fc.constantFrom(
  'bc1qqqqqqqqqqqqqqqqq',
  'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
  '0x00000000000000000000000000000000000000aA',
  'own',
  '?',
);
const place = fc.constantFrom('wallet', 'wallet', 'spot', 'spot', 'derivatives', 'nowhere');
const flag = fc.constantFrom(true, false, 'true', 'maybe');

const wild = fc.record(
  {
    currency,
    amount,
    address,
    include_fee: flag,
    auto_commit: flag,
    use_offchain: fc.constantFrom('never', 'optionally', 'required', 7),
    payment_id: fc.constantFrom('12', 'x'),
    network_code: fc.constantFrom('TRX', 'ETH', 'BTC'),
  },
  { requiredKeys: ['currency', 'amount', 'address', 'auto_commit'] },
);
const likely = fc
  .tuple(
    fc.constantFrom(['XRP', 'rrrrrrrrrrrrrrrrrrrrrhoLvTp'], ['BTC', 'own'], ['BTC', 'bc1qqqqqqqqqqqqqqqqq']),
  )
  .chain(([[code, to]]) =>
    fc.record({
      currency: fc.constant(code),
      amount: fc.integer({ min: 1, max: 40 }).map((units) => units / 100),
      address: fc.constant(to),
      auto_commit: fc.boolean(),
      include_fee: fc.boolean(),
      use_offchain: fc.constantFrom('never', 'optionally'),
    }),
  );
const withdrawal = fc.oneof({ weight: 3, arbitrary: likely }, wild);
const request = fc.oneof(
  fc.tuple(fc.constant('POST crypto/withdraw'), withdrawal),
  fc.tuple(fc.constant('POST transfer'), fc.record({ currency, amount, source: place, destination: place })),
  fc.tuple(
    fc.constant('POST convert'),
    fc.record({ from_currency: currency, to_currency: currency, amount }),
  ),
  fc.tuple(
    fc.constant('POST internal/withdraw'),
    fc.record({
      currency,
      amount,
      by: fc.constantFrom('email', 'username', 'username', 'username', 1),
      identifier: fc.constantFrom('demo', 'demo-two', 'demo-three', 'x'),
    }),
  ),
  fc.tuple(fc.constantFrom('PUT last', 'DELETE last'), fc.constant({})),
  fc.tuple(fc.constant('POST crypto/address'), fc.record({ currency })),
  fc.tuple(
    fc.constant('POST crypto/fees/estimate'),
    fc.oneof(fc.anything(), fc.array(fc.record({ currency, amount }), { maxLength: 3 })),
  ),
  fc.tuple(fc.constant('GET transactions'), fc.constant({})),
  fc.tuple(fc.constant('deposit'), fc.record({ currency: fc.constantFrom('BTC', 'XRP', 'USDT') })),
);
const step = fc.record({
  name: fc.constantFrom('demo', 'demo', 'demo', 'demo-two', 'demo-three'),
  request,
  passMs: fc.constantFrom(0, 0, 0, 0, 1_000, 5_000, 30_000, 4_000_000),
});

describe('any calls of the wallet', () => {
  test('never fail the exchange, and neither make nor lose money', async () => {
    const bench = await openBench({
      limits: { enabled: false },
      publish: { bookMs: 10_000 },
      currencies: walletCurrencies,
      wallet: { ...walletOptions, dailyLimits: {}, addressesMax: 1_000, failureShare: 0.2 },
    });
    // Prices, so that there are rates to convert at.
    for (const [symbol, side, price] of [
      ['BTCUSDT', 'buy', '50000'],
      ['BTCUSDT', 'sell', '50001'],
      ['XRPUSDT', 'buy', '0.5'],
      ['XRPUSDT', 'sell', '0.6'],
    ]) {
      const json = { symbol, side, price, quantity: '0.1' };
      await rest(bench, 'POST /api/3/spot/order', { key: bench.key('demo'), json });
    }
    const own = await rest(bench, 'POST /api/3/wallet/crypto/address', {
      key: bench.key('demo-two'),
      json: { currency: 'BTC' },
    });
    const sums = codes.map((code) => held(bench, code));
    const seed = 20_261_121;
    process.stderr.write(`wallet calls: seed ${seed}\n`);
    let last = 'none';
    const succeeded = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
        for (const { name, request: asked, passMs } of steps) {
          const [line, given] = asked;
          if (line === 'deposit') {
            bench.server.deposit({
              account: bench.server.accounts.get(name).id,
              currency: (given as { currency: string }).currency,
              amount: parseAmount('0.25'),
            });
          } else {
            const [method, path] = line.split(' ') as [string, string];
            const target = path === 'last' ? `crypto/withdraw/${last}` : path;
            const json = replaceOwn(given, own.body.address as string);
            const answer = await rest(bench, `${method} /api/3/wallet/${target}`, {
              key: bench.key(name),
              basic: true,
              ...(method === 'POST' && json !== undefined && { json }),
            });
            expect([200, 400, 403], `${line} ${JSON.stringify(given)}`).toContain(answer.status);
            if (answer.status === 200) succeeded.add(line);
            if (line === 'POST crypto/withdraw' && answer.status === 200) last = answer.body.id as string;
          }
          bench.pass(passMs);
          expect(codes.map((code) => held(bench, code))).toEqual(sums);
        }
      }),
      { numRuns: 20, seed },
    );
    expect([...succeeded].sort()).toEqual([
      'DELETE last',
      'GET transactions',
      'POST convert',
      'POST crypto/address',
      'POST crypto/fees/estimate',
      'POST crypto/withdraw',
      'POST internal/withdraw',
      'POST transfer',
      'PUT last',
    ]);
    // Nothing is left on the way: what waited for a commit has been rolled back.
    bench.pass(8_000_000);
    for (const { id } of bench.server.accounts.all) {
      expect(bench.server.wallet.context.log.unfinished(id as AccountId)).toBe(0);
      for (const { reserved, available } of bench.server.wallet.context.held.balances(id as AccountId)) {
        expect([reserved, available >= (0n as Amount)]).toEqual([0n, true]);
      }
    }
    await bench.close();
  });
});

function replaceOwn(given: unknown, own: string): unknown {
  const isOwn = typeof given === 'object' && given !== null && 'address' in given && given.address === 'own';
  return isOwn ? { ...given, address: own } : given;
}
