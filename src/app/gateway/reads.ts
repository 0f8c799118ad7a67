import { add, zero } from '../../core/base/amount.ts';
import type { Balance } from '../../core/model/market.ts';
import type { MarginProductName } from '../../core/model/product.ts';
import type { StateView } from '../../core/state/index.ts';
import { Refusal, currencyNotFound, feeRate, instrumentOf, isOfProduct } from '../../exchange/base/index.ts';
import type { WireVersion } from '../../venues/hitbtc/wire/index.ts';
import { feeOfSymbol, feeRates, spotBalance, withMargin } from '../../venues/hitbtc/wire/resources/index.ts';
import type { ProgramDesk } from './desk.ts';

// What a program reads of the account and of its orders, as the documents show it, over HTTP and sockets.

type HeldBalance = ReturnType<typeof withMargin<Balance>>;

/** Balances that a program may use and that are not nothing. */
export function spotRows(state: StateView, desk: ProgramDesk): readonly Balance[] {
  return state
    .balances()
    .map((one) => shareOf(one, desk))
    .filter(({ available, reserved }) => available !== 0n || reserved !== 0n);
}

/** A balance as a program sees it: the account's, or what it has of it. */
function shareOf(balance: Balance, desk: ProgramDesk): Balance {
  const funds = desk.funds(balance.currency);
  if (funds === undefined) return balance;
  const least = funds.free < balance.available ? funds.free : balance.available;
  const { currency } = balance;
  return { currency, available: least > zero ? least : zero, reserved: funds.reserved };
}

/** The same as version 3 shows them. */
export function heldBalances(state: StateView, desk: ProgramDesk): readonly object[] {
  return spotRows(state, desk).map((one) => spotBalance.v3.write(withOwnMargin(state, desk, one)));
}

/** A balance with what margin accounts hold of the currency; a program that does not trade on margin sees none of it. */
function withOwnMargin(state: StateView, desk: ProgramDesk, balance: Balance): HeldBalance {
  return desk.stateOf('margin') instanceof Refusal
    ? withMargin(balance)
    : withHeldMargin(state, 'margin', balance);
}

/** Result of `read` once the account has been compared with the venue, else why not. */
export function readState<Result>(
  desk: ProgramDesk,
  read: (state: StateView, desk: ProgramDesk) => Result,
): Result | Refusal {
  const { state } = desk;
  return state instanceof Refusal ? state : read(state, desk);
}

/** The balance of a currency that is held, or that a symbol of the venue is in, as `write` shows it. */
export function balanceOf(
  state: StateView,
  { currency, desk }: { readonly currency: string; readonly desk: ProgramDesk },
  write: (balance: HeldBalance) => object,
): object | Refusal {
  const isKnown =
    state.balances().some((one) => one.currency === currency) ||
    state.instruments.all.some(
      ({ spec }) => spec.baseCurrency === currency || spec.quoteCurrency === currency,
    );
  return isKnown
    ? write(withOwnMargin(state, desk, shareOf(state.balance(currency), desk)))
    : currencyNotFound();
}

/** Fee rates of every symbol of spot. */
export function spotFees({ instruments }: StateView, version: WireVersion = 'v3'): readonly object[] {
  return instruments.all
    .filter(({ spec }) => spec.type === 'spot')
    .map((instrument) => feeRates[version].write(feeRate(instrument)));
}

/** Fee rates of one symbol; version 2 does not repeat which. */
export function spotFee(
  { instruments }: StateView,
  symbol: string,
  version: WireVersion = 'v3',
): object | Refusal {
  const instrument = instrumentOf(instruments, 'spot', symbol);
  if (instrument instanceof Refusal) return instrument;
  const rates = feeRate(instrument);
  return version === 'v2' ? feeOfSymbol.v2.write(rates) : feeRates.v3.write(rates);
}

/** Balances of contracts that are not nothing, as version 3 shows them: those of the account. */
export function futuresBalances(state: StateView): readonly object[] {
  return state
    .balances('futures')
    .filter(({ available, reserved }) => available !== zero || reserved !== zero)
    .map((one) => spotBalance.v3.write(withHeldMargin(state, 'futures', one)));
}

/** The balance of contracts in a currency that is held, or that contracts are margined in, as `write` shows it. */
export function futuresBalance(
  state: StateView,
  currency: string,
  write: (balance: HeldBalance) => object,
): object | Refusal {
  const isKnown =
    state.balances('futures').some((one) => one.currency === currency) ||
    state.instruments.all.some(({ spec }) => spec.type === 'futures' && spec.quoteCurrency === currency);
  return isKnown
    ? write(withHeldMargin(state, 'futures', state.balance(currency, 'futures')))
    : currencyNotFound();
}

/** A balance with what margin accounts of a product hold of the currency. */
function withHeldMargin(state: StateView, of: MarginProductName, balance: Balance): HeldBalance {
  const held = { isolated: zero, cross: zero };
  for (const { product, account } of state.marginAccounts())
    if (product === of && account.currency === balance.currency)
      held[account.mode] = add(held[account.mode], account.balance);
  return { ...balance, reservedMargin: held.isolated, reservedCrossMargin: held.cross };
}

/** Fee rates of every contract. */
export function futuresFees({ instruments }: StateView): readonly object[] {
  return instruments.all
    .filter((instrument) => isOfProduct(instrument, 'futures'))
    .map((instrument) => feeRates.v3.write(feeRate(instrument)));
}

/** Fee rates of one contract. */
export function futuresFee({ instruments }: StateView, symbol: string): object | Refusal {
  const instrument = instrumentOf(instruments, 'futures', symbol);
  return instrument instanceof Refusal ? instrument : feeRates.v3.write(feeRate(instrument));
}
