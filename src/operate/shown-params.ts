type Fields = Readonly<Record<string, unknown>>;

/** Names under which a value may be a secret. A strategy should have none; what it has all the same is not shown. */
const secretName = /secret|passw|passphrase|token|api_?key|private_?key|authorization|signature|jwt/i;
const shownSecret = '[secret]';

/** Parameters as they may be shown: what is named like a secret is left out. */
export function shownParams(params: Fields): Record<string, unknown> {
  return mapped(params, (value, name) => (secretName.test(name) ? shownSecret : shownValue(value)));
}

/** A value as it may be shown, by the names on the way to it. */
export function shownAt(path: readonly string[], value: unknown): unknown {
  return path.some((name) => secretName.test(name)) ? shownSecret : shownValue(value);
}

/** The JSON Schema of parameters as it may be shown: no value of one that is named like a secret. */
export function shownSchema(schema: Fields): Record<string, unknown> {
  return mapped(schema, (value, key) => {
    if (key !== 'properties' || !isFields(value)) return isFields(value) ? shownSchema(value) : value;
    return mapped(value, (one, name) => {
      if (!isFields(one)) return one;
      return secretName.test(name) ? withoutValues(one) : shownSchema(one);
    });
  });
}

/** The defaults that a JSON Schema of parameters names. */
export function schemaDefaults({ properties }: Fields): Record<string, unknown> {
  if (!isFields(properties)) return {};
  const usual = Object.entries(properties).filter(([, one]) => isFields(one) && 'default' in one);
  return Object.fromEntries(usual.map(([name, one]) => [name, (one as Fields)['default']]));
}

function withoutValues({ type, description }: Fields): Fields {
  return { ...(type !== undefined && { type }), ...(description !== undefined && { description }) };
}

function shownValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shownValue);
  return isFields(value) ? shownParams(value) : value;
}

function mapped(fields: Fields, of: (value: unknown, name: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, of(value, name)]));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Settings {
  readonly path: string;
  readonly params: Fields;
}

/** Differences between two settings of a strategy, in words; what is named like a secret is left out. */
export function changeText(before: Settings, after: Settings): string {
  const from = { ...before, params: shownParams(before.params) };
  const to = { ...after, params: shownParams(after.params) };
  const printed = (value: unknown): string => (value === undefined ? 'the default' : JSON.stringify(value));
  const changes = [...new Set([...Object.keys(from.params), ...Object.keys(to.params)])]
    .map((name) => [name, printed(from.params[name]), printed(to.params[name])] as const)
    .filter(([, was, is]) => was !== is)
    .map(([name, was, is]) => `${name} ${was} becomes ${is}`);
  const code = from.path === to.path ? [] : [`path ${from.path} becomes ${to.path}`];
  return [...code, ...changes].join(', ') || 'nothing changes';
}
