import type { Instrument, Ticks } from '../../model/instrument.ts';
import type { Denial, DenialCode } from '../../model/denial.ts';
import { needsPrice, needsStopPrice, orderTypes, timesInForce } from '../../model/order.ts';
import type { Candidate, Rule } from '../base/candidate.ts';
import { deny, isMarketLike, shownValue, venueNow } from '../base/candidate.ts';

/** Quantity: a whole number of lots above zero, more than a replaced order has executed. Source: faults, S7. */
export const quantity = {
  code: 'OFF_GRID',
  control: ({ request, lots, replaces, instrument }) => {
    const wanted: unknown = request.quantity;
    // It takes what is open, so it names none.
    if (request.margin?.closePosition === true) return undefined;
    if (typeof wanted === 'number' && wanted <= 0) {
      return deny('QUANTITY_NOT_POSITIVE', `expected a quantity above 0 lots, found ${wanted}`);
    }
    if (!Number.isSafeInteger(wanted)) return offGrid('quantity in lots', wanted);
    if (request.quantity % instrument.lotStep !== 0)
      return deny(
        'OFF_GRID',
        `expected a quantity that is a multiple of ${instrument.spec.orderIncrement}, found ${instrument.quantityText(request.quantity)}`,
      );
    if (lots <= 0) {
      return deny(
        'QUANTITY_NOT_POSITIVE',
        `expected more than the ${replaces?.cumulative} lots already executed, found ${request.quantity}`,
      );
    }
    return undefined;
  },
} satisfies Rule;

/** Price: there for limit types, absent for market types. Source: API v3, "POST /api/3/spot/order parameters". */
export const price = {
  code: 'OFF_GRID',
  control: ({ request, instrument }) =>
    priceRule('price', request.price, needsPrice(request.type), request.type) ??
    stepRule('price', request.price, instrument),
} satisfies Rule;

/** Stop price: there for stop and take-profit types, absent otherwise. Source: as above. */
export const stopPrice = {
  code: 'OFF_GRID',
  control: ({ request, instrument }) =>
    priceRule('stop price', request.stopPrice, needsStopPrice(request.type), request.type) ??
    stepRule('stop price', request.stopPrice, instrument),
} satisfies Rule;

/** Type, side and time in force: known; market types only IOC or FOK, but for those of a list that wait for a stop price. Source: v3-gaps, sections 9 (20048), 10. */
export const kind = {
  code: 'ORDER_KIND_UNKNOWN',
  control: ({ request }) => {
    const { type, side, timeInForce: force } = request;
    // Most orders by far; the lists are for the rest.
    const plain = type === 'limit' && (force === 'GTC' || force === 'IOC');
    if (plain && (side === 'buy' || side === 'sell')) return undefined;
    if (side !== 'buy' && side !== 'sell')
      return deny('ORDER_KIND_UNKNOWN', `expected side buy or sell, found ${shownValue(side)}`);
    if (!orderTypes.includes(type))
      return deny(
        'ORDER_KIND_UNKNOWN',
        `expected a type of ${orderTypes.join(', ')}, found ${shownValue(type)}`,
      );
    if (!timesInForce.includes(force))
      return deny(
        'TIME_IN_FORCE_NOT_ALLOWED',
        `expected one of ${timesInForce.join(', ')}, found ${shownValue(force)}`,
      );
    // In a list such an order waits for its stop price as long as it says. Source: API v3, order lists.
    const mayRest = type !== 'market' && request.list !== undefined;
    if (isMarketLike(type) && force !== 'IOC' && force !== 'FOK' && !mayRest) {
      return deny('TIME_IN_FORCE_NOT_ALLOWED', `expected IOC or FOK for type ${type}, found ${force}`);
    }
    return undefined;
  },
} satisfies Rule;

/** Expire time: there for GTD and ahead by the venue's clock, absent otherwise. Source: API v3, expire_time. */
export const expireTime = {
  code: 'EXPIRE_TIME_MISSING',
  control: ({ request }, view, memory) => {
    const { expireTime: time, timeInForce: force } = request;
    if (force !== 'GTD') {
      return time === undefined
        ? undefined
        : deny('EXPIRE_TIME_NOT_ALLOWED', `expected no expire time with ${force}, found ${time}`);
    }
    if (time === undefined || !Number.isSafeInteger(time)) {
      return deny(
        'EXPIRE_TIME_MISSING',
        `expected an expire time in whole microseconds with GTD, found ${time}`,
      );
    }
    const now = venueNow(view, memory);
    return time > now
      ? undefined
      : deny(
          'EXPIRE_TIME_PAST',
          `expected an expire time after ${now}, the time of the venue's clock, found ${time}`,
        );
  },
} satisfies Rule;

/** Post-only: limit types that may rest. Source: API v3, post_only; assumptions. */
export const postOnly = {
  code: 'POST_ONLY_NOT_ALLOWED',
  control: ({ request }) => {
    const { type, timeInForce: force } = request;
    if (!request.postOnly) return undefined;
    if (isMarketLike(type) || force === 'IOC' || force === 'FOK') {
      return deny(
        'POST_ONLY_NOT_ALLOWED',
        `an order of type ${type} with ${force} can never rest in the book`,
      );
    }
    return undefined;
  },
} satisfies Rule;

/** A replacement must change price, stop price or quantity. Source: v3-gaps, section 9 (20009). */
export const changed = {
  code: 'DUPLICATE_ORDER',
  control: ({ request, replaces }: Candidate) => {
    if (
      replaces === undefined ||
      replaces.price !== request.price ||
      replaces.stopPrice !== request.stopPrice ||
      replaces.quantity !== request.quantity
    ) {
      return undefined;
    }
    return deny('DUPLICATE_ORDER', `the replacement of ${replaces.clientOrderId} changes nothing`);
  },
} satisfies Rule;

const priceCodes: Readonly<Record<'price' | 'stop price', readonly [DenialCode, DenialCode]>> = {
  price: ['PRICE_MISSING', 'PRICE_NOT_ALLOWED'],
  'stop price': ['STOP_PRICE_MISSING', 'STOP_PRICE_NOT_ALLOWED'],
};

function priceRule(
  name: 'price' | 'stop price',
  value: number | undefined,
  needed: boolean,
  type: string,
): Denial | undefined {
  const [missing, notAllowed] = priceCodes[name];
  if (!needed) {
    return value === undefined
      ? undefined
      : deny(notAllowed, `expected no ${name} for type ${type}, found ${value}`);
  }
  if (value === undefined) return deny(missing, `expected a ${name} for type ${type}`);
  if (typeof value === 'number' && value <= 0) {
    return deny('PRICE_NOT_POSITIVE', `expected a ${name} above 0 ticks, found ${value}`);
  }
  return Number.isSafeInteger(value) ? undefined : offGrid(`${name} in ticks`, value);
}

function stepRule(name: string, value: Ticks | undefined, instrument: Instrument): Denial | undefined {
  if (value === undefined || value % instrument.tickStep === 0) return undefined;
  const { orderTick } = instrument.spec;
  return deny(
    'OFF_GRID',
    `expected a ${name} that is a multiple of ${orderTick}, found ${instrument.priceText(value)}`,
  );
}

function offGrid(what: string, found: unknown): Denial {
  return deny('OFF_GRID', `expected a whole ${what}, found ${shownValue(found)}`);
}
