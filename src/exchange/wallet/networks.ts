import type { Amount } from '../../core/base/amount.ts';
import { amountDecimals, parseAmount } from '../../core/base/amount.ts';
import type { AddressForm, CurrencyOptions, NetworkOptions } from '../base/index.ts';
import { networkOptions } from '../base/index.ts';

/** Where a currency is known from outside, its networks are too. Fees and confirmations are those of a quiet day. */
const known: Readonly<Record<string, readonly NetworkOptions[]>> = {
  BTC: [network('BTC', 'Bitcoin', 'bech32', '0.0003', '0.00000001', { confirmations: 2, blockMs: 20_000 })],
  ETH: [network('ETH', 'Ethereum', 'hex', '0.002', '0.000000001', { confirmations: 12, blockMs: 3_000 })],
  LTC: [network('LTC', 'Litecoin', 'litecoin', '0.001', '0.00000001', { confirmations: 4, blockMs: 5_000 })],
  XRP: [network('XRP', 'XRP Ledger', 'ripple', '0.25', '0.000001', { paymentId: true, confirmations: 1 })],
  USDT: [
    network('ETH', 'Ethereum', 'hex', '4', '0.000001', token(12, 3_000, `0x${'5d'.repeat(20)}`), 'TOKEN'),
    network('TRX', 'Tron', 'tron', '1', '0.000001', token(19, 1_000, `T${'5d'.repeat(16)}`), 'TOKEN'),
  ],
};

/** One network of one currency, as the wallet counts on it. */
export interface Network {
  readonly currency: string;
  readonly code: string;
  readonly name: string;
  readonly protocol: string;
  readonly form: AddressForm;
  readonly payoutFee: Amount;
  readonly payoutMinimum: Amount;
  readonly paymentId: boolean;
  readonly confirmations: number;
  readonly blockMs: number;
  /** Whether deposit addresses can be made, and withdrawals. */
  readonly payinEnabled: boolean;
  readonly payoutEnabled: boolean;
  /** What is only shown. */
  readonly shown: NetworkOptions;
}

/** Whether a currency can be deposited and withdrawn. Source: API v3, "Currency"; API v2, "Currency", delisted. */
export function paymentsOf({
  crypto,
  delisted,
  payinEnabled = crypto,
  payoutEnabled = crypto,
}: CurrencyOptions) {
  return { payinEnabled: payinEnabled && !delisted, payoutEnabled };
}

/** The networks of a currency, the default one first; none for money that is no cryptocurrency. */
export function networksOf(currency: CurrencyOptions): readonly Network[] {
  if (!currency.crypto) return [];
  const { payinEnabled, payoutEnabled } = paymentsOf(currency);
  return (currency.networks ?? known[currency.code] ?? [ownNetwork(currency)]).map((options) => ({
    currency: currency.code,
    code: options.network,
    name: options.networkName ?? options.network,
    protocol: options.protocol ?? options.network,
    form: options.form,
    payoutFee: parseAmount(options.payoutFee),
    payoutMinimum: parseAmount(options.payoutMinimum),
    paymentId: options.paymentId,
    confirmations: options.confirmations,
    blockMs: options.blockMs,
    payinEnabled: payinEnabled && options.payinEnabled,
    payoutEnabled: payoutEnabled && options.payoutEnabled,
    shown: options,
  }));
}

/** Whether an amount has no more decimals than its unit (such as the smallest withdrawal). */
export function fitsUnit(amount: Amount, unit: Amount): boolean {
  return unit <= 0n || amount % 10n ** BigInt(amountDecimals - writtenDecimals(unit)) === 0n;
}

/** The decimals that an amount is written with. */
export function writtenDecimals(amount: Amount): number {
  let rest: bigint = amount;
  let decimals = amountDecimals;
  while (decimals > 0 && rest % 10n === 0n) {
    rest /= 10n;
    decimals -= 1;
  }
  return decimals;
}

/** A token of a network, by its contract. */
function token(confirmations: number, blockMs: number, contractAddress: string): Partial<NetworkOptions> {
  return { confirmations, blockMs, contractAddress, assetId: { contract: contractAddress } };
}

function ownNetwork(currency: CurrencyOptions): NetworkOptions {
  const { code, fullName, transferPrecision } = currency;
  return network(code, fullName, 'plain', transferPrecision, transferPrecision, {});
}

function network(
  code: string,
  networkName: string,
  form: AddressForm,
  ...[payoutFee, payoutMinimum, given, protocol]: [string, string, Partial<NetworkOptions>, string?]
): NetworkOptions {
  return networkOptions.parse({
    network: code,
    networkName,
    protocol,
    form,
    payoutFee,
    payoutMinimum,
    ...given,
  });
}
