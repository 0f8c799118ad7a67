import { z } from 'zod';
import type { Amount } from '../../../core/base/amount.ts';
import { formatAmount } from '../../../core/base/amount.ts';
import type { Micros } from '../../../core/base/clock.ts';
import type { Lots, Ticks } from '../../../core/model/instrument.ts';
import { amountField, idField, nameField, timeField, unsignedField } from './fields.ts';
import { feeText, millisOfMicros, printTime } from './formats.ts';
import { idNumber } from './id-number.ts';
import { sizeText } from './plain.ts';
import type { Kind, WriteContext } from './resource.ts';
import { sentAs } from './sent.ts';

// The kinds of members of wire objects: how each is read, and how it is printed.

/** A kind that is printed as it is. */
export function plainKind<Value>(schema: z.ZodType<Value>): Kind<Value, Value, Value> {
  return { value: schema, row: schema, write: (model) => model };
}

/** The number of something: text for us, a JSON number on the wire while a double holds it. */
export const idKind: Kind<string, string, string> = { value: idField, row: idField, write: idNumber };
/** A code or name of bounded length. */
export const nameKind: Kind<string, string, string> = plainKind(nameField);
export const flagKind: Kind<boolean, boolean, boolean> = plainKind(z.boolean());
/** Text of a kind that no list of ours must know, bounded. */
export const wordKind: Kind<string, string, string> = plainKind(z.string().max(40));

/** A kind that is printed as it is and may be absent. */
export function optionalPlainKind<Value>(
  schema: z.ZodType<Value>,
): Kind<Value | undefined, Value | undefined, Value | undefined> {
  return plainKind(schema.optional());
}

/** One of a list of words. */
export function oneOfKind<const Words extends readonly string[]>(
  words: Words,
): Kind<Words[number], Words[number], Words[number]> {
  return plainKind(z.enum(words)) as Kind<Words[number], Words[number], Words[number]>;
}

/** One of some words, or a word that a list of ours does not know yet. */
export type Word<Known extends string> = Known | (string & {});

/**
 * As `oneOfKind`, where the callers of the client get a word that is not in the list as it is: a new status, type or code must
 * not cost a row. The trader reads rows, and goes on knowing its words.
 */
export function openWord<const Words extends readonly string[]>(
  words: Words,
): Kind<Word<Words[number]>, Words[number], Word<Words[number]>> {
  return {
    ...oneOfKind(words),
    value: openValue(words) as z.ZodType<Word<Words[number]>>,
    write: (word) => word,
  };
}

/** As `openWord`, where callers read rows. */
export function openRowWord<const Words extends readonly string[]>(
  words: Words,
): Kind<Word<Words[number]>, Word<Words[number]>, Word<Words[number]>> {
  return plainKind(openValue(words)) as Kind<Word<Words[number]>, Word<Words[number]>, Word<Words[number]>>;
}

function openValue(words: readonly string[]): z.ZodType<string> {
  return sentAs(z.string().min(1).max(80), {
    type: 'string',
    description: `one of ${words.join(', ')}; others may come`,
  });
}

/** As `kind`, where an absent member means `value`. */
export function withDefault<Value, Row, Model>(
  kind: Kind<Value, Row, Model>,
  value: z.core.util.NoUndefined<Value> & z.core.util.NoUndefined<Row>,
): Kind<Value, Row, Model> {
  return { ...kind, value: kind.value.default(value), row: kind.row.default(value) };
}

/** As `kind`, where an absent member is left out and null stays null. */
export function nullable<Value, Row, Model>(
  kind: Kind<Value, Row, Model>,
): Kind<Value | null | undefined, Row | undefined, Model | undefined> {
  return {
    ...kind,
    value: kind.value.nullish(),
    row: kind.row.nullish().transform((given) => given ?? undefined),
    write: (model, context) => kind.write(model as Model, context),
  };
}

type NullKind<K> =
  K extends Kind<infer Value, infer Row, infer Model>
    ? Kind<Value | undefined, Row | undefined, Model | null> &
        (K extends { readonly onGrid: true } ? { readonly onGrid: true } : unknown)
    : never;

/** As `kind`, where an absent value is printed as null; channels leave it out. */
export function nullableKind<K extends Kind>(kind: K): NullKind<K> {
  const made = {
    ...kind,
    value: kind.value.nullish().transform((given) => given ?? undefined),
    row: kind.row.nullish().transform((given) => given ?? undefined),
    write: (model: unknown, context: WriteContext) => {
      if (model !== null) return kind.write(model, context);
      return context.version === 'channel' ? undefined : null;
    },
  };
  return made as unknown as NullKind<K>;
}

/** A stamp: three digits of milliseconds in both versions, whole milliseconds on channels. Source: API v3, "Conventions". */
export const timeKind: Kind<Micros, Micros, Micros> = {
  value: timeField,
  row: timeField,
  write: (time, { version }) => (version === 'channel' ? millisOfMicros(time) : printTime(time)),
};

/** An exact amount, printed with the digits it has. */
export const amountKind: Kind<Amount, Amount, Amount> = {
  value: amountField,
  row: amountField,
  write: (amount) => formatAmount(amount),
};
/** An amount that the caller prints. */
export const printedAmountKind: Kind<Amount, Amount, string> = {
  value: amountField,
  row: amountField,
  write: (text) => text,
};
/** A fee, a profit: 12 decimals. */
export const feeKind: Kind<Amount, Amount, Amount> = {
  value: amountField,
  row: amountField,
  write: (amount) => feeText(amount),
};

/** A kind that is printed on the grid of an instrument; as a row it is text, or what `Row` says. */
export type GridKind<Model, Row = string> = Kind<Amount, Row, Model> & { readonly onGrid: true };

/** A price on the tick of the instrument. */
export const priceKind: GridKind<Ticks> = {
  value: amountField,
  row: unsignedField,
  onGrid: true,
  write: (ticks, context) => gridOf(context).priceText(ticks),
};
/** A quantity on the increment of the instrument. */
export const quantityKind: GridKind<Lots> = {
  value: amountField,
  row: unsignedField,
  onGrid: true,
  write: (lots, context) => gridOf(context).quantityText(lots),
};
/** As `quantityKind`, where zero is plain `"0"`. */
export const sizeKind: GridKind<Lots> = {
  ...quantityKind,
  write: (lots, context) => sizeText(gridOf(context), lots),
};

export function gridOf({ instrument }: WriteContext): NonNullable<WriteContext['instrument']> {
  return instrument as NonNullable<WriteContext['instrument']>;
}

/** Text without a form, bounded. */
export const textKind: Kind<string, string, string> = plainKind(z.string().max(2_000));
/** A whole number from 0. */
export const wholeKind: Kind<number, number, number> = plainKind(z.int().nonnegative());

const marginMode = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['isolated', 'cross']));
/** A margin mode: compared without case, printed as the caller spells it. Source: v3-gaps, section 2.5. */
export const modeKind: Kind<Word<'isolated' | 'cross'>, 'isolated' | 'cross', string> = {
  value: openValue(['isolated', 'cross']).pipe(z.string().toLowerCase()),
  row: marginMode,
  write: (mode) => mode,
};
