import fc from 'fast-check';
import { z } from 'zod';
import { v2Endpoints } from '../../../src/venues/hitbtc/wire/v2/rest.ts';
import { v3Endpoints } from '../../../src/venues/hitbtc/wire/v3/rest.ts';

/** A REST call of either document with parameters that may or may not make sense. */
export interface AnyCall {
  readonly method: string;
  readonly path: string;
  /** Beside the path: a query, or a body. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly place: 'query' | 'form' | 'json';
}

const rows = [...Object.values(v3Endpoints), ...Object.values(v2Endpoints)];
const orderIds = Array.from({ length: 60 }, (_, index) => `any-order-${String(index).padStart(4, '0')}`);

/** Values that make sense for a parameter of that name, by the end of the name in either spelling. */
const sound: readonly (readonly [RegExp, fc.Arbitrary<unknown>])[] = [
  [/^symbols?$/, fc.constantFrom('ETHBTC', 'BTCUSDT', 'LTCBTC', 'BTCUSDT_PERP')],
  [/currenc(y|ies)$/i, fc.constantFrom('BTC', 'ETH', 'USDT', 'XRP')],
  [/client_?order_?(list_)?id$/i, fc.constantFrom(...orderIds)],
  [/side$/, fc.constantFrom('buy', 'sell')],
  [/^type$/, fc.constantFrom('limit', 'limit', 'market', 'stopLimit', 'stopMarket', 'takeProfitLimit')],
  [/time_?in_?force$/i, fc.constantFrom('GTC', 'GTC', 'IOC', 'FOK', 'Day')],
  [/quantity$/, fc.constantFrom('0.01', '0.1', '1', '2')],
  [/price$/i, fc.constantFrom('0.05', '0.0499', '0.0501', '64000', '63999.99', '0.0013')],
  [/amount$/i, fc.constantFrom('0.01', '0.1', '1', '25')],
  [/leverage$/, fc.constantFrom('1', '5', '10')],
  [/margin_?(mode|type)$/i, fc.constantFrom('isolated', 'cross')],
  [/margin_?balance$/i, fc.constantFrom('0', '1', '50', '500')],
  [/(source|destination)$/, fc.constantFrom('wallet', 'spot', 'derivatives')],
  [/^(limit)$/, fc.constantFrom('1', '10', '1000')],
  [/^offset$/, fc.constantFrom('0', '5')],
  [/^sort$/, fc.constantFrom('ASC', 'DESC')],
  [/^by$/, fc.constantFrom('id', 'timestamp', 'created_at')],
  [/^(from|till)$/, fc.constantFrom('2023-11-14T22:00:00Z', '2023-11-14T23:59:59.999Z', '1700000000000')],
  [/period$/, fc.constantFrom('M1', 'M5', 'H1', 'D1')],
  [/address$/, fc.constantFrom('bc1qqqqqqqqqqqqqqqqq', '0x00000000000000000000000000000000000000aA')],
  [/contingency/i, fc.constantFrom('allOrNone', 'oneCancelOther', 'oneTriggerOther')],
  [
    /^orders$/,
    fc.array(
      fc.record({
        symbol: fc.constantFrom('ETHBTC', 'BTCUSDT'),
        side: fc.constantFrom('buy', 'sell'),
        type: fc.constantFrom('limit', 'stopLimit'),
        time_in_force: fc.constantFrom('FOK', 'GTC'),
        quantity: fc.constantFrom('0.01', '0.1'),
        price: fc.constantFrom('0.05', '0.0499', '64000'),
        stop_price: fc.constantFrom('0.051', '64100'),
        client_order_id: fc.constantFrom(...orderIds),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  ],
];

const nasty = fc.oneof(
  fc.constantFrom('', '0', '-1', '1e9', 'NaN', 'null', '__proto__', '../..', '%00', '999999999999999999999'),
  fc.string({ maxLength: 16 }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.integer(), { maxLength: 3 }),
);

function valueOf(name: string): fc.Arbitrary<unknown> {
  const known = sound.find(([pattern]) => pattern.test(name))?.[1] ?? fc.constantFrom('1', 'true', 'x');
  return fc.oneof({ weight: 12, arbitrary: known }, { weight: 1, arbitrary: nasty });
}

function namesOf(params: z.ZodType): readonly string[] {
  const schema = z.toJSONSchema(params, { io: 'input', unrepresentable: 'any' });
  return Object.keys(schema.properties ?? {});
}

/** Orders come more often than their share of the rows, so that there is something to cancel, fill and list. */
export const anyCall: fc.Arbitrary<AnyCall> = fc
  .constantFrom(
    ...rows,
    ...rows
      .filter(({ method, path }) => method === 'POST' && path.endsWith('/order'))
      .flatMap((row) => Array(12).fill(row) as typeof rows),
  )
  .chain((row) => {
    const names = namesOf(row.params);
    const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
    const others = names.filter((name) => !inPath.includes(name));
    return fc
      .record({
        path: fc.tuple(...inPath.map(valueOf)),
        given: fc.record(Object.fromEntries(others.map((name) => [name, valueOf(name)]))),
        left: fc.oneof(
          { weight: 3, arbitrary: fc.constant([]) },
          { weight: 1, arbitrary: fc.array(fc.constantFrom('', ...others), { maxLength: 6 }) },
        ),
        extra: fc.oneof(
          { weight: 20, arbitrary: fc.constant({}) },
          fc.dictionary(fc.string({ maxLength: 8 }), nasty, { maxKeys: 2 }),
        ),
        json: fc.boolean(),
      })
      .map(({ path, given, left, extra, json }): AnyCall => {
        const kept = Object.entries(given).filter(([name]) => !(left as readonly string[]).includes(name));
        let at = 0;
        return {
          method: row.method,
          path: row.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(String(path[at++]).toWellFormed())),
          given: { ...Object.fromEntries(kept), ...extra },
          place: row.payload === 'query' ? 'query' : json || row.payload === 'list' ? 'json' : 'form',
        };
      });
  });
