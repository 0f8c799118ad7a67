import { unreachable } from '../../core/base/assert.ts';
import type { Instrument, Instruments } from '../../core/model/instrument.ts';
import type { Product } from '../../core/model/product.ts';
import type { RefusalCode } from '../matching/index.ts';
import { refusalNumbers } from '../matching/index.ts';
import type { WireError } from '../../venues/hitbtc/wire/index.ts';
import { wireError, parameterError } from '../../venues/hitbtc/wire/index.ts';

/** A request that is answered with an error of the documents. A value, never thrown. */
export class Refusal {
  readonly error: WireError;

  constructor(error: WireError) {
    this.error = error;
  }
}

/** The object that `write` makes of a result, or the refusal. */
export function written<Value>(result: Value | Refusal, write: (value: Value) => object): object {
  return result instanceof Refusal ? result : write(result);
}

/** A refusal by code, with the texts of the wire's table unless others are given. */
export function refuse(code: number, texts: Parameters<typeof wireError>[1] = {}): Refusal {
  return new Refusal(wireError(code, texts));
}

/** A parameter that is missing or not as documented. Source: v3-gaps, section 9. */
export function badParameter(name: string, why: string): Refusal {
  return new Refusal(parameterError(name.slice(0, 60), why));
}

/** A request that is wrong as a whole. */
export function badRequest(why: string): Refusal {
  return refuse(10_001, { description: why });
}

/** No symbol of that name. Source: v3-gaps, section 9. */
export function symbolNotFound(symbol: string): Refusal {
  return refuse(2_001, { message: `No such symbol: ${symbol.slice(0, 40)}` });
}

/** A contract where a spot symbol is needed; worded like the refusal of v3-gaps, section 4.5. */
export function notSpot(symbol: string): Refusal {
  return refuse(10_001, { message: `Is not spot:${symbol.slice(0, 40)}` });
}

/** Whether a product has orders of that symbol: contracts are futures, all others are spot and margin. */
export function isOfProduct({ spec }: Instrument, product: Product): boolean {
  return spec.type === (product === 'futures' ? 'futures' : 'spot');
}

/** The instrument of that symbol, or why a product has none. Source: v3-gaps, section 4.5 (wording). */
export function instrumentOf(
  instruments: Pick<Instruments, 'find'>,
  product: Product,
  symbol: string,
): Instrument | Refusal {
  const instrument = instruments.find(symbol);
  if (instrument === undefined) return symbolNotFound(symbol);
  if (isOfProduct(instrument, product)) return instrument;
  return product === 'futures'
    ? refuse(10_001, { message: `Is not futures:${symbol.slice(0, 40)}` })
    : notSpot(symbol);
}

export function currencyNotFound(): Refusal {
  return refuse(2_002);
}

/** Refusal on the wire when the core refuses: the text of the table where it has one, else the core's own. */
export function refusalOf(code: RefusalCode, why: string): Refusal {
  switch (code) {
    case 'INSUFFICIENT_FUNDS':
    case 'ORDER_NOT_FOUND':
    case 'DUPLICATE_CLIENT_ORDER_ID':
    case 'NOT_CHANGED':
    case 'SYMBOL_NOT_WORKING':
      return refuse(refusalNumbers[code]);
    case 'POSITION_LIMIT':
    case 'FAT_FINGER':
    case 'TIME_IN_FORCE_INVALID':
    case 'ORDER_TYPE_INVALID':
    case 'BAD_QUANTITY':
    case 'BAD_PRICE':
    case 'EXPIRE_TIME_INVALID':
    case 'ORDER_LIMIT':
    case 'MARGIN_NOT_FOUND':
    case 'MARGIN_NOT_CHANGED':
    case 'CLOSE_ONLY':
    case 'MARGIN_FORBIDDEN':
    case 'AMR_WITHOUT_ACCOUNT':
    case 'LIST_INVALID':
    case 'LIST_BOUND':
      return refuse(refusalNumbers[code], { description: why });
    default:
      return unreachable(code);
  }
}

/** The currency has no network of that code. */
export function networkNotFound(code: string): Refusal {
  return badParameter('network_code', `No such network: ${code.slice(0, 40)}`);
}

/** Refusal of an amount, by the name of the parameter. */
export function badAmount(why: string): Refusal {
  return badParameter('amount', why);
}
