import type { z } from 'zod';

/**
 * Right that a key must have: `none` needs no key at all, `key` any key whatever its rights (calls about the
 * owner of the key for which the documents name no right). Source: API v3, "Endpoints".
 */
export type Right = 'none' | 'key' | 'R1' | 'R2' | 'R3' | 'R4';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Request in wire spelling: answers do not repeat it. */
export type Asked = Readonly<Record<string, string>>;

/** One row of an endpoint table. */
export interface Endpoint<Params = unknown, Answer = unknown, Input = unknown> {
  readonly method: HttpMethod;
  /** From `/api/` on, with `{name}` for parameters of the path. */
  readonly path: string;
  readonly right: Right;
  /** Reads the parameters of path, query and body together, as a server takes them. */
  readonly params: z.ZodType<Params, Input>;
  /** How a client sends a payload; `list` is a JSON body that is the member `items`. Source: API v3, "Conventions", 4. */
  readonly payload: 'query' | 'form' | 'json' | 'list';
  /** Reads an answer with status 200. Throws `BadInput` naming the member. */
  readonly answer: (json: unknown, asked: Asked) => Answer;
}

// Makers of rows, by method and payload: a row is one line, and the source stands once above its group.
export const get = rowsOf('GET', 'query');
export const post = rowsOf('POST', 'form');
export const postJson = rowsOf('POST', 'json');
export const postList = rowsOf('POST', 'list');
export const put = rowsOf('PUT', 'form');
export const putJson = rowsOf('PUT', 'json');
export const patch = rowsOf('PATCH', 'form');
export const remove = rowsOf('DELETE', 'form');
export const removeJson = rowsOf('DELETE', 'json');

/** Row of market data, which needs no key. */
export function getOpen<Params, Answer, Input>(
  path: string,
  params: z.ZodType<Params, Input>,
  answer: (json: unknown, asked: Asked) => Answer,
): Endpoint<Params, Answer, Input> {
  return get(path, 'none', params, answer);
}

/** Maker of rows of one method that send their payload in one way. */
function rowsOf(method: HttpMethod, payload: Endpoint['payload']) {
  return <Params, Answer, Input>(
    path: string,
    right: Right,
    params: z.ZodType<Params, Input>,
    answer: (json: unknown, asked: Asked) => Answer,
  ): Endpoint<Params, Answer, Input> => ({ method, path, right, params, payload, answer });
}

/** The path of a row with its parameters filled in, percent-encoded. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}
