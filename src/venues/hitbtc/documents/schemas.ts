import { z } from 'zod';
import { fail } from '../../../core/base/assert.ts';
import { sentForms, documentTitle } from '../wire/index.ts';

/** JSON Schema of the draft of 2020-12. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly $ref?: string;
}

/** Schemas of a document: each by the name that it was asked by, and those that have a title once, in `shared`. */
export interface Described {
  readonly of: (name: string) => JsonSchema;
  readonly shared: Readonly<Record<string, JsonSchema>>;
}

/** Spelling of values: a channel of the v3 public socket has numbers for times. */
type Spelling = 'words' | 'channel';

/** Describes what is sent. References lead to `#/components/schemas`. Fails when two schemas have one title. */
export function describeSchemas(
  schemas: Readonly<Record<string, z.ZodType>>,
  spelling: Spelling = 'words',
): Described {
  const all = z.object(schemas);
  const ids = z.registry<{ id: string }>();
  const taken = new Map<string, z.ZodType>();
  z.toJSONSchema(all, {
    ...options,
    override: ({ zodSchema }) => {
      const schema = zodSchema as unknown as z.ZodType;
      const title = documentTitle(schema);
      if (title === undefined) return;
      const id = pascal(title);
      const other = taken.get(id);
      if (other !== undefined && other !== schema) fail('two schemas have one title', { title });
      taken.set(id, schema);
      ids.add(schema, { id });
    },
  });
  const { properties = {}, $defs = {} } = z.toJSONSchema(all, {
    ...options,
    metadata: ids,
    override: ({ zodSchema, jsonSchema }) => {
      const schema = zodSchema as unknown as z.ZodType;
      if (schema !== all) shape(schema, jsonSchema, spelling);
    },
  });
  const given = pointed(properties) as Readonly<Record<string, JsonSchema>>;
  const shared = pointed($defs) as Readonly<Record<string, JsonSchema>>;
  return {
    of: (name) => given[name] ?? fail('a schema was not given', { name }),
    shared: Object.fromEntries(
      Object.keys(shared)
        .toSorted()
        .map((id) => [id, shared[id] ?? {}]),
    ),
  };
}

const options = { io: 'input', unrepresentable: 'any' } as const;

/** Puts the form that is sent in the place of what is taken, and finds out which members may be left out. */
function shape(schema: z.ZodType, json: Record<string, unknown>, spelling: Spelling): void {
  const sent = sentForms.get(schema);
  if (sent !== undefined) {
    for (const key of Object.keys(json)) if (key !== 'default') delete json[key];
    Object.assign(json, spelling === 'channel' ? (sent.channel ?? sent.form) : sent.form);
  }
  // What a double can hold is no bound that anybody needs to know.
  if (json['maximum'] === Number.MAX_SAFE_INTEGER) delete json['maximum'];
  if (json['minimum'] === Number.MIN_SAFE_INTEGER) delete json['minimum'];
  delete json['id'];
  // Of values that are read into others no default is told.
  if (schema instanceof z.ZodDefault && isPlain(schema.def.defaultValue))
    json['default'] = schema.def.defaultValue;
  if (!(schema instanceof z.ZodObject)) return;
  const members = Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>);
  const required = members.filter(([, member]) => !member.safeParse(undefined).success);
  if (required.length > 0) json['required'] = required.map(([name]) => name);
  else delete json['required'];
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** `what`, where references lead to the shared schemas of a document. */
function pointed(what: unknown): unknown {
  if (Array.isArray(what)) return what.map(pointed);
  if (typeof what !== 'object' || what === null) return what;
  return Object.fromEntries(
    Object.entries(what).map(([key, value]) => [
      key,
      key === '$ref' ? String(value).replace('#/$defs/', '#/components/schemas/') : pointed(value),
    ]),
  );
}

function pascal(title: string): string {
  return title
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
