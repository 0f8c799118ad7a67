import { formatAmount } from '../../../src/core/base/amount.ts';
import type { ExchangeOptionsInput } from '../../../src/exchange/server/options.ts';
import type { Answer, Ask, Bench, Json } from './raw-client.ts';
import { openBench, rest } from './raw-client.ts';

/** An exchange with one super account `main`, three sub-accounts and a stranger. */
export interface SubBench extends Bench {
  /** A signed v3 call as `account`: path below `/api/3`. */
  v3(account: string, line: string, form?: Record<string, string>, index?: number): Promise<Answer>;
  /** A v2 call as `account`: path below `/api/2`. */
  v2(account: string, line: string, form?: Record<string, string>, index?: number): Promise<Answer>;
  /** Ids of a sub-account by its name, as both versions list them. */
  readonly ids: Readonly<Record<string, { hex: string; number: number }>>;
  /** What all accounts have of a currency, on both balances and in fees, less what came from outside. */
  total(currency: string): string;
}

export const subOptions: ExchangeOptionsInput = {
  limits: { enabled: false },
  accounts: [
    {
      name: 'main',
      keys: [{}, { rights: ['R1', 'R2', 'R3'] }, { rights: ['R1'] }],
      balances: { USDT: '500' },
    },
    { name: 'one', keys: [{}], balances: { USDT: '1000', BTC: '1' }, subAccount: { parent: 'main' } },
    { name: 'two', keys: [{}], subAccount: { parent: 'main', status: 'new', withdrawEnabled: true } },
    { name: 'gone', keys: [{}], subAccount: { parent: 'main', status: 'disable' } },
    { name: 'stranger', keys: [{}], balances: { USDT: '100000', BTC: '10' } },
    { name: 'foreign', keys: [{}], subAccount: { parent: 'stranger' } },
  ],
  wallet: {
    deposits: [
      { account: 'main', currency: 'USDT', amount: '1000' },
      { account: 'main', currency: 'BTC', amount: '2' },
      { account: 'one', currency: 'USDT', amount: '50' },
    ],
  },
};

export async function openSubBench(options: ExchangeOptionsInput = {}): Promise<SubBench> {
  const bench = await openBench({ ...subOptions, ...options });
  const call =
    (root: string, basic: boolean) =>
    async (account: string, line: string, form?: Record<string, string>, index = 0): Promise<Answer> => {
      const [method, path] = line.split(' ') as [string, string];
      const ask: Ask = { key: bench.key(account, index), basic, ...(form && { form }) };
      return rest(bench, `${method} ${root}${path}`, ask);
    };
  const v3 = call('/api/3/', false);
  const v2 = call('/api/2/', true);
  const ids: Record<string, { hex: string; number: number }> = {};
  for (const parent of ['main', 'stranger']) {
    const hexes = (await v3(parent, 'GET sub-account')).body as Json[];
    const numbers = (await v2(parent, 'GET sub-acc')).body.result as Json[];
    hexes.forEach(({ sub_account_id, email }, index) => {
      ids[email.split('@')[0]] = { hex: sub_account_id, number: numbers[index].id };
    });
  }
  const { accounts, core, wallet } = bench.server;
  const total = (currency: string): string => {
    let sum: bigint = core.exchange.collectedFees(currency) + wallet.context.held.total(currency);
    sum -= wallet.context.flow(currency).received;
    for (const { id } of accounts.all) {
      const { available, reserved } = core.exchange.balance(id, currency);
      sum += available + reserved;
    }
    return formatAmount(sum as never);
  };
  return { ...bench, v3, v2, ids, total };
}
