import { z } from 'zod';
import { issueText } from './fields.ts';

// Members that callers can do without: an odd one costs itself, not the row.

/** A member, or a row below one, that was left out because it is not as documented. */
interface OddMember {
  readonly member: string;
  readonly why: string;
}

let oddMembers: OddMember[] | undefined;

/** Result of `read`, and the members that it left out. */
export function withOddMembers<Value>(read: () => Value): {
  readonly value: Value;
  readonly odd: readonly OddMember[];
} {
  const outer = oddMembers;
  const odd: OddMember[] = [];
  oddMembers = odd;
  try {
    return { value: read(), odd };
  } finally {
    oddMembers = outer;
  }
}

/** As `schema`, where a value that is not as documented reads as an absent one. */
export function orAbsent(member: string, schema: z.ZodType): z.ZodType {
  const absent = schema.safeParse(undefined);
  if (!absent.success) return schema;
  return z
    .unknown()
    .optional()
    .transform((given) => {
      const read = schema.safeParse(given);
      if (read.success) return read.data;
      oddMembers?.push({ member, why: issueText(read.error) });
      return absent.data;
    });
}

/** The rows that can be read. */
export function readableOf(member: string, schema: z.ZodType): z.ZodType {
  return z.array(z.unknown()).transform((given) =>
    given.flatMap((row, index) => {
      const read = schema.safeParse(row);
      if (read.success) return [read.data];
      oddMembers?.push({ member: `${member}.${index}`, why: issueText(read.error) });
      return [];
    }),
  );
}
