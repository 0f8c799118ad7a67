import type { z } from 'zod';

/**
 * What a key must be allowed to do: `none` needs no key at all, `key` any key whatever its rights (calls about the
 * owner of the key for which the documents name no right). Source: API v3, "Endpoints".
 */
export type Right = 'none' | 'key' | 'R1' | 'R2' | 'R3' | 'R4';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One row of an endpoint table. */
export interface Endpoint<Params = unknown, Decode = unknown, Input = unknown> {
  readonly method: HttpMethod;
  /** From `/api/` on, with `{name}` for parameters of the path. */
  readonly path: string;
  readonly right: Right;
  /** Reads the parameters of path, query and body together, as a server takes them. */
  readonly params: z.ZodType<Params, Input>;
  /** How a client sends a payload; `list` is a JSON body that is the member `items`. Source: API v3, "Conventions", 4. */
  readonly payload: 'query' | 'form' | 'json' | 'list';
  /** Reads an answer with status 200. */
  readonly decode: Decode;
  /** Section of the document or market data file. */
  readonly source: string;
}

/** Writes a row without losing its types. */
export function endpoint<Params, Decode, Input>(
  row: Endpoint<Params, Decode, Input>,
): Endpoint<Params, Decode, Input> {
  return row;
}

/** A row found by method and path, with the parameters that stood in the path. */
export interface Match<Name extends string> {
  readonly name: Name;
  readonly pathParams: Readonly<Record<string, string>>;
}

/** Finds rows of a table by method and path. Trailing slashes do not count (v3-gaps, section 5). */
export class EndpointFinder<Name extends string> {
  readonly #routes = new Map<string, Route<Name>[]>();

  constructor(table: Readonly<Record<Name, Endpoint>>) {
    for (const name of Object.keys(table) as Name[]) {
      const segments = segmentsOf(table[name].path);
      const key = keyOf(table[name].method, segments.length);
      const routes = this.#routes.get(key) ?? [];
      routes.push({ name, segments });
      // Fixed segments win over parameters, from the left.
      routes.sort((a, b) => rank(a.segments).localeCompare(rank(b.segments)));
      this.#routes.set(key, routes);
    }
  }

  /** `undefined` when there is no such row; `path` is without the query. */
  find(method: string, path: string): Match<Name> | undefined {
    const segments = segmentsOf(path);
    for (const route of this.#routes.get(keyOf(method, segments.length)) ?? []) {
      const pathParams = matchOf(route.segments, segments);
      if (pathParams !== undefined) return { name: route.name, pathParams };
    }
    return undefined;
  }
}

interface Route<Name> {
  readonly name: Name;
  readonly segments: readonly string[];
}

/** The path of a row with its parameters filled in, percent-encoded. */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

function matchOf(
  route: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const params: Record<string, string> = {};
  for (const [index, expected] of route.entries()) {
    const found = segments[index] ?? '';
    if (expected.startsWith('{')) {
      const value = decoded(found);
      if (value === undefined) return undefined;
      params[expected.slice(1, -1)] = value;
    } else if (expected !== found) {
      return undefined;
    }
  }
  return params;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function keyOf(method: string, length: number): string {
  return `${method} ${length}`;
}

function rank(segments: readonly string[]): string {
  return segments.map((segment) => (segment.startsWith('{') ? '1' : '0')).join('');
}
