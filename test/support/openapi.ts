import { createRequire } from 'node:module';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Tree = Readonly<Record<string, unknown>>;

/** Validator by the draft of 2020-12. */
export interface SchemaCheck {
  /** Ways in which the value does not fit, none when it does. Throws when the schema itself is wrong. */
  faults(schema: object, value: unknown): readonly string[];
  /** Ways in which a schema is none. */
  schemaFaults(schema: object): readonly string[];
}

type Found = readonly { readonly instancePath: string; readonly message?: string }[] | null | undefined;

interface Ajv {
  readonly errors?: Found;
  compile(schema: object): { (value: unknown): boolean; readonly errors?: Found };
  validateSchema(schema: object): boolean;
}

/** The validator that comes with fastify: no package of ours needs one. */
export function schemaCheck(): SchemaCheck {
  const require = createRequire(createRequire(import.meta.url).resolve('fastify'));
  const { Ajv2020 } = require('ajv/dist/2020.js') as { Ajv2020: new (options: object) => Ajv };
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  const texts = (found: Found) =>
    (found ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  const compiled = new WeakMap<object, ReturnType<Ajv['compile']>>();
  return {
    faults(schema, value) {
      const check = compiled.get(schema) ?? ajv.compile(schema);
      compiled.set(schema, check);
      return check(value) ? [] : texts(check.errors);
    },
    schemaFaults: (schema) => (ajv.validateSchema(schema) ? [] : texts(ajv.errors)),
  };
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: { readonly content?: Tree };
  readonly responses?: Tree;
}

/** What a generator of clients would stumble over in an OpenAPI 3.1 document, one sentence each. */
export function openApiFaults(document: object): readonly string[] {
  const { openapi, info, paths, tags, components } = document as {
    openapi?: string;
    info?: { title?: string; version?: string };
    paths: Record<string, Record<string, Operation>>;
    tags?: readonly { name: string }[];
    components?: { schemas?: Tree };
  };
  const faults: string[] = [];
  if (openapi === undefined || !/^3\.1\.\d$/.test(openapi)) faults.push(`openapi is ${openapi}`);
  if (!info?.title || !info.version) faults.push('info has no title or no version');
  const ids = new Set<string>();
  const named = new Set(tags?.map(({ name }) => name));
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const at = `${method} ${path}`;
      if (!methods.includes(method)) faults.push(`${at}: no such method`);
      const { operationId = '', summary, parameters = [], responses = {} } = operation;
      if (!/^[a-z][A-Za-z0-9]*$/.test(operationId))
        faults.push(`${at}: its id is ${JSON.stringify(operationId)}`);
      if (ids.has(operationId)) faults.push(`${at}: ${operationId} is there twice`);
      ids.add(operationId);
      if (!summary) faults.push(`${at}: it has no summary`);
      for (const tag of operation.tags ?? [''])
        if (!named.has(tag)) faults.push(`${at}: the tag ${tag} is not declared`);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      const declared = parameters.filter((one) => one.in === 'path');
      if (declared.some((one) => one.required !== true)) faults.push(`${at}: a part of the path is optional`);
      if (
        inPath.toSorted().join() !==
        declared
          .map(({ name }) => name)
          .toSorted()
          .join()
      )
        faults.push(`${at}: the parts of its path are not its parameters`);
      const places = parameters.map((one) => `${one.in} ${one.name}`);
      if (new Set(places).size < places.length) faults.push(`${at}: a parameter is there twice`);
      if (Object.keys(responses).length === 0) faults.push(`${at}: it answers nothing`);
    }
  }
  return [...faults, ...referenceFaults(document), ...schemaFaults(document, components?.schemas ?? {})];
}

/** References of a document that lead nowhere. */
export function referenceFaults(document: object): readonly string[] {
  return everyPart(document).flatMap(({ value, at }) => {
    const target = value['$ref'];
    if (target === undefined) return [];
    if (typeof target !== 'string' || !target.startsWith('#/'))
      return [`${at}: refers to ${JSON.stringify(target)}`];
    const parts = target
      .slice(2)
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    const found = parts.reduce<unknown>((tree, part) => (tree as Tree | undefined)?.[part], document);
    return found === undefined ? [`${at}: there is no ${target}`] : [];
  });
}

/** Schemas of a document that are none by the draft of 2020-12. */
function schemaFaults(document: object, shared: Tree): readonly string[] {
  const check = schemaCheck();
  const schemas = everyPart(document).flatMap(({ value, at }) =>
    'schema' in value ? [{ at: `${at}/schema`, schema: value['schema'] as object }] : [],
  );
  const all = [
    ...schemas,
    ...Object.entries(shared).map(([at, schema]) => ({ at, schema: schema as object })),
  ];
  return all.flatMap(({ at, schema }) => check.schemaFaults(schema).map((fault) => `${at}: ${fault}`));
}

function everyPart(document: object): readonly { readonly value: Tree; readonly at: string }[] {
  const parts: { value: Tree; at: string }[] = [];
  const visit = (value: Json, at: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) parts.push({ value: value as Tree, at });
    for (const [name, member] of Object.entries(value)) visit(member as Json, `${at}/${name}`);
  };
  visit(document as Json, '#');
  return parts;
}
