import { z } from 'zod';
import { camelKeys } from './camel.ts';
import type { PageDefaults, PageParams, RawPage } from './param-fields.ts';
import { pageShape, toPage } from './param-fields.ts';

/** Pages of v2: 0 to 1000 rows, 100 by default. Source: API v2, "Conventions", 5. */
export const v2Page: PageDefaults = { sort: 'DESC', by: 'timestamp', limit: 100, limitMin: 0 };

/** Members of an endpoint's own, renamed to our spelling, and `page`: what its history is cut by. */
export function pagedParams<Shape extends z.ZodRawShape>(shape: Shape, defaults: PageDefaults) {
  const names = new Set(Object.keys(shape));
  return z.object({ ...shape, ...pageShape(defaults) }).transform((given, context) => {
    const members = Object.entries(given).filter(([name]) => names.has(name));
    const own = Object.fromEntries(members) as z.output<z.ZodObject<Shape>>;
    const page: PageParams = toPage(given as unknown as RawPage, defaults.by, context);
    return Object.assign(camelKeys(own), { page });
  });
}

/** As the schema, but where the parameter of that name is given, all others are ignored, however they look. */
export function ignoringOthers<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  const read = z.preprocess((given) => {
    const value = (given as Readonly<Record<string, unknown>>)[name];
    return value === undefined ? given : { [name]: value };
  }, schema);
  // It reads what the schema reads; only the type of the library forgets that.
  return read as unknown as Schema;
}
