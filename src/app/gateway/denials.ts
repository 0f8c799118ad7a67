import type { Denial, DenialCode } from '../../core/model/denial.ts';
import type { OrderDenied } from '../../core/model/event.ts';
import type { Refusal } from '../../exchange/base/index.ts';
import { refuse } from '../../exchange/base/index.ts';
import { wireError } from '../../venues/hitbtc/wire/index.ts';

/** Codes of the documents for denials that they have a code for. All others are "Action not allowed". */
const documented: Partial<Readonly<Record<DenialCode, number>>> = {
  FUNDS: 20_001,
  FUNDS_STRATEGY: 20_001,
  MARGIN_FUNDS: 20_001,
  MARGIN_ACCOUNT_MISSING: 20_032,
  ORDER_NOT_FOUND: 20_002,
  ORDER_NOT_OWN: 20_002,
  ORDER_NOT_LIVE: 20_002,
  ID_REUSED: 20_008,
  SYMBOL_NOT_WORKING: 20_010,
  PRICE_COLLAR: 20_045,
  TIME_IN_FORCE_NOT_ALLOWED: 20_048,
  ORDER_KIND_UNKNOWN: 20_049,
  LIST_COUNT: 10_001,
  LIST_SYMBOLS_NOT_DISTINCT: 10_001,
  LIST_SYMBOLS_NOT_EQUAL: 10_001,
  LIST_TYPE: 20_049,
  LIST_TIME_IN_FORCE: 20_048,
  LIST_NOT_FOK: 20_048,
  MESSAGE_THROTTLE: 429,
};
/** The code of a replacement that changes nothing, which our controls call a repeated order. */
const notChanged = 20_009;
const notAllowed = 600;

/** A refusal of ours as an error body of the documents: our code and sentence are its description. */
export function deniedRefusal({ code, why }: Denial, action?: OrderDenied['action']): Refusal {
  const isUnchanged = action === 'replace' && code === 'DUPLICATE_ORDER';
  return refuse(isUnchanged ? notChanged : (documented[code] ?? notAllowed), {
    description: `${code}: ${why}`,
  });
}

/** Refusal of a request that the gateway does not serve, in one sentence. */
export function notServed(why: string): Refusal {
  return refuse(notAllowed, { description: why });
}

/** The refusal of a venue as it came; an error that no document knows keeps its number. */
export function venueRefusal(code: number, why: string): Refusal {
  const { message } = wireError(code, { description: why });
  return refuse(code, { message: message === 'Error' ? why : message, description: why });
}

/** Refusal without an answer of the venue: the order may live, and the program must look at it before it does anything else. */
export function noAnswer(): Refusal {
  return refuse(504);
}
