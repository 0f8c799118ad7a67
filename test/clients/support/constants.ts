import { constants } from 'cryptomarket';

// Names of the package that begin with a digit behind an underscore, in words.

export const minutely = constants.PERIOD['_1_MINUTE'];
export const everySecond = constants.TICKER_SPEED['_1_S'];
export const rateEverySecond = constants.PRICE_RATE_SPEED['_1_S'];
export const tenthOfSecond = constants.ORDER_BOOK_SPEED['_100_MS'];
export const fiveLevels = constants.DEPTH['_5'];
