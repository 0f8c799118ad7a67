import { exchangeOptions } from '../../../src/exchange/server/options.ts';
import type { Key, RunningExchange } from './exchange.ts';
import type { RunningGateway } from './gateway.ts';
import { startGateway } from './gateway.ts';
import { until } from './waiting.ts';

/** Whether conversations talk through a gateway for each account (`node run.js --through gateway`), with nothing but their addresses changed. */
export const isThrough = process.env['CLIENTS_THROUGH'] === 'gateway';

/** Asserts what holds at the exchange itself alone; `why` says how it is otherwise through a gateway. */
export function atExchange(why: string, assertion: () => void): void {
  if (why === '' || !isThrough) assertion();
}

/** Account that quotes both sides of each market from afar: the controls of a daemon need a mid price. */
const framer = 'frame';
const mids: Readonly<Record<string, number>> = {
  BTCUSDT: 64_000,
  ETHUSDT: 3_200,
  LTCUSDT: 84,
  XRPUSDT: 0.56,
  ETHBTC: 0.055,
  LTCBTC: 0.0013,
  BTCUSDT_PERP: 64_000,
  ETHUSDT_PERP: 3_200,
};
const far = { buy: 0.6, sell: 1.4 } as const;

/** Options of an exchange that has that account, too. */
export function framed(options: object): object {
  const { accounts } = exchangeOptions.parse(options);
  const balances = { USDT: '100000000', BTC: '1000', ETH: '1000', LTC: '1000', XRP: '100000' };
  const frame = { name: framer, keys: [{}], balances, derivatives: { USDT: '100000000' } };
  return { ...options, accounts: [...accounts, frame] };
}

/** A book, or anything else that was asked for, without the levels of the frame. */
export function withoutFrame<Answer>(answer: Answer): Answer {
  if (typeof answer !== 'object' || answer === null || !('ask' in answer) || !('bid' in answer))
    return answer;
  const kept = (levels: unknown): unknown =>
    Array.isArray(levels) ? levels.filter((level) => !framePrices.has(priceOf(level))) : levels;
  return { ...answer, ask: kept(answer.ask), bid: kept(answer.bid) };
}

function priceOf(level: unknown): number {
  return Number(Array.isArray(level) ? level[0] : (level as { readonly price?: unknown }).price);
}

const framePrices = new Set<number>();

interface Listed {
  readonly type: string;
  readonly status: string;
  readonly tick_size: string;
  readonly quantity_increment: string;
}

/** The exchange behind a gateway for each of its two main accounts: their keys are those of programs, good at the gateway. */
export async function throughGateways(exchange: RunningExchange, options: object): Promise<RunningExchange> {
  const symbols = await symbolsOf(exchange);
  // A market that lives has a mid price.
  if (isStill(options)) await frameMarkets(exchange, symbols);
  const gateways = new Map<string, RunningGateway>();
  await Promise.all(
    ['demo', 'demo-two'].map(async (account) => {
      const programs = [
        { name: account, symbols: [...symbols.keys()], products: ['spot', 'margin', 'futures'] },
      ];
      const gateway = await startGateway(exchange, programs, { orders }, account);
      gateways.set(account, gateway);
      behind.set(gateway.key(account).apiKey, {
        exchange: exchange.rest,
        gateway: gateway.rest,
        key: exchange.key(account),
        isStill: isStill(options),
      });
    }),
  );
  return {
    ...exchange,
    key(account, rights = 'R1 R2 R3 R4'): Key {
      const gateway = rights === 'R1 R2 R3 R4' ? gateways.get(account) : undefined;
      if (gateway === undefined) return exchange.key(account, rights);
      return { ...gateway.key(account), at: { rest: gateway.rest, ws: gateway.ws } };
    },
    async stop() {
      behind.clear();
      await Promise.all([...gateways.values()].map((one) => one.stop()));
      await exchange.stop();
    },
  };
}

/** Nothing is held back but by what every order is held against. */
const orders = {
  lastTradeNeeded: false,
  collarPercent: 100,
  stopCollarPercent: 100,
  marketOrders: true,
  marketSpreadPercentMax: 100,
  duplicateMs: 0,
};

function isStill(options: { readonly flow?: { readonly enabled?: boolean } }): boolean {
  return options.flow?.enabled === false;
}

async function symbolsOf(exchange: RunningExchange): Promise<ReadonlyMap<string, Listed>> {
  const answer = await fetch(`${exchange.rest}/api/3/public/symbol`);
  const listed = (await answer.json()) as Record<string, Listed>;
  return new Map(Object.entries(listed).filter(([symbol]) => mids[symbol] !== undefined));
}

async function frameMarkets(exchange: RunningExchange, symbols: ReadonlyMap<string, Listed>): Promise<void> {
  const { apiKey, secret } = exchange.key(framer);
  const authorization = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
  for (const [symbol, listed] of symbols)
    for (const side of ['buy', 'sell'] as const) {
      const { type, tick_size: tick, quantity_increment: quantity } = listed;
      const digits = (tick.split('.')[1] ?? '').length;
      const price = ((mids[symbol] ?? 0) * far[side]).toFixed(digits);
      framePrices.add(Number(price));
      const path = `/api/3/${type === 'futures' ? 'futures' : 'spot'}/order`;
      const margin = type === 'futures' ? { margin_mode: 'cross' } : {};
      await until(`the frame of ${symbol}`, async () => {
        const answer = await fetch(`${exchange.rest}${path}`, {
          method: 'POST',
          headers: { authorization },
          body: new URLSearchParams({ symbol, side, price, quantity, ...margin }),
        });
        if (answer.status !== 200) throw new Error(await answer.text());
        return true;
      });
    }
}

/** Asks one at a time: a request waits until the gateway knows what the exchange has, as far as that answers it. */
export async function caughtUp(key: Pick<Key, 'apiKey' | 'secret'> | undefined, url: string): Promise<void> {
  const found = key && behind.get(key.apiKey);
  if (found === undefined) return;
  const book = /public\/orderbook\/[A-Z_]+/.exec(url)?.[0];
  const [path, shown] =
    book === undefined
      ? [url.includes('/futures/') ? 'futures/balance' : 'spot/balance', moneyOf]
      : [`${book}?depth=0`, bookOf];
  if (book === undefined && url.includes('/public/')) return;
  // A market that lives is another one at each look.
  if (book !== undefined && !found.isStill) return;
  await until(`what the exchange has (${path})`, async () => {
    const [there, here] = await Promise.all([
      read(found.exchange, path, found.key),
      read(found.gateway, path, key ?? found.key),
    ]);
    const [truth, seen] = [shown(there), shown(here)];
    return seen === undefined || seen === truth ? true : undefined;
  });
}

interface Behind {
  readonly exchange: string;
  readonly gateway: string;
  /** Key of the account at the exchange. */
  readonly key: Key;
  readonly isStill: boolean;
}

/** Accounts behind gateways, by the key of the program. */
const behind = new Map<string, Behind>();

async function read(
  rest: string,
  path: string,
  { apiKey, secret }: Pick<Key, 'apiKey' | 'secret'>,
): Promise<unknown> {
  const authorization = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
  const headers = path.startsWith('public/') ? {} : { authorization };
  return (await fetch(`${rest}/api/3/${path}`, { headers })).json();
}

/** A refusal is for the request itself to meet. */
function moneyOf(rows: unknown): string | undefined {
  if (!Array.isArray(rows)) return undefined;
  return JSON.stringify(
    (rows as Record<string, string>[])
      .map(({ currency, available, reserved }) => [currency, Number(available), Number(reserved)].join(' '))
      .toSorted(),
  );
}

function bookOf(book: unknown): string {
  const { ask, bid } = book as { readonly ask: unknown; readonly bid: unknown };
  return JSON.stringify([ask, bid]);
}
