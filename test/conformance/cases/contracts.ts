import { readFileSync } from 'node:fs';
import { Decimal } from '../../../src/core/base/decimal.ts';
import { Random } from '../../../src/core/base/random.ts';
import { allMoney } from '../../exchange/support/all-money.ts';
import type { Answer, Bench, Json } from '../../exchange/support/raw-client.ts';
import { openBench, rest } from '../../exchange/support/raw-client.ts';
import { signed } from '../../exchange/support/v2-client.ts';
import type { ConformanceCase } from '../case.ts';
import { checkEqual, data } from '../recorded.ts';

// What the documents say of contracts that expire, of clearing and of display_quantity, read from their text.

const documents = {
  v3: '../spec/trading-api-v3.md',
  v2: '../spec/trading-api-v2.md',
  facts: '../spec/v3-gaps.md',
};

/** What the table of a document says of one of its names, such as the words of `status`. */
function wordsOf(document: string, name: string): readonly string[] {
  const row = readFileSync(data + document, 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| ${name} |`));
  if (row === undefined) throw new Error(`${document}: expected a row of ${name}`);
  return (row.split('|')[3] ?? '')
    .replace(/\(.*\)/, '')
    .split(',')
    .map((word) => word.trim());
}

const contract = 'BTCUSDT_END';
const begun = Date.parse('2023-11-14T22:13:20Z');
const minute = 60_000;

class Stage {
  readonly bench: Bench;

  constructor(bench: Bench) {
    this.bench = bench;
  }

  /** A contract that expires after ten minutes, two accounts with margin, and spot at `middle`. */
  static async open(middle: number): Promise<Stage> {
    const own = { underlying: 'BTC', quoteCurrency: 'USDT', tickSize: '0.01', quantityIncrement: '0.001' };
    const expiry = new Date(begun + 10 * minute).toISOString();
    const balances = { USDT: '10000000', BTC: '10' };
    const stage = new Stage(
      await openBench({
        limits: { enabled: false },
        futures: { contracts: [{ ...own, symbol: contract, expiry }] },
        accounts: ['one', 'two'].map((name) => ({ name, keys: [{}], balances, derivatives: balances })),
      }),
    );
    await stage.quote(middle);
    return stage;
  }

  api(line: string, json?: object, account = 'one'): Promise<Answer> {
    const [method, path] = line.split(' ') as [string, string];
    return rest(this.bench, `${method} /api/3/${path}`, { key: this.bench.key(account), json });
  }

  order(members: object, account = 'one'): Promise<Answer> {
    const plain = { symbol: contract, side: 'buy', quantity: '0.1', price: '60000', margin_mode: 'cross' };
    return this.api('POST futures/order', { ...plain, ...members }, account);
  }

  async quote(middle: number): Promise<void> {
    await this.api('DELETE spot/order', undefined, 'two');
    for (const [side, price] of [
      ['buy', middle - 10],
      ['sell', middle + 10],
    ] as const)
      await this.api(
        'POST spot/order',
        { symbol: 'BTCUSDT', side, price: String(price), quantity: '0.1' },
        'two',
      );
  }

  async symbol(): Promise<Json> {
    return (await this.api(`GET public/symbol/${contract}`)).body;
  }
}

async function on(middle: number, run: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await Stage.open(middle);
  try {
    await run(stage);
  } finally {
    await stage.bench.close();
  }
}

const words: ConformanceCase = {
  name: 'contracts: type, expiry and statuses of a contract up to its end are words of the documents',
  needs: [documents.v3, documents.facts],
  run: () =>
    on(60_000, async (stage) => {
      const found = [await stage.symbol()];
      for (const ms of [10 * minute, minute]) {
        stage.bench.pass(ms);
        found.push(await stage.symbol());
      }
      checkEqual('contract_type', found[0].contract_type, wordsOf(documents.v3, 'contract_type')[1]);
      // The document takes ISO text or milliseconds for a time; clients of the field tell expiring contracts by a number.
      checkEqual('expiry', found[0].expiry, '2023-11-14T22:23:20.000Z');
      const [working, , clearing] = wordsOf(documents.v3, 'status');
      // The facts beside the documents name one status more.
      const facts = readFileSync(data + documents.facts, 'utf8');
      const expired = /Live symbols also show status `(\w+)`/.exec(facts)?.[1];
      const statuses = found.map(({ status }) => status as string);
      checkEqual('statuses', statuses, [working, clearing, expired]);
    }),
};

const settlement: ConformanceCase = {
  name: 'contracts: a cash settlement pays each side quantity × (index − entry), to the last digit, and nothing else',
  needs: [documents.v3],
  run: async () => {
    const random = new Random('cash settlement');
    for (let round = 0; round < 10; round++) {
      const entry = random.between(55_000, 65_000);
      const index = random.between(58_000, 62_000);
      const quantity = new Decimal(random.between(1, 400)).div(1_000).toFixed(3);
      await on(60_000, (stage) => settles(stage, { entry, index, quantity }));
    }
  },
};

async function settles(
  stage: Stage,
  { entry, index, quantity }: { readonly entry: number; readonly index: number; readonly quantity: string },
): Promise<void> {
  const { server } = stage.bench;
  const money = allMoney(server, 'USDT');
  await stage.order({ quantity, price: String(entry), side: 'sell' }, 'two');
  await stage.order({ quantity, price: String(entry) });
  await stage.quote(index);
  const free = async (account: string): Promise<Decimal> => {
    const { body } = await stage.api('GET futures/account', undefined, account);
    const margin = body.flatMap(({ currencies }: Json) => currencies as Json[]);
    const rows: string[] = margin.map(({ margin_balance }: Json) => String(margin_balance));
    const { available } = (await stage.api('GET futures/balance/USDT', undefined, account)).body;
    return rows.reduce((sum: Decimal, text: string) => sum.plus(text), new Decimal(available));
  };
  const before = [await free('one'), await free('two')] as const;
  stage.bench.pass(11 * minute);
  const what = `${quantity} from ${entry} to ${index}`;
  const won = new Decimal(quantity).times(index - entry);
  for (const [at, account] of ['one', 'two'].entries()) {
    const pnl = at === 0 ? won : won.negated();
    const [row] = (await stage.api('GET futures/history/trade', undefined, account)).body;
    checkEqual(`${what}, price`, row.price, new Decimal(index).toFixed(2));
    checkEqual(`${what}, pnl of ${account}`, new Decimal(row.pnl).toFixed(), pnl.toFixed());
    checkEqual(`${what}, fee of ${account}`, row.fee, '0');
    const gained = (await free(account)).minus(before[at as 0 | 1]);
    checkEqual(`${what}, money of ${account}`, gained.toFixed(), pnl.toFixed());
  }
  checkEqual(`${what}, money of all`, allMoney(server, 'USDT'), money);
}

const clearing: ConformanceCase = {
  name: 'contracts: a symbol in clearing refuses orders with the documented code and takes cancels, in both versions',
  needs: [documents.v3, documents.facts],
  run: () =>
    on(60_000, async (stage) => {
      const facts = readFileSync(data + documents.facts, 'utf8');
      const [, code] = /\| (\d+) \| 400 \| Exchange temporary closed \|/.exec(facts) ?? [];
      const { server } = stage.bench;
      const spot = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.1', price: '50000' };
      const rested = (await stage.api('POST spot/order', spot)).body.client_order_id as string;
      const { id } = server.instruments.get('BTCUSDT');
      server.core.handle({ kind: 'setStatus', instrument: id, status: 'clearing' });
      const key = stage.bench.key('one');
      const refused = [
        await stage.api('POST spot/order', spot),
        await stage.api(`PATCH spot/order/${rested}`, { quantity: '0.2', price: '50000' }),
        await signed(stage.bench, key, 'POST /api/2/order', { json: spot }),
      ];
      for (const { status, body } of refused)
        checkEqual('refusal', [status, String(body.error.code)], [400, code]);
      checkEqual('status', (await stage.api('GET public/symbol/BTCUSDT')).body.status, 'clearing');
      const canceled = await stage.api(`DELETE spot/order/${rested}`);
      checkEqual('cancel', canceled.body.status, 'canceled');
    }),
};

const shown: ConformanceCase = {
  name: 'contracts: no document lets an order ask for display_quantity, and no order is taken that does',
  needs: [documents.v3, documents.v2, documents.facts],
  run: () =>
    on(60_000, async (stage) => {
      for (const document of [documents.v3, documents.v2])
        checkEqual(document, /display_?quantity/i.test(readFileSync(data + document, 'utf8')), false);
      const lines = readFileSync(data + documents.facts, 'utf8').split('\n');
      const named = lines.filter((line) => line.includes('display_quantity'));
      checkEqual(
        'named in',
        named.map((line) => line.slice(0, 19)),
        ['- Optional members:'],
      );
      const order = { symbol: 'BTCUSDT', side: 'buy', quantity: '0.1', price: '50000' };
      const key = stage.bench.key('one');
      const answers = [
        await stage.api('POST spot/order', { ...order, display_quantity: '0.01' }),
        await stage.api('POST margin/order', { ...order, display_quantity: '0.01' }),
        await stage.order({ display_quantity: '0.01' }),
        await signed(stage.bench, key, 'POST /api/2/order', { json: { ...order, displayQuantity: '0.01' } }),
      ];
      for (const { status, body } of answers) checkEqual('refusal', [status, body.error.code], [400, 10001]);
      checkEqual('orders', (await stage.api('GET spot/order')).body, []);
    }),
};

export const cases: readonly ConformanceCase[] = [words, settlement, clearing, shown];
