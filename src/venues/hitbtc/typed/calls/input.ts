import type { Amount } from '../../../../core/base/amount.ts';
import { formatAmount } from '../../../../core/base/amount.ts';
import { withoutExponent } from '../../../../core/base/exponent.ts';
import { snakeKeys } from '../../wire/index.ts';

/** An exact decimal: text such as `"0.05"` or `"1e-7"`, or an `Amount` of an earlier answer. Never a double. */
export type Exact = string | Amount;
/** A time: ISO 8601 text in UTC, UNIX milliseconds, or a `Date`. Where paging goes by id, the id. */
export type Moment = string | number | Date;

const decimalNames = [
  'quantity',
  'price',
  'stopPrice',
  'amount',
  'volume',
  'takeRate',
  'makeRate',
  'takeLiquidityMarkup',
  'provideLiquidityMarkup',
  'sourceAmount',
  'targetAmount',
  'marginBalance',
  'leverage',
] as const;
type DecimalName = (typeof decimalNames)[number];
type WholeName = 'limit' | 'offset' | 'depth' | 'wait' | 'idFrom' | 'idTill';
type IdName = 'id' | `${string}Id` | `${string}ID`;
type MomentName = 'from' | 'till' | 'until' | 'since' | 'expireTime';

type Member<Name, Raw> = Name extends DecimalName
  ? Exact
  : Name extends WholeName
    ? number
    : Name extends MomentName
      ? // `from` of the price calls names currencies.
        [Extract<Raw, readonly unknown[]>] extends [never]
        ? Moment
        : string | readonly string[]
      : Name extends 'sort'
        ? 'ASC' | 'DESC'
        : boolean extends Raw
          ? boolean
          : number extends Raw
            ? Name extends IdName
              ? Raw
              : Exclude<Raw, number>
            : Raw extends readonly (infer Item)[]
              ? readonly (Item extends object ? Input<Item> : Item)[]
              : Raw;

type Camel<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name;

/** Parameters as a caller of this client writes them, from what a row of the wire tables reads. */
export type Input<Raw> = {
  readonly [Name in keyof Raw as Camel<Name>]:
    | Member<Camel<Name>, Exclude<Raw[Name], undefined>>
    | Gap<Raw[Name]>;
};
type Gap<Raw> = undefined extends Raw ? undefined : never;

/** How a version spells members: v3 `like_this`, v2 `likeThis`. */
export type Spelling = 'snake' | 'camel';

/** Parameters in wire spelling and form: amounts and times as text, absent ones left out. */
export function wireParams(params: object, spelling: Spelling): Readonly<Record<string, unknown>> {
  const plain = formed('', params) as object;
  return (spelling === 'snake' ? snakeKeys(plain) : plain) as Record<string, unknown>;
}

const areDecimals: ReadonlySet<string> = new Set(decimalNames);

function formed(name: string, value: unknown): unknown {
  if (areDecimals.has(name) && typeof value === 'string') return withoutExponent(value);
  // Who writes no types may give a double: its digits leave as they are read, without an exponent.
  if (areDecimals.has(name) && typeof value === 'number') return withoutExponent(String(value));
  if (isDecimal(value)) return value.toFixed();
  if (typeof value === 'bigint') return formatAmount(value as Amount);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((item) => formed(name, item));
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined && member !== null) result[key] = formed(key, member);
  }
  return result;
}

/** A number of decimal.js, big.js or bignumber.js, which who writes no types may hand over as it is. */
function isDecimal(value: unknown): value is { toFixed(): string } {
  return (
    typeof value === 'object' && value !== null && 'toFixed' in value && typeof value.toFixed === 'function'
  );
}
