import type { Endpoint, WireVersion } from '../wire/index.ts';
import { errorTable, limitOf, sentErrors, sentTo, v2Limits, v3Limits } from '../wire/index.ts';
import { v2Endpoints } from '../wire/v2/index.ts';
import { v3Endpoints } from '../wire/v3/index.ts';
import { presets } from '../addresses.ts';
import type { Described, JsonSchema } from './schemas.ts';
import { describeSchemas } from './schemas.ts';
import { summaries } from './summaries.ts';

/** Parts of the API by the first part of their paths. */
const parts: Readonly<Record<string, { readonly tag: string; readonly text: string }>> = {
  public: { tag: 'Market data', text: 'needs no key' },
  spot: { tag: 'Spot trading', text: 'balances, orders, fees and history of spot' },
  margin: { tag: 'Margin', text: 'accounts, positions, orders and history of margin' },
  'margin-settings': { tag: 'Margin', text: 'accounts, positions, orders and history of margin' },
  futures: { tag: 'Futures', text: 'accounts, positions, orders and history of contracts' },
  wallet: { tag: 'Wallet', text: 'balances, addresses, withdrawals, transfers, transactions' },
  account: { tag: 'Account management', text: 'balances, addresses, withdrawals, transfers, transactions' },
  'sub-account': { tag: 'Sub-accounts', text: 'sub-accounts of a super account' },
  'sub-acc': { tag: 'Sub-accounts', text: 'sub-accounts of a super account' },
  'buy-crypto': { tag: 'Buy-crypto', text: 'purchases through providers' },
  user: { tag: 'User', text: 'the user of the key' },
  order: { tag: 'Trading', text: 'orders, balances, fees and history' },
  trading: { tag: 'Trading', text: 'orders, balances, fees and history' },
  history: { tag: 'Trading', text: 'orders, balances, fees and history' },
};

const rights = {
  none: 'Needs no key.',
  key: 'Needs a key, whatever its rights.',
  R1: 'Needs a key with the right R1: reads of trading.',
  R2: 'Needs a key with the right R2: orders.',
  R3: 'Needs a key with the right R3: reads of payments, and transfers.',
  R4: 'Needs a key with the right R4: withdrawals.',
} as const;

const signatures = {
  v3: 'HS256 base64(apiKey:signature:timestamp[:window]). signature: HMAC-SHA256 by the secret key, in hexadecimal, of the method, the path, ? and the query if there is one, the body, timestamp and window. Both are milliseconds.',
  v2: 'HS256 base64(apiKey:timestamp:signature). signature: HMAC-SHA256 by the secret key, in hexadecimal, of the method, timestamp, the path, ? and the query if there is one, and the body. timestamp: seconds.',
} as const;

type Rows = Readonly<Record<string, Endpoint>>;

/**
 * REST of a version of the API as an OpenAPI 3.1 document, made of the rows that client and exchange use. `version`: that of
 * Godwit.
 */
export function restDocument(api: WireVersion, version: string): object {
  const rows = (api === 'v3' ? v3Endpoints : v2Endpoints) as Rows;
  const answers = Object.entries(rows).map(([name, { answer }]) => [name, sentTo(answer)] as const);
  const described = describeSchemas({ ...Object.fromEntries(answers), errorBody: sentErrors[api] });
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, row] of Object.entries(rows))
    (paths[row.path] ??= {})[row.method.toLowerCase()] = operation(api, { name, row, described });
  const used = new Map(
    Object.values(rows)
      .map(({ path }) => partOf(path))
      .map(({ tag, text }) => [tag, text]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: `Trading API ${api}, REST`,
      version,
      description: about(api),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: servers('base_url', 'http://127.0.0.1:8080'),
    tags: [...used].map(([name, description]) => ({ name, description })),
    security: [{ signature: [] }, { basic: [] }],
    paths,
    components: {
      securitySchemes: {
        signature: { type: 'apiKey', in: 'header', name: 'Authorization', description: signatures[api] },
        basic: { type: 'http', scheme: 'basic', description: 'API key and secret key' },
      },
      responses: Object.fromEntries(
        Object.entries(refusals).map(([status, description]) => [
          status,
          { description, content: json(described.of('errorBody')) },
        ]),
      ),
      schemas: described.shared,
    },
  };
}

/** Addresses of the exchange of this machine and of public hosts. */
export function servers(
  which: 'base_url' | 'ws_url',
  own: string,
): readonly { readonly url: string; readonly description: string }[] {
  return [
    { url: own, description: 'godwit exchange --port 8080' },
    ...Object.entries(presets).map(([name, addresses]) => ({ url: addresses[which], description: name })),
  ];
}

function about(api: WireVersion): string {
  const codes = errorTable
    .filter(({ message, http }) => message !== '' && http !== 'socket')
    .map(({ code, http, message }) => `| ${code} | ${http} | ${message} |`);
  return [
    'Made by `godwit openapi` of the tables that its client and its embedded exchange work by.',
    'Amounts, prices and quantities are decimal text. Times are ISO 8601, UTC.',
    `Members that are not described here may come.${api === 'v2' ? ' New work is better done with v3.' : ''}`,
    '',
    '| Code | Status | Error |',
    '|---|---|---|',
    ...codes,
  ].join('\n');
}

function partOf(path: string): { readonly tag: string; readonly text: string } {
  return parts[path.split('/')[3] ?? ''] ?? { tag: 'Other', text: 'other calls' };
}

function operation(
  api: WireVersion,
  { name, row, described }: { readonly name: string; readonly row: Endpoint; readonly described: Described },
): object {
  const { path, right, method } = row;
  const params = paramsOf(name, row);
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, part = '']) => part));
  const { properties = {}, required = [] } = params;
  const rest = Object.entries(properties).filter(([key, one]) => !inPath.has(key) && !isNever(one));
  const parameters = [
    ...[...inPath].map((key) => ({ name: key, in: 'path', required: true, schema: properties[key] ?? text })),
    ...(method === 'GET' ? rest.map(([key, schema]) => inQuery(key, schema, required.includes(key))) : []),
  ];
  const body = method === 'GET' ? undefined : bodyOf(row, rest, required);
  return {
    operationId: name,
    tags: [partOf(path).tag],
    summary: summaries[name as keyof typeof summaries],
    description: [rights[right], limitText(api, path)].join(' ').trim(),
    ...(right === 'none' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: body }),
    responses: {
      200: { description: 'the answer', content: json(described.of(name)) },
      ...Object.fromEntries(
        Object.keys(refusals)
          .filter((status) => right !== 'none' || !ofKeys.includes(status))
          .map((status) => [status, { $ref: `#/components/responses/${status}` }]),
      ),
    },
  };
}

const text: JsonSchema = { type: 'string' };
const json = (schema: JsonSchema) => ({ 'application/json': { schema } });

/** Reasons why there is no answer, by status. */
const refusals: Readonly<Record<string, string>> = {
  400: 'refused: a parameter is wrong, or it cannot be done',
  401: 'the key is not known, or the signature is wrong',
  403: 'the key lacks the right',
  429: 'more calls than the limit allows',
  504: 'the result is unknown',
};
/** Statuses of calls with a key. */
const ofKeys: readonly string[] = ['401', '403', '504'];

function paramsOf(name: string, { params }: Endpoint): JsonSchema {
  const { of, shared } = describeSchemas({ [name]: params });
  if (Object.keys(shared).length > 0) throw new Error(`${name}: expected parameters without shared schemas`);
  return of(name);
}

/** Recognises a parameter that is known only to be refused. */
function isNever({ not }: JsonSchema): boolean {
  return not !== undefined;
}

function inQuery(name: string, schema: JsonSchema, required: boolean): object {
  // One text with commas: what the documents say of lists.
  const list = schema['type'] === 'array' ? { style: 'form', explode: false } : {};
  return { name, in: 'query', ...(required && { required }), ...list, schema };
}

function bodyOf(
  { payload }: Endpoint,
  members: readonly (readonly [string, JsonSchema])[],
  required: readonly string[],
): object | undefined {
  if (members.length === 0) return undefined;
  const needed = required.filter((name) => members.some(([key]) => key === name));
  const schema: JsonSchema =
    payload === 'list'
      ? (members[0]?.[1] ?? {})
      : {
          type: 'object',
          properties: Object.fromEntries(members),
          ...(needed.length > 0 && { required: needed }),
        };
  const lists = members.filter(([, one]) => one['type'] === 'array').map(([key]) => key);
  const encoding = Object.fromEntries(lists.map((key) => [key, { style: 'form', explode: false }]));
  const content =
    payload === 'form'
      ? {
          'application/x-www-form-urlencoded': { schema, ...(lists.length > 0 && { encoding }) },
        }
      : json(schema);
  return { ...(needed.length > 0 && { required: true }), content };
}

function limitText(api: WireVersion, path: string): string {
  const below = path.replace(/^\/api\/\d/, '');
  const table = api === 'v3' ? v3Limits : v2Limits;
  return (['address', 'account'] as const)
    .flatMap((scope) => {
      const row = limitOf(table, scope, 'rest', below);
      if (row === undefined) return [];
      const burst = row.burst > 0 ? `, ${row.rate + row.burst} at once` : '';
      return [`At most ${row.rate} calls a second for each ${scope}${burst}.`];
    })
    .join(' ');
}
