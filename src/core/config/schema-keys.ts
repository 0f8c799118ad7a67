import { z } from 'zod';
import { isTree } from './layers.ts';

/** Value in a tree at a path; `undefined` when nothing does. */
export function valueAt(tree: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => {
    if (isTree(at)) return at[String(key)];
    return Array.isArray(at) ? (at as unknown[])[Number(key)] : undefined;
  }, tree);
}

/** The member names a schema knows at a path of what was read: of a choice, those of the kind that was named there. */
export function keysAt(schema: z.ZodType, tree: unknown, path: readonly PropertyKey[]): readonly string[] {
  let at = [schema].flatMap((one) => plain(one, tree));
  for (const [depth, key] of path.entries()) {
    const found = valueAt(tree, path.slice(0, depth + 1));
    at = at.flatMap((one) => memberOf(one, key)).flatMap((one) => plain(one, found));
  }
  return at.flatMap((one) => (one instanceof z.ZodObject ? Object.keys(one.shape as object) : []));
}

function memberOf(schema: z.ZodType, key: PropertyKey): readonly z.ZodType[] {
  if (schema instanceof z.ZodObject) {
    const member = (schema.shape as Readonly<Record<string, z.ZodType>>)[String(key)];
    return member === undefined ? [] : [member];
  }
  if (schema instanceof z.ZodArray) return [schema.element as z.ZodType];
  return schema instanceof z.ZodRecord ? [schema.valueType as z.ZodType] : [];
}

/** A schema without what is wrapped around it; of a choice those that may be meant by what was found. */
function plain(schema: z.ZodType, found: unknown): readonly z.ZodType[] {
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable
  )
    return plain(schema.unwrap() as z.ZodType, found);
  if (schema instanceof z.ZodPipe) return plain(schema.out as z.ZodType, found);
  if (!(schema instanceof z.ZodUnion)) return [schema];
  const options = (schema.options as readonly z.ZodType[]).flatMap((one) => plain(one, found));
  const meant = options.filter((one) => namesItself(one, found));
  return meant.length > 0 ? meant : options;
}

/** Whether an object schema has a literal that what was found has as well, such as its kind. */
function namesItself(schema: z.ZodType, found: unknown): boolean {
  if (!(schema instanceof z.ZodObject) || !isTree(found)) return false;
  return Object.entries(schema.shape as Readonly<Record<string, z.ZodType>>).some(
    ([key, member]) =>
      (member instanceof z.ZodLiteral || member instanceof z.ZodEnum) && member.safeParse(found[key]).success,
  );
}
