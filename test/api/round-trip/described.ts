import type { WireVersion } from '../../../src/venues/hitbtc/wire/index.ts';
import { restDocument } from '../../../src/venues/hitbtc/documents/rest.ts';
import { socketDocument } from '../../../src/venues/hitbtc/documents/sockets.ts';
import { v2Endpoints, v2Methods } from '../../../src/venues/hitbtc/wire/v2/index.ts';
import { v3Endpoints, v3Methods } from '../../../src/venues/hitbtc/wire/v3/index.ts';
import { schemaCheck } from '../../support/openapi.ts';

interface Row {
  answer: (json: unknown, asked: Readonly<Record<string, string>>) => unknown;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}
interface Operation {
  readonly operationId: string;
  readonly responses: { readonly 200: { readonly content: Readonly<Record<string, { schema: object }>> } };
}

/** Answers that the client reads are held against the OpenAPI documents, until `end` is called. */
export function holdAnswers(): { readonly faults: string[]; end(): void } {
  const faults: string[] = [];
  const check = schemaCheck();
  const ends = (['v3', 'v2'] as const).flatMap((api: WireVersion) => {
    const { paths, components } = restDocument(api, '1.2.3') as Document;
    const rows = (api === 'v3' ? v3Endpoints : v2Endpoints) as unknown as Record<string, Row>;
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    return operations.map(({ operationId, responses }) => {
      const schema = { ...responses[200].content['application/json']?.schema, components };
      const row = rows[operationId];
      if (row === undefined) throw new Error(`${api}: there is no row ${operationId}`);
      const read = row.answer;
      row.answer = (json, asked) => {
        faults.push(...check.faults(schema, json).map((fault) => `${api} ${operationId}: ${fault}`));
        return read(json, asked);
      };
      return () => void (row.answer = read);
    });
  });
  const sockets = (['v3', 'v2'] as const).flatMap((api) =>
    socketEnds(api, (name, schema, json) => {
      faults.push(...check.faults(schema, json).map((fault) => `${api} ${name}: ${fault}`));
    }),
  );
  return { faults, end: () => [...ends, ...sockets].forEach((end) => end()) };
}

interface SocketDocument {
  readonly channels: Readonly<
    Record<string, { readonly messages: Readonly<Record<string, { payload: Payload }>> }>
  >;
  readonly components: object;
}
interface Payload {
  readonly properties: { readonly result?: object };
}

/** As for REST: results of methods. Names that share a row share the schema of its result. */
function socketEnds(
  api: WireVersion,
  hold: (name: string, schema: object, json: unknown) => void,
): readonly (() => void)[] {
  const { channels, components } = socketDocument(api, '1.2.3') as SocketDocument;
  const rows = (api === 'v3' ? v3Methods : v2Methods) as unknown as Record<string, Row>;
  const replies = Object.values(channels).flatMap(({ messages }) => Object.entries(messages));
  const held = new Set<Row>();
  return replies.flatMap(([name, { payload }]) => {
    const method = name.replace(/_reply$/, '');
    const row = rows[method];
    const { result } = payload.properties;
    if (!name.endsWith('_reply') || row === undefined || result === undefined || held.has(row)) return [];
    held.add(row);
    const schema = { ...result, components };
    const read = row.answer;
    row.answer = (json, asked) => {
      hold(method, schema, json);
      return read(json, asked);
    };
    return [() => void (row.answer = read)];
  });
}
