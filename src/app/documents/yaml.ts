import { z } from 'zod';
import { scenarioSchema } from '../../research/scenario/index.ts';
import { searchOptions, sweepSchema } from '../../research/search/index.ts';
import { configSchema } from '../config/schema.ts';
import { decimalText } from '../config/sections.ts';

/** Kinds of YAML files that Godwit reads. */
export type YamlKind = 'configuration' | 'scenario' | 'sweep';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly [keyword: string]: unknown;
}

/**
 * JSON Schema of a kind of file, by the draft of 2020-12, made of the schema that reads it. What one setting demands of another is no
 * part of it: a file that fits may still be refused.
 */
export function yamlSchema(kind: YamlKind): object {
  const { $schema, ...rest } = kind === 'configuration' ? configuration() : research(kind);
  return { $schema, title: `Godwit: ${kind}`, ...rest };
}

function configuration(): Schema {
  return described(configSchema);
}

/** Scenarios and sweeps name sections of the configuration: as it describes them. */
function research(kind: 'scenario' | 'sweep'): Schema {
  const { properties: sections = {} } = configuration();
  const schema = described(kind === 'scenario' ? scenarioSchema : sweepSchema);
  const { config, strategy, search, ...members } = schema.properties ?? {};
  const names = (config?.['propertyNames'] as { readonly enum?: readonly string[] } | undefined)?.enum ?? [];
  const partsOf = Object.fromEntries(names.map((name) => [name, sections[name] ?? {}]));
  const limits = sections['strategies']?.items?.properties?.['limits'];
  return {
    ...schema,
    properties: {
      ...members,
      ...(strategy !== undefined && { strategy: withLimits(strategy, limits) }),
      ...(search !== undefined && { search: orMethod(search) }),
      config: { ...config, properties: partsOf, additionalProperties: false },
    },
  };
}

function withLimits(strategy: Schema, limits: Schema | undefined): Schema {
  if (limits === undefined || strategy.properties?.['limits'] === undefined) return strategy;
  return { ...strategy, properties: { ...strategy.properties, limits } };
}

/** A sweep may name the method alone. */
function orMethod(search: Schema): Schema {
  const methods = searchOptions.options.map((one) => one.shape.method.value);
  return { anyOf: [{ enum: methods }, search] };
}

function described(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // A number without quotes is taken for its text there.
      if ((zodSchema as unknown) === decimalText) Object.assign(jsonSchema, { type: ['string', 'number'] });
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  }) as Schema;
}
