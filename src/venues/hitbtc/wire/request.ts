import type { z } from 'zod';
import type { Kind, Resource, RowOf, WireVersion, WriteContext } from './resource.ts';

// Members of requests: how a server reads them, leniently, and how a client writes them. A request is a resource of such
// members, so that one table serves both sides and both versions.

/** A kind whose schema is kept, because callers of the typed client write what it takes. */
export interface ParamKind<Schema extends z.ZodType, V2 extends z.ZodType, Model> extends Kind<
  z.output<Schema>,
  z.output<Schema>,
  Model
> {
  readonly schema: { readonly v3: Schema; readonly v2: V2 };
}

/** A member that v3 reads by `v3`, and v2 by `v2` where that differs; it is written as it is unless `write` is given. */
export function param<Schema extends z.ZodType, V2 extends z.ZodType = Schema, Model = z.output<Schema>>(
  v3: Schema,
  write: (model: Model, context: WriteContext) => unknown = (model) => model,
  v2?: V2,
): ParamKind<Schema, V2, Model> {
  return {
    value: v3,
    row: v3,
    ...(v2 !== undefined && { v2: { value: v2, row: v2 } }),
    schema: { v3, v2: v2 ?? v3 },
    write,
  } as unknown as ParamKind<Schema, V2, Model>;
}

type SchemaIn<F, V extends WireVersion> = F extends {
  readonly kind: { readonly schema: { readonly [Name in V]: infer Schema extends z.ZodType } };
}
  ? Schema
  : never;
/** Parameters that may be sent, under the names of the version. */
type InputOf<Fields, V extends WireVersion> = z.input<
  z.ZodObject<{
    [
      Name in keyof Fields as Fields[Name] extends { readonly [Key in V]: infer Wire extends string }
        ? Wire
        : never
    ]: SchemaIn<Fields[Name], V>;
  }>
>;

/** The parameters of a request as a server reads them: the wire's names in, the table's names out. */
export function paramsOf<Fields, V extends WireVersion>(
  request: Resource<Fields>,
  version: V,
): z.ZodType<RowOf<Fields, V>, InputOf<Fields, V>> {
  return request.members[version].row as unknown as z.ZodType<RowOf<Fields, V>, InputOf<Fields, V>>;
}
