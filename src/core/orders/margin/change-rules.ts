import type { Amount } from '../../base/amount.ts';
import { formatAmount, parseAmount, subtract, zero } from '../../base/amount.ts';
import type { Denial } from '../../model/denial.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { MarginAccountView, MarginChange } from '../../model/margin.ts';
import { marginModes } from '../../model/margin.ts';
import type { MarginProductName } from '../../model/product.ts';
import { productOf } from '../../model/product.ts';
import type { StateView } from '../../state/index.ts';
import { deny, shownValue } from '../base/candidate.ts';
import type { Memory, StrategyMemory } from '../base/memory.ts';
import { productDenial } from '../rules/index.ts';
import { balanceLimits } from './outlook.ts';
import { freeMargin, marginPayer } from './power.ts';

const one = parseAmount('1');
const hundredth = parseAmount('0.01');

/** Everything a change of margin is judged by, in the order it is asked; the first that says no wins. */
export function changeDenial(
  change: MarginChange,
  owner: StrategyMemory,
  view: StateView,
  memory: Memory,
): Denial | undefined {
  return (
    stoppedDenial(owner, view) ??
    productDenial(change.product, owner, memory.capabilities) ??
    formDenial(change, owner, view, memory) ??
    statusDenial(change, owner, view, memory) ??
    accountDenial(change, view, memory)
  );
}

function stoppedDenial({ limits }: StrategyMemory, view: StateView): Denial | undefined {
  const why = view.stopped(limits.name);
  return why === undefined
    ? undefined
    : deny('STRATEGY_STOPPED', `strategy ${limits.name} was stopped: ${why}`);
}

/** It names an account of what is traded, and says what to change. */
function formDenial(
  change: MarginChange,
  owner: StrategyMemory,
  view: StateView,
  memory: Memory,
): Denial | undefined {
  const { mode, balance, leverage } = change;
  if (!marginModes.includes(mode)) {
    return deny(
      'MARGIN_MODE_UNKNOWN',
      `expected a margin mode of ${marginModes.join(', ')}, found ${shownValue(mode)}`,
    );
  }
  const where =
    mode === 'isolated' ? symbolDenial(change, owner, view, memory) : currencyDenial(change, view);
  if (where !== undefined) return where;
  if (balance === undefined && leverage === undefined)
    return deny('MARGIN_CHANGE_FORM', 'expected a margin balance or a leverage, found neither');
  if (balance !== undefined && !(typeof balance === 'bigint' && balance >= zero))
    return deny(
      'MARGIN_CHANGE_FORM',
      `expected a margin balance of at least 0, found ${amountText(balance)}`,
    );
  return leverage === undefined ? undefined : leverageDenial(change, leverage, view, memory);
}

/** Isolated margin is that of a symbol, in its quote currency. */
function symbolDenial(
  { product, instrument: id, currency }: MarginChange,
  owner: StrategyMemory,
  view: StateView,
  memory: Memory,
): Denial | undefined {
  const instrument = id === undefined ? undefined : view.instruments.all[id];
  if (instrument === undefined)
    return deny('MARGIN_CHANGE_FORM', `expected isolated margin to name a symbol, found ${shownValue(id)}`);
  const { symbol, spec } = instrument;
  if (!isTraded(product, instrument))
    return deny('PRODUCT_SYMBOL', `expected a symbol that ${product} trades, found ${symbol}`);
  if (memory.instruments[instrument.id]?.allowed !== true || owner.limits.allowed[instrument.id] !== true)
    return deny('SYMBOL_NOT_ALLOWED', `strategy ${owner.limits.name} may not trade ${symbol}`);
  return currency === spec.quoteCurrency
    ? undefined
    : deny(
        'MARGIN_CHANGE_FORM',
        `margin of ${symbol} is kept in ${spec.quoteCurrency}, found ${shownValue(currency)}`,
      );
}

/** Cross margin is that of a currency in which something is traded. */
function currencyDenial(
  { product, instrument, currency }: MarginChange,
  view: StateView,
): Denial | undefined {
  if (instrument !== undefined)
    return deny('MARGIN_CHANGE_FORM', 'expected cross margin to name a currency alone, found a symbol');
  const isKnown = view.instruments.all.some(
    (other) => other.spec.quoteCurrency === currency && isTraded(product, other),
  );
  return isKnown
    ? undefined
    : deny(
        'PRODUCT_SYMBOL',
        `expected a currency that ${product} keeps cross margin in, found ${shownValue(currency)}`,
      );
}

/** Whether the product trades the symbol. */
function isTraded(product: MarginProductName, instrument: Instrument): boolean {
  return (
    productOf(instrument, instrument) === product && (product === 'futures' || instrument.spec.marginTrading)
  );
}

/** Leverage is chosen of isolated margin of contracts, with two decimals. Source: v3-gaps, section 2.5 (futures_set_leverage). */
function leverageDenial(
  { product, mode, instrument }: MarginChange,
  leverage: Amount,
  view: StateView,
  memory: Memory,
): Denial | undefined {
  if (product !== 'futures' || mode !== 'isolated')
    return deny(
      'LEVERAGE_FIXED',
      `leverage is chosen of isolated margin of contracts alone, found ${mode} ${product}`,
    );
  const rule = instrument === undefined ? undefined : memory.instruments[instrument]?.margin;
  const most = rule?.leverage ?? one;
  const own = rule?.leverageMax ?? most;
  const greatest = own < most ? own : most;
  if (typeof leverage === 'bigint' && leverage >= one && leverage <= greatest && leverage % hundredth === 0n)
    return undefined;
  return deny(
    'LEVERAGE_RANGE',
    `expected a leverage of ${view.instruments.all[instrument ?? 0]?.symbol} from 1 to ${formatAmount(greatest)} with at most two decimals, found ${amountText(leverage)}`,
  );
}

/** Trading status: what lowers margin or sets leverage is held back when only what reduces may be done. */
function statusDenial(
  change: MarginChange,
  owner: StrategyMemory,
  view: StateView,
  memory: Memory,
): Denial | undefined {
  if (view.mode === 'halted') return deny('MODE_HALTED', `trading is halted: ${view.modeWhy}`);
  if (!view.sessionUp('trading')) return deny('SESSION_DOWN', 'the trading session is down');
  if (!memory.reconciled)
    return deny('NOT_RECONCILED', 'orders, balances and margin accounts are being compared with the venue');
  if (memory.marginChanges.openOf(change) !== undefined)
    return deny(
      'MARGIN_CHANGE_UNDER_WAY',
      `a change of the ${nameOfChange(change, view)} is not settled yet`,
    );
  const account = view.marginAccount(change);
  const raises =
    change.leverage === undefined && (account === undefined || (change.balance ?? zero) >= account.balance);
  if (view.mode === 'reducing' && !raises)
    return deny(
      'MODE_REDUCING',
      'expected a change that adds margin, because only what reduces risk is done now',
    );
  if (account?.called === true && !raises)
    return deny(
      'MARGIN_CALL',
      `expected a change that adds margin: a margin call stands on the ${nameOfChange(change, view)}`,
    );
  return throttleDenial(owner, memory);
}

function throttleDenial({ limits, messages }: StrategyMemory, memory: Memory): Denial | undefined {
  if (!messages.admits(memory.uptime))
    return deny('MESSAGE_THROTTLE', `strategy ${limits.name} may send ${messages.max} orders in a second`);
  return memory.messages.admits(memory.uptime)
    ? undefined
    : deny('MESSAGE_THROTTLE', `the account may send ${memory.messages.max} orders in a second`);
}

/** The account as it is: it is there, the change changes it, and what it needs is left or can be paid. */
function accountDenial(change: MarginChange, view: StateView, memory: Memory): Denial | undefined {
  const account = view.marginAccount(change);
  const { balance, leverage } = change;
  const name = nameOfChange(change, view);
  if (account === undefined)
    return balance === undefined || balance === zero
      ? deny('MARGIN_ACCOUNT_MISSING', `expected the ${name} to be open, there is none`)
      : payDenial(change, balance, view, memory);
  const isSame =
    (balance === undefined || balance === account.balance) &&
    (leverage === undefined || leverage === account.leverage);
  if (isSame) return deny('MARGIN_UNCHANGED', `the ${name} is already as the change asks`);
  const isUsed = account.positions.length > 0 || view.hasOrdersOn(change);
  if (leverage !== undefined && leverage !== account.leverage && isUsed)
    return deny('LEVERAGE_FIXED', `leverage of the ${name} cannot change while it has positions or orders`);
  if (balance === undefined || balance === account.balance) return undefined;
  if (balance > account.balance) return payDenial(change, subtract(balance, account.balance), view, memory);
  return takeDenial(change, { account, balance, isUsed }, view, memory);
}

/** Denial of a payment: what is added comes from the balance behind the account. */
function payDenial(
  change: MarginChange,
  amount: Amount,
  view: StateView,
  memory: Memory,
): Denial | undefined {
  const payer = marginPayer(change, view, memory);
  const free = payer.reservations.free(change.currency, payer.balance, memory.uptime);
  if (free >= amount) return undefined;
  return deny(
    'MARGIN_FUNDS',
    `expected ${formatAmount(amount)} ${change.currency} free on the ${payer.name} balance, found ${formatAmount(free)}`,
  );
}

interface Taking {
  readonly account: MarginAccountView;
  /** Balance that is to be left. */
  readonly balance: Amount;
  readonly isUsed: boolean;
}

/** Denial of a withdrawal: what is taken must be free; positions and orders keep what they need. */
function takeDenial(
  change: MarginChange,
  { account, balance, isUsed }: Taking,
  view: StateView,
  memory: Memory,
): Denial | undefined {
  const free = freeMargin(change, account, memory);
  const taken = subtract(account.balance, balance);
  if (taken > free || (balance === zero && isUsed)) {
    return deny(
      'MARGIN_FUNDS',
      `expected at most ${formatAmount(free > zero ? free : zero)} ${change.currency} to be taken from the ${nameOfChange(change, view)}, whose positions and orders need the rest, found ${formatAmount(taken)}`,
    );
  }
  return balanceLimits(change, { ...account, balance }, view, memory);
}

function nameOfChange({ product, mode, instrument, currency }: MarginChange, view: StateView): string {
  const whose = instrument === undefined ? currency : (view.instruments.all[instrument]?.symbol ?? currency);
  return `${mode} ${product} account of ${whose}`;
}

/** Text of what a strategy handed over, whatever it is. */
function amountText(value: unknown): string {
  return typeof value === 'bigint' ? formatAmount(value as Amount) : shownValue(value);
}
