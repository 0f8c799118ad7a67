import { EMPTY } from 'rxjs';
import type { Observable } from 'rxjs';
import { candlePeriods } from '../../src/core/model/market.ts';
import { V2Api } from '../../src/venues/hitbtc/typed/api.ts';
import { V3Api } from '../../src/venues/hitbtc/typed/api.ts';
import type { V2TradingLine, V3TradingLine } from '../../src/venues/hitbtc/typed/sockets-trading-line.ts';
import { V2CombinedSocket } from '../../src/venues/hitbtc/typed/sockets-v2.ts';
import * as channels from '../../src/venues/hitbtc/typed/sockets-v3-channel.ts';
import { V3TradingSocket } from '../../src/venues/hitbtc/typed/sockets-v3-trading.ts';
import { V3WalletSocket } from '../../src/venues/hitbtc/typed/sockets-v3-wallet.ts';
import type { TypedRow } from '../../src/venues/hitbtc/typed/caller.ts';
import { plain } from './rows.ts';

/** Enough of an order list to pass the rules that are judged before anything leaves. */
const list = {
  contingencyType: 'oneCancelOther',
  orders: [
    { symbol: 'ETHUSDT', side: 'sell', quantity: '1', price: '4000' },
    { symbol: 'ETHUSDT', side: 'sell', quantity: '1', type: 'stopMarket', stopPrice: '2000' },
  ],
};

/** Rows that some method of the REST client asks for, found by calling every method. */
export async function clientRestRows(): Promise<ReadonlySet<string>> {
  const rows = new Set<string>();
  const caller = {
    call<Value>({ row }: TypedRow<Value>): Promise<Value> {
      rows.add(plain(`${row.method} ${row.path}`));
      return Promise.resolve([] as Value);
    },
  };
  await callAll(new V3Api(caller));
  await callAll(new V2Api(caller));
  return rows;
}

/** A method of a group of the REST client, and the row of the wire tables it asks for. */
export interface ClientMethod {
  readonly version: 'v3' | 'v2';
  /** Such as `marketData.futures`. */
  readonly group: string;
  readonly method: string;
  readonly endpoint: string;
  readonly verb: string;
  readonly path: string;
}

/** Every method of the REST client but the paging ones. */
export async function clientMethods(): Promise<readonly ClientMethod[]> {
  const methods: ClientMethod[] = [];
  for (const version of ['v3', 'v2'] as const) {
    let at = { group: '', method: '' };
    const caller = {
      call<Value>({ name, row }: TypedRow<Value>): Promise<Value> {
        if (at.group !== 'pages')
          methods.push({ version, ...at, endpoint: name, verb: row.method, path: row.path });
        return Promise.resolve([] as Value);
      },
    };
    const api = version === 'v3' ? new V3Api(caller) : new V2Api(caller);
    await callAll(api, (group, method) => {
      at = { group, method };
    });
  }
  return methods;
}

/** Rows that some method of the typed sockets sends, found by calling every method with a line that only listens. */
export async function clientSocketRows(): Promise<ReadonlySet<string>> {
  const rows = new Set<string>();
  const at = async (places: readonly string[], make: (line: AnyLine) => object): Promise<void> => {
    const methods = new Set<string>(['login']);
    await callAll(make(listener(methods)));
    for (const place of places) for (const method of methods) rows.add(`${place} ${method}`);
  };
  await at(['/api/3/ws/trading'], (line) => new V3TradingSocket(line));
  await at(['/api/3/ws/wallet'], (line) => new V3WalletSocket(line));
  // The combined location and the three others serve the same desks.
  await at(
    ['/api/2/ws/public', '/api/2/ws/trading', '/api/2/ws/account'],
    (line) => new V2CombinedSocket(line),
  );
  for (const method of ['subscribe', 'unsubscribe', 'subscriptions']) rows.add(`/api/3/ws/public ${method}`);
  // The market data know one query by two names; the client uses the one that other clients use.
  if (rows.has('/api/3/ws/wallet get_transactions')) rows.add('/api/3/ws/wallet transactions');
  return rows;
}

/** Channels that the typed client can name, as the market data write them. */
export function clientChannelRows(): ReadonlySet<string> {
  const names = new Set<string>();
  for (const period of candlePeriods) {
    names.add(channels.candlesChannel(period).name);
    names.add(channels.convertedCandlesChannel(period).name);
  }
  for (const batch of [false, true]) {
    for (const speed of ['1s', '3s'] as const) {
      names.add(channels.tickerChannel(speed, batch).name);
      names.add(channels.priceTickerChannel(speed, batch).name);
      names.add(channels.priceRateChannel(speed, batch).name);
    }
    for (const speed of ['100ms', '500ms', '1000ms'] as const) {
      names.add(channels.topOfBookChannel(speed, batch).name);
      for (const depth of ['D5', 'D10', 'D20'] as const) {
        names.add(channels.partialBookChannel(depth, speed, batch).name);
      }
    }
  }
  for (const channel of [
    channels.tradesChannel(),
    channels.fullBookChannel(),
    channels.futuresInfoChannel(),
  ]) {
    names.add(channel.name);
  }
  return new Set([...names].map((name) => `/api/3/ws/public ${channelTemplate(name)}`));
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

/** A line that takes down which methods are asked for, and answers nothing. */
function listener(methods: Set<string>): AnyLine {
  const note = (...names: string[]): Promise<unknown[]> => {
    for (const name of names) methods.add(name);
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
