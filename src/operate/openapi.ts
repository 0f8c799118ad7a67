import { z } from 'zod';
import type { Route } from './routes.ts';
import { refusedSchema } from './schemas.ts';

const json = (schema: z.ZodType): object => ({
  'application/json': { schema: schemaOf(schema, 'output') },
});

/** The OpenAPI 3.1 document of the rows. */
export function openApiOf(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    (paths[path] ??= {})[route.method.toLowerCase()] = {
      summary: route.summary,
      ...(names.length > 0 && {
        parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
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
    info: { title: 'Godwit, the operator of a daemon', version },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{ token: [] }],
    paths,
  };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
