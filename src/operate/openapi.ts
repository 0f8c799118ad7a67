import { z } from 'zod';
import type { Route } from './routes.ts';
import { routes } from './routes.ts';
import { refusedSchema } from './schemas.ts';

const json = (schema: z.ZodType): object => ({
  'application/json': { schema: schemaOf(schema, 'output') },
});

const tags = [
  { name: 'supervision', description: 'for supervisors; needs no token' },
  { name: 'state', description: 'what the daemon does and has; needs the token that reads' },
  { name: 'acts', description: 'what changes it; needs the token that may operate' },
] as const;

/** The interface as an OpenAPI 3.1 document. `version`: that of Godwit. */
export function operatorDocument(version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const queried = Object.entries(route.query?.shape ?? {}) as [string, z.ZodType][];
    (paths[path] ??= {})[route.method.toLowerCase()] = {
      operationId: operationOf(route),
      tags: [tagOf(route)],
      summary: route.summary,
      ...(names.length + queried.length > 0 && {
        parameters: [
          ...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
          ...queried.map(([name, schema]) => ({ name, in: 'query', schema: schemaOf(schema, 'output') })),
        ],
      }),
      ...(route.body !== undefined && {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: schemaOf(route.body, 'input') } },
        },
      }),
      responses: {
        200: { description: 'the answer', content: json(route.answer) },
        default: { description: 'why there is none', content: json(refusedSchema) },
      },
      ...(route.role === undefined ? { security: [] } : {}),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Godwit, the operator of a daemon',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Relative to where it is served: a daemon takes a free port.
    servers: [{ url: '/' }],
    tags,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{ token: [] }],
    paths,
  };
}

/** Name for the methods of generated clients: `getOrdersByIdExplain` of `GET /api/orders/:id/explain`. */
function operationOf({ method, path }: Route): string {
  const words = path.split('/').filter((word) => word !== '' && word !== 'api');
  const name = words.map((word) => (word.startsWith(':') ? `By${capital(word.slice(1))}` : capital(word)));
  return `${method.toLowerCase()}${name.join('')}`;
}

function capital(word: string): string {
  return (
    word.charAt(0).toUpperCase() +
    word.slice(1).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  );
}

function tagOf({ role }: Route): (typeof tags)[number]['name'] {
  if (role === undefined) return 'supervision';
  return role === 'read' ? 'state' : 'acts';
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const { prefixItems: items } = jsonSchema;
      // A pair of one kind is said without the keyword that generators do not know.
      if (items === undefined || new Set(items.map((item) => JSON.stringify(item))).size > 1) return;
      delete jsonSchema.prefixItems;
      Object.assign(jsonSchema, { items: items[0], minItems: items.length, maxItems: items.length });
    },
  });
  return rest;
}
