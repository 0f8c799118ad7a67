import fc from 'fast-check';
import type { Bench } from './support/raw-client.ts';
import { openBench, rest } from './support/raw-client.ts';
import { allMoney } from './support/all-money.ts';
import type { AnyCall } from './support/any-call.ts';
import { anyCall } from './support/any-call.ts';
import { walletCurrencies, walletOptions } from './support/wallet-bench.ts';

const currencies = ['BTC', 'ETH', 'LTC', 'XRP', 'USDT', 'EUR'];
const inFlight = 8;

export interface RandomCallsResult {
  readonly calls: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** Calls answered with 500 and above, or not at all, and sums that moved: empty when all is well. */
  readonly troubles: readonly string[];
}

/**
 * Sends calls of every endpoint of both documents, sensible or not, several at once, and compares what all accounts
 * have with what the exchange took and what came and went, every so many calls.
 */
export async function runRandomCalls(count: number, seed: number): Promise<RandomCallsResult> {
  const bench = await openBench({
    limits: { enabled: false },
    futures: { quarterly: true },
    publish: { bookMs: 10_000 },
    currencies: walletCurrencies,
    wallet: { ...walletOptions, dailyLimits: {}, addressesMax: 1_000, failureShare: 0.2 },
  });
  const before = currencies.map((currency) => allMoney(bench.server, currency));
  const statuses = new Map<number, number>();
  const troubles: string[] = [];
  const calls = sampled(count, seed);
  const accounts = ['demo', 'demo-two'] as const;
  let sent = 0;
  const lane = async (): Promise<void> => {
    for (const call of calls) {
      const at = sent++;
      const { status, documented } = await answerOf(bench, call, accounts[at % 2] as string, troubles);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 500 && !documented) troubles.push(`call ${at}: ${status} for ${JSON.stringify(call)}`);
      if (at % 50 === 0) bench.pass(at % 1_000 === 0 ? 60_000 : 7);
      if (at % 500 === 0) compare(bench, before, troubles, at);
      if (troubles.length > 10) return;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  compare(bench, before, troubles, sent);
  await bench.close();
  return { calls: sent, statuses, troubles };
}

/** In samples of limited size: memory stays flat however many are asked for. */
function* sampled(count: number, seed: number): Generator<AnyCall> {
  const size = 2_000;
  for (let done = 0; done < count; done += size)
    yield* fc.sample(anyCall, { numRuns: Math.min(size, count - done), seed: seed + done });
}

function compare(bench: Bench, before: readonly string[], troubles: string[], at: number): void {
  for (const [index, currency] of currencies.entries()) {
    const now = allMoney(bench.server, currency);
    if (now !== before[index])
      troubles.push(`call ${at}: all ${currency} was ${before[index]} and is ${now}`);
  }
}

/** Version 2 answers 500 for a sub-account it does not find. Source: API v2, "Errors". */
async function answerOf(
  bench: Bench,
  call: AnyCall,
  account: string,
  troubles: string[],
): Promise<{ readonly status: number; readonly documented: boolean }> {
  const { method, path, given, place } = call;
  const query = new URLSearchParams(
    Object.entries(given).map(([name, value]): [string, string] => [name, textOf(value).toWellFormed()]),
  ).toString();
  const body = place === 'json' ? { json: given } : place === 'form' ? { text: query, type: formType } : {};
  const target = place === 'query' && query !== '' ? `${path}?${query}` : path;
  const answer = await rest(bench, `${method} ${target}`, { ...body, key: bench.key(account), basic: true });
  const times = oddTimes(answer.body, path.startsWith('/api/2/public/orderbook') ? 9 : 3);
  if (times.length > 0) troubles.push(`${method} ${path}: ${times.join(', ')}`);
  const received = String(answer.body?.error?.description ?? '');
  return { status: answer.status, documented: received.startsWith('Cannot find sub account') };
}

const timeName = /(?:_at|At|[tT]imestamp|expiry|expire_time|expireTime|next_funding_time|date_end)$/;
const millisStamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const nanosStamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/;

/** Members of an answer that are times and do not look it. Source: API v3 and v2, "Conventions", 1. */
function oddTimes(value: unknown, digits: 3 | 9): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    if (typeof member === 'object') return oddTimes(member, digits);
    if (!timeName.test(name)) return [];
    const isTime =
      typeof member === 'string' && (millisStamp.test(member) || (digits === 9 && nanosStamp.test(member)));
    return isTime ? [] : [`${name} ${JSON.stringify(member)}`];
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

const formType = 'application/x-www-form-urlencoded';

if (process.argv[1] === import.meta.filename) {
  const [count = '100000', seed = '20261121'] = process.argv.slice(2);
  process.stdout.write(`${count} random calls, seed ${seed}\n`);
  const { calls, statuses, troubles } = await runRandomCalls(Number(count), Number(seed));
  const tally = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
  process.stdout.write(`${calls} answered (${tally.join(', ')}), ${troubles.length} troubles\n`);
  for (const trouble of troubles) process.stdout.write(`${trouble}\n`);
  process.exitCode = troubles.length === 0 ? 0 : 7;
}
