import { EMPTY } from 'rxjs';
import type { Observable } from 'rxjs';
import { candlePeriods } from '../../src/core/model/market.ts';
import { V2Api } from '../../src/venues/hitbtc/typed/api.ts';
import { V3Api } from '../../src/venues/hitbtc/typed/api.ts';
import type { V2TradingLine, V3TradingLine } from '../../src/venues/hitbtc/typed/sockets/trading-line.ts';
import { V2CombinedSocket } from '../../src/venues/hitbtc/typed/sockets/v2.ts';
import * as channels from '../../src/venues/hitbtc/typed/sockets/v3-channel.ts';
import { V3TradingSocket } from '../../src/venues/hitbtc/typed/sockets/v3-trading.ts';
import { V3WalletSocket } from '../../src/venues/hitbtc/typed/sockets/v3-wallet.ts';
import type { TypedChannel } from '../../src/venues/hitbtc/typed/sockets/v3-channel.ts';
import type { TypedRow } from '../../src/venues/hitbtc/typed/calls/caller.ts';
import { plain } from './rows.ts';

/** Enough of an order list to pass the rules that are judged before anything leaves. */
const list = {
  contingencyType: 'oneCancelOther',
  orders: [
    { symbol: 'ETHUSDT', side: 'sell', quantity: '1', price: '4000' },
    { symbol: 'ETHUSDT', side: 'sell', quantity: '1', type: 'stopMarket', stopPrice: '2000' },
  ],
};

/**
 * The call of the REST client for each row, found by calling every method: its name, with the parameters that the row refuses to
 * do without.
 */
export async function clientRestRows(): Promise<ReadonlyMap<string, string>> {
  const rows = new Map<string, string>();
  for (const version of ['v3', 'v2'] as const) {
    let at = '';
    const caller = {
      call<Value>({ row }: TypedRow<Value>): Promise<Value> {
        const name = plain(`${row.method} ${row.path}`);
        if (!rows.has(name)) rows.set(name, `client.${version}.${at}(${neededBy(row.params)})`);
        return Promise.resolve([] as Value);
      },
    };
    await callAll(version === 'v3' ? new V3Api(caller) : new V2Api(caller), (group, method) => {
      at = group === '' ? method : `${group}.${method}`;
    });
  }
  return rows;
}

/** `{ symbol, side }`: the parameters without which a row refuses a request. */
function neededBy(params: TypedRow<unknown>['row']['params']): string {
  const parsed = params.safeParse({});
  const names = parsed.success ? [] : parsed.error.issues.map(({ path }) => String(path[0] ?? ''));
  const needed = [...new Set(names)].filter((name) => name !== '');
  return needed.length === 0 ? '' : `{ ${needed.map(camel).join(', ')} }`;
}

function camel(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The method of the typed sockets for each row, found by calling every method with a line that only listens. */
export async function clientSocketRows(): Promise<ReadonlyMap<string, string>> {
  const rows = new Map<string, string>();
  const at = async (place: string, opener: string, make: (line: AnyLine) => object): Promise<void> => {
    let method = '';
    const calls = new Map([['login', `client.sockets.${opener}()`]]);
    const line = listener((name) => {
      if (!calls.has(name)) calls.set(name, `client.sockets.${opener}().${method}`);
    });
    await callAll(make(line), (group, name) => {
      method = group === '' ? name : `${group}.${name}`;
    });
    for (const [name, call] of calls) rows.set(`${place} ${name}`, call);
  };
  await at('/api/3/ws/trading', 'tradingV3', (line) => new V3TradingSocket(line));
  await at('/api/3/ws/wallet', 'walletV3', (line) => new V3WalletSocket(line));
  // The combined location serves what the three others serve.
  for (const [place, opener] of [
    ['/api/2/ws/public', 'publicV2'],
    ['/api/2/ws/trading', 'tradingV2'],
    ['/api/2/ws/account', 'accountV2'],
  ] as const)
    await at(place, opener, (line) => new V2CombinedSocket(line));
  for (const method of ['subscribe', 'unsubscribe', 'subscriptions'])
    rows.set(`/api/3/ws/public ${method}`, `client.sockets.marketV3().${method}`);
  // The documents know one query by two names; the client uses the one that other clients use.
  const transactions = rows.get('/api/3/ws/wallet get_transactions');
  if (transactions !== undefined) rows.set('/api/3/ws/wallet transactions', transactions);
  return rows;
}

/** The call of the typed client that names each channel. */
export function clientChannelRows(): ReadonlyMap<string, string> {
  const made: (readonly [TypedChannel<unknown>, string])[] = [
    [channels.tradesChannel(), 'tradesChannel()'],
    [channels.fullBookChannel(), 'fullBookChannel()'],
    [channels.futuresInfoChannel(), 'futuresInfoChannel()'],
    ...candlePeriods.flatMap((period) => [
      [channels.candlesChannel(period), 'candlesChannel(period)'] as const,
      [channels.convertedCandlesChannel(period), 'convertedCandlesChannel(period)'] as const,
    ]),
  ];
  for (const batch of [false, true]) {
    const end = batch ? ', true)' : ')';
    for (const speed of ['1s', '3s'] as const) {
      made.push(
        [channels.tickerChannel(speed, batch), `tickerChannel(speed${end}`],
        [channels.priceTickerChannel(speed, batch), `priceTickerChannel(speed${end}`],
        [channels.priceRateChannel(speed, batch), `priceRateChannel(speed${end}`],
      );
    }
    for (const speed of ['100ms', '500ms', '1000ms'] as const) {
      made.push([channels.topOfBookChannel(speed, batch), `topOfBookChannel(speed${end}`]);
      for (const depth of ['D5', 'D10', 'D20'] as const)
        made.push([
          channels.partialBookChannel(depth, speed, batch),
          `partialBookChannel(depth, speed${end}`,
        ]);
    }
  }
  return new Map(made.map(([{ name }, call]) => [`/api/3/ws/public ${channelTemplate(name)}`, call]));
}

/** `orderbook/D5/100ms` as `orderbook/{}/{}`. */
export function channelTemplate(name: string): string {
  return name.replaceAll(/(?<=\/)(?:D5|D10|D20|\d+m?s|M\d+|H\d|D1|D7|1M)(?=\/|$)/g, '{}');
}

type AnyLine = V3TradingLine & V2TradingLine;
type OnCall = (group: string, method: string) => void;

async function callAll(root: object, onCall: OnCall = () => {}, path = ''): Promise<void> {
  const prototypes = prototypesOf(root);
  for (const prototype of prototypes) {
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const { value } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
      if (name === 'constructor' || typeof value !== 'function') continue;
      onCall(path, name);
      const given = /list$/i.test(name) ? list : {};
      await finish((value as (...args: object[]) => unknown).call(root, given, {}));
    }
  }
  for (const [name, member] of Object.entries(root) as [string, unknown][]) {
    if (typeof member !== 'object' || member === null || isStream(member)) continue;
    if (prototypesOf(member).length > 0)
      await callAll(member, onCall, path === '' ? name : `${path}.${name}`);
  }
}

async function finish(result: unknown): Promise<void> {
  if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result) {
    await (result as AsyncGenerator).next();
  } else {
    await result;
  }
}

function prototypesOf(value: object): object[] {
  const found: object[] = [];
  for (
    let at = Object.getPrototypeOf(value) as object | null;
    at !== null;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    if (at === Object.prototype || at === Array.prototype) break;
    found.push(at);
  }
  return found;
}

function isStream(value: object): boolean {
  return 'subscribe' in value && 'pipe' in value;
}

/** A line that notes which methods are asked for, and answers nothing. */
function listener(take: (method: string) => void): AnyLine {
  const note = (...names: string[]): Promise<unknown[]> => {
    for (const name of names) take(name);
    return Promise.resolve([]);
  };
  const line = {
    socket: { close: () => Promise.resolve() },
    notices: { of: (): Observable<never> => EMPTY, faults$: EMPTY },
    ask: (method: string) => note(method),
    askMany: (method: string) => note(method),
    subscribe: (method: string) => note(method),
    unsubscribe: (method: string, ending: string) => note(method, ending),
  };
  return line as unknown as AnyLine;
}
