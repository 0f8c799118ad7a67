import { z } from 'zod';
import type { Instrument } from '../../../core/model/instrument.ts';
import { camelOf } from './camel.ts';
import type { CamelName } from './camel.ts';
import { parseList, parseWith } from './fields.ts';
import { orAbsent, readableOf } from './odd-members.ts';
import { reads, titled } from './sent.ts';

/** The versions of the API. */
export type WireVersion = 'v3' | 'v2';
/** How members are spelled: by each version, and on the channels of v3's public socket, which have one letter for each. */
export type WireForm = WireVersion | 'channel';

/** Context that a writer needs besides the value. */
export interface WriteContext {
  readonly version: WireForm;
  /** There when a member of the resource is printed on the grid of an instrument. */
  readonly instrument: Instrument | undefined;
}

/**
 * How one member is read and written. `Value` is what callers without instruments get, `Row` what is put on the grid
 * of an instrument afterwards (prices and quantities still are text), `Model` what a server prints.
 */
export interface Kind<Value = unknown, Row = unknown, Model = unknown> {
  readonly value: z.ZodType<Value>;
  readonly row: z.ZodType<Row>;
  /** How v2 and channels are read, where they spell the same value otherwise than v3. */
  readonly v2?: { readonly value: z.ZodType<Value>; readonly row: z.ZodType<Row> };
  readonly channel?: { readonly value: z.ZodType<Value>; readonly row: z.ZodType<Row> };
  /** Whether writing needs the grid of an instrument. */
  readonly onGrid?: true;
  /** Value as documents describe it, where `value` shows no name of what it holds. */
  readonly sent?: () => z.ZodType;
  write(model: Model, context: WriteContext): unknown;
}

type Inner = Pick<Resource<unknown>, 'fields' | 'members'>;

/**
 * A member: how each spelling names it (left out where one has no such member), and its kind, the rows it holds, or the
 * part it is. Rows and parts may be absent or null unless they are `needed`; with `orEmpty` absent rows are an empty list.
 */
export type Field = { readonly [Name in WireForm]?: string } & (
  | { readonly kind: Kind }
  | { readonly rows: Inner; readonly needed?: true; readonly orEmpty?: true }
  | { readonly part: Inner; readonly needed?: true }
);

/** Fields by the name the model has for them, in the order in which v3 prints them. */
export type FieldTable = Readonly<Record<string, Field>>;

type NameIn<F, V extends WireForm> = F extends { readonly [Key in V]: infer Name extends string }
  ? Name
  : never;
type FieldsIn<Fields, V extends WireForm> = {
  [Name in keyof Fields]: NameIn<Fields[Name], V> extends never ? never : Name;
}[keyof Fields];
/** Callers of channels read words: those of v2, else the table's own. */
type Spelled<F, Own, V extends WireForm> = V extends 'v3'
  ? CamelName<NameIn<F, V>>
  : F extends { readonly v2: infer Name extends string }
    ? Name
    : Own;

type OptionalName<Shape> = {
  [Name in keyof Shape]-?: undefined extends Shape[Name] ? Name : never;
}[keyof Shape];
type Shaped<Shape> = Flat<
  { readonly [Name in Exclude<keyof Shape, OptionalName<Shape>>]: Shape[Name] } & {
    readonly [Name in OptionalName<Shape>]?: Shape[Name];
  }
>;
type Flat<Shape> = { readonly [Name in keyof Shape]: Shape[Name] };

type Absent<F> = F extends { readonly needed: true } | { readonly orEmpty: true } ? never : undefined;
type ValueIn<F, V extends WireForm> = F extends { readonly rows: { readonly fields: infer Fields } }
  ? readonly ValueOf<Fields, V>[] | Absent<F>
  : F extends { readonly part: { readonly fields: infer Fields } }
    ? ValueOf<Fields, V> | Absent<F>
    : F extends { readonly kind: Kind<infer Value, infer _Row, infer _Model> }
      ? Value
      : never;
type RowIn<F, V extends WireForm> = F extends { readonly rows: { readonly fields: infer Fields } }
  ? readonly RowOf<Fields, V>[] | Absent<F>
  : F extends { readonly part: { readonly fields: infer Fields } }
    ? RowOf<Fields, V> | Absent<F>
    : F extends { readonly kind: Kind<infer _Value, infer Row, infer _Model> }
      ? Row
      : never;
type ModelIn<F, V extends WireForm> = F extends { readonly rows: { readonly fields: infer Fields } }
  ? readonly ModelOf<Fields, V>[] | Absent<F>
  : F extends { readonly part: { readonly fields: infer Fields } }
    ? ModelOf<Fields, V> | Absent<F>
    : F extends { readonly kind: Kind<infer _Value, infer _Row, infer Model> }
      ? Model
      : never;

/** A resource as callers see it: the names of the version in camel case, every decimal exact. */
export type ValueOf<Fields, V extends WireForm> = Shaped<{
  [Name in FieldsIn<Fields, V> as Spelled<Fields[Name], Name, V>]: ValueIn<Fields[Name], V>;
}>;
/** A resource under the model's names, whichever version said it; prices and quantities still are text. */
export type RowOf<Fields, V extends WireForm> = Shaped<{
  [Name in FieldsIn<Fields, V>]: RowIn<Fields[Name], V>;
}>;
/** Model of a resource that a server prints; members that are undefined are left out. */
export type ModelOf<Fields, V extends WireForm> = Shaped<{
  [Name in FieldsIn<Fields, V>]: ModelIn<Fields[Name], V>;
}>;

type OnGrid<Fields> = true extends {
  [Name in keyof Fields]: Fields[Name] extends
    | { readonly rows: { readonly fields: infer Inner } }
    | { readonly part: { readonly fields: infer Inner } }
    ? OnGrid<Inner> extends []
      ? never
      : true
    : Fields[Name] extends { readonly kind: { readonly onGrid: true } }
      ? true
      : never;
}[keyof Fields]
  ? [instrument: Instrument]
  : [];

/** One version of a resource. Readers throw `BadInput` naming the member; unknown members are passed over. */
export interface VersionCodec<Fields, V extends WireForm> {
  readonly read: (json: unknown) => ValueOf<Fields, V>;
  readonly readList: (json: unknown) => readonly ValueOf<Fields, V>[];
  /** Under the model's names. */
  readonly decode: (json: unknown) => RowOf<Fields, V>;
  readonly decodeList: (json: unknown) => readonly RowOf<Fields, V>[];
  /** As `read` and `decode`, where errors call it `what`. */
  readonly readAs: (what: string, json: unknown) => ValueOf<Fields, V>;
  readonly decodeAs: (what: string, json: unknown) => RowOf<Fields, V>;
  readonly decodeListAs: (what: string, json: unknown) => readonly RowOf<Fields, V>[];
  /** The object as this version prints it. */
  readonly write: (model: ModelOf<Fields, V>, ...on: OnGrid<Fields>) => Record<string, unknown>;
}

export interface Resource<Fields> {
  readonly fields: Fields;
  readonly v3: VersionCodec<Fields, 'v3'>;
  readonly v2: VersionCodec<Fields, 'v2'>;
  readonly channel: VersionCodec<Fields, 'channel'>;
  readonly members: Readonly<Record<WireForm, Members>>;
}

/** Further options of a resource. */
export type ResourceOptions<Fields> = {
  /** The fields that v2 or a channel prints first, where the order is another one; the rest follow in the order of the table. */
  readonly [Name in 'v2' | 'channel']?: readonly (keyof Fields & string)[];
} & {
  /**
   * The fields that callers can do without: where one may be absent and is not as documented, it reads as absent, and rows
   * below it come without those that cannot be read. `optional`: all that may be absent.
   */
  readonly spare?: readonly (keyof Fields & string)[] | 'optional';
  /** Name in documents, where another resource has the same. */
  readonly title?: string;
};

/** Reader and writer of every spelling from one table of fields. `name` is what errors call it. */
export function resource<const Fields extends FieldTable>(
  name: string,
  fields: Fields,
  { v2, channel, spare = [], title = name }: ResourceOptions<Fields> = {},
): Resource<Fields> {
  const membersOf = (spelling: WireForm, order: readonly string[] = []): Members => {
    const rest = Object.keys(fields).filter((field) => !order.includes(field));
    return new Members(fields, [...order, ...rest], { title, version: spelling, spare });
  };
  const members = {
    v3: membersOf('v3'),
    v2: membersOf('v2', v2),
    channel: membersOf('channel', channel),
  };
  return {
    fields,
    v3: codecOf(members.v3, `v3 ${name}`) as VersionCodec<Fields, 'v3'>,
    v2: codecOf(members.v2, `v2 ${name}`) as VersionCodec<Fields, 'v2'>,
    channel: codecOf(members.channel, `v3 ${name}`) as VersionCodec<Fields, 'channel'>,
    members,
  };
}

/** `fields` where each may be absent or null: a resource in whose replies they do not always stand. */
export function optionalFields<const Fields extends Readonly<Record<string, KindField>>>(
  fields: Fields,
): { readonly [Name in keyof Fields]: OptionalField<Fields[Name]> } {
  const entries = Object.entries(fields).map(
    ([name, field]) => [name, { ...field, kind: optional(field.kind) }] as const,
  );
  return Object.fromEntries(entries) as unknown as {
    readonly [Name in keyof Fields]: OptionalField<Fields[Name]>;
  };
}

type KindField = Field & { readonly kind: Kind };
type OptionalField<F> = F extends { readonly kind: infer K extends Kind }
  ? Omit<F, 'kind'> & { readonly kind: OptionalKind<K> }
  : never;
type OptionalKind<K> =
  K extends Kind<infer Value, infer Row, infer Model>
    ? Kind<Value | undefined, Row | undefined, Model | undefined> &
        (K extends { readonly onGrid: true } ? { readonly onGrid: true } : unknown)
    : never;

/** A kind that may be absent or null, which reads as `undefined` and is then not printed. */
export function optional<K extends Kind>(kind: K): OptionalKind<K> {
  const made = {
    ...kind,
    ...nullish(kind),
    ...(kind.v2 !== undefined && { v2: nullish(kind.v2) }),
    ...(kind.channel !== undefined && { channel: nullish(kind.channel) }),
  };
  return made as unknown as OptionalKind<K>;
}

function nullish({ value, row }: Pick<Kind, 'value' | 'row'>): Pick<Kind, 'value' | 'row'> {
  return {
    value: value.nullish().transform((given) => given ?? undefined),
    row: row.nullish().transform((given) => given ?? undefined),
  };
}

interface Member {
  readonly name: string;
  readonly wire: string;
  readonly spelled: string;
  /** There when it holds rows. */
  readonly rows: Members | undefined;
  readonly kind: Kind;
  /** Value as it is sent, where that is not what the kind reads. */
  readonly sent: (() => z.ZodType) | undefined;
}

/** The members of one spelling, in the order in which it prints them. Schemas are made when first needed. */
class Members {
  /** Name of the resource in documents. */
  readonly title: string;
  readonly version: WireForm;
  readonly #members: readonly Member[];
  readonly #spare: readonly string[] | 'optional';
  #value: z.ZodType<object> | undefined;
  #row: z.ZodType<object> | undefined;
  #sent: z.ZodObject | undefined;

  constructor(
    fields: FieldTable,
    names: readonly string[],
    {
      title,
      version,
      spare,
    }: {
      readonly title: string;
      readonly version: WireForm;
      readonly spare: readonly string[] | 'optional';
    },
  ) {
    this.title = title;
    this.version = version;
    this.#spare = spare;
    this.#members = names.flatMap((name) => {
      const field = fields[name];
      const wire = field?.[version];
      if (field === undefined || wire === undefined) return [];
      const spelled = version === 'v3' ? camelOf(wire) : (field.v2 ?? name);
      const rows = 'rows' in field ? field.rows.members[version] : undefined;
      return [{ name, wire, spelled, rows, kind: kindOf(field, version), sent: sentIn(field, version) }];
    });
  }

  get value(): z.ZodType<object> {
    this.#value ??= this.#schema(
      (member) => this.#schemaOf(member, 'value'),
      ({ spelled }) => spelled,
    );
    return this.#value;
  }

  get row(): z.ZodType<object> {
    this.#row ??= this.#schema(
      (member) => this.#schemaOf(member, 'row'),
      ({ name }) => name,
    );
    return this.#row;
  }

  /** Members under their wire names, each as it is read strictly: what documents describe. */
  get sent(): z.ZodObject {
    this.#sent ??= titled(
      z.object(
        Object.fromEntries(this.#members.map(({ wire, kind, sent }) => [wire, sent?.() ?? kind.value])),
      ),
      this.title,
    );
    return this.#sent;
  }

  #schemaOf({ name, wire, kind, rows }: Member, reading: 'value' | 'row'): z.ZodType {
    const schema = kind[reading];
    if (this.#spare !== 'optional' && !this.#spare.includes(name)) return schema;
    if (rows === undefined) return orAbsent(wire, schema);
    const readable = readableOf(wire, rows[reading]);
    const absent = schema.safeParse(undefined);
    // A list that must be there still need not be whole.
    if (!absent.success) return readable;
    return orAbsent(
      wire,
      readable.nullish().transform((given) => given ?? absent.data),
    );
  }

  write(model: Readonly<Record<string, unknown>>, context: WriteContext): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (const { name, wire, kind } of this.#members) {
      const value = model[name];
      if (value !== undefined) object[wire] = kind.write(value, context);
    }
    return object;
  }

  #schema(of: (member: Member) => z.ZodType, nameOf: (member: Member) => string): z.ZodType<object> {
    const names = this.#members.map((member) => [member.wire, nameOf(member)] as const);
    return z
      .object(Object.fromEntries(this.#members.map((member) => [member.wire, of(member)])))
      .transform((given) => {
        const result: Record<string, unknown> = {};
        for (const [wire, name] of names) {
          if (given[wire] !== undefined) result[name] = given[wire];
        }
        return result;
      });
  }
}

function kindOf(field: Field, version: WireForm): Kind {
  if ('kind' in field) return version === 'v3' ? field.kind : { ...field.kind, ...field.kind[version] };
  const kind = 'rows' in field ? listOf(field.rows.members[version]) : partOf(field.part.members[version]);
  if ('rows' in field && field.orEmpty === true)
    return { ...kind, value: kind.value.default([]), row: kind.row.default([]) };
  return field.needed === true ? kind : optional(kind);
}

function sentIn(field: Field, version: WireForm): Member['sent'] {
  if ('kind' in field) return field.kind.sent;
  const needed = 'needed' in field;
  const whole = (): z.ZodType =>
    'rows' in field ? z.array(field.rows.members[version].sent) : field.part.members[version].sent;
  return () => (needed ? whole() : whole().nullish());
}

function listOf(members: Members): Kind {
  return {
    value: z.lazy(() => z.array(members.value)),
    row: z.lazy(() => z.array(members.row)),
    write: (models, context) => (models as readonly Model[]).map((model) => members.write(model, context)),
  };
}

function partOf(members: Members): Kind {
  return {
    value: z.lazy(() => members.value),
    row: z.lazy(() => members.row),
    write: (model, context) => members.write(model as Model, context),
  };
}

type Model = Readonly<Record<string, unknown>>;

function codecOf(members: Members, what: string): unknown {
  const listName = `${what}${what.endsWith('s') ? 'es' : 's'}`;
  const readAs = (called: string, json: unknown) => parseWith(members.value, json, called);
  const decodeAs = (called: string, json: unknown) => parseWith(members.row, json, called);
  const read = (json: unknown) => readAs(what, json);
  const decode = (json: unknown) => decodeAs(what, json);
  const one = () => members.sent;
  const many = () => z.array(members.sent);
  return {
    read: reads(read, one),
    readList: reads((json: unknown) => parseList(json, listName, read), many),
    decode: reads(decode, one),
    decodeList: reads((json: unknown) => parseList(json, listName, decode), many),
    readAs,
    decodeAs,
    decodeListAs: (called: string, json: unknown) => parseList(json, called, (row) => decodeAs(called, row)),
    write: (model: Readonly<Record<string, unknown>>, instrument?: Instrument) =>
      members.write(model, { version: members.version, instrument }),
  };
}
