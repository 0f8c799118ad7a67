import { failureOf } from '../support.ts';
import type { RowCase } from './row-case.ts';
import type { SocketKind, Talk } from './talk.ts';

const kindOf: Readonly<Record<string, SocketKind>> = {
  '/api/3/ws/public': 'marketV3',
  '/api/3/ws/trading': 'tradingV3',
  '/api/3/ws/wallet': 'walletV3',
  '/api/2/ws/public': 'publicV2',
  '/api/2/ws/trading': 'tradingV2',
  '/api/2/ws/account': 'accountV2',
};

/** How an error comes about that every row of a kind has, if it is one. */
export function commonError(row: RowCase, code: number): ((talk: Talk) => Promise<unknown>) | undefined {
  const isSocket = row.row.startsWith('/api/');
  const failed = (from: (talk: Talk) => Talk['us']) => async (talk: Talk) =>
    (await failureOf(row.call(from(talk), talk))).code;
  const switched = (turn: (talk: Talk) => void) => async (talk: Talk) => {
    // A client of its own: one that was refused for its pace goes slower for minutes.
    const client = talk.fresh();
    const place = row.row.split(' ')[0] ?? '';
    if (kindOf[place] !== undefined) await talk.open(client, kindOf[place]);
    turn(talk);
    try {
      return (await failureOf(row.call(client, talk))).code;
    } finally {
      talk.stage.server.faults.clear();
      await client.close();
    }
  };
  switch (code) {
    case 429:
      return switched((talk) => talk.stage.server.faults.answer429(1));
    case 503:
      return switched((talk) => talk.stage.server.faults.answer503(1));
    case 500:
    case 504:
    case 20_080:
    case 22_008:
      return switched((talk) => talk.stage.server.faults.refuseOrders(code, 1));
    case 1_001:
      return isSocket
        ? (talk) => talk.rawSocket(...socketLine(row, {}), false)
        : (talk) => talk.raw(lineOf(row), undefined, '');
    case 1_002:
      return failed((talk) => talk.keyless);
    case 1_003:
      return failed((talk) => talk.rightless);
    case 1_004:
      return (talk) => talk.raw(lineOf(row), undefined, 'Digest abc');
    case 10_021:
      return failed((talk) => talk.frozen);
    case 10_001:
      if (row.bad === undefined) return undefined;
      return (talk) =>
        isSocket ? talk.rawSocket(...socketLine(row, row.bad)) : talk.raw(...badRequest(row));
    default:
      return undefined;
  }
}

/** `PUT /api/3/margin/account/isolated/BTCUSDT`. */
function lineOf({ row, path = [] }: RowCase): string {
  let index = 0;
  return row.replaceAll('{}', () => path[index++] ?? 'BTCUSDT');
}

function badRequest(row: RowCase): [string, object | undefined] {
  const line = lineOf(row);
  if (!line.startsWith('GET ')) return [line, row.bad as object];
  return [`${line}?${new URLSearchParams(row.bad as Record<string, string>).toString()}`, undefined];
}

function socketLine({ row }: RowCase, params: object | undefined): [string, object] {
  const [place = '', method = ''] = row.split(' ');
  return [place, { method, params }];
}
