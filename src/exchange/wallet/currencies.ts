import type { Currency } from '../../venues/hitbtc/wire/resources/index.ts';
import { formatAmount } from '../../core/base/amount.ts';
import type { CurrencyOptions } from '../base/index.ts';
import type { Network } from './networks.ts';
import { networksOf, paymentsOf } from './networks.ts';
import { addressPattern, paymentIdPattern } from './address-forms.ts';

/** A currency as the exchange describes it. Source: API v3, "Currency". */
export function currencyOf(options: CurrencyOptions, index: number): Currency {
  const { code, fullName, crypto, stable, sign, transferPrecision, qrPrefix, delisted } = options;
  return {
    code,
    fullName,
    crypto,
    stable,
    ...paymentsOf(options),
    transferEnabled: options.transferEnabled,
    transferToWalletEnabled: options.transferToWalletEnabled,
    transferToExchangeEnabled: options.transferToExchangeEnabled,
    manualFiatPayinEnabled: options.manualFiatPayinEnabled,
    manualFiatPayoutEnabled: options.manualFiatPayoutEnabled,
    sign,
    // Some clients cannot read a currency without them.
    cryptoPaymentIdName: options.cryptoPaymentIdName ?? '',
    cryptoExplorer: options.cryptoExplorer ?? '',
    precisionTransfer: transferPrecision,
    accountTopOrder: options.accountTopOrder ?? index + 1,
    ...(qrPrefix !== undefined && { qrPrefix }),
    delisted,
    networks: networksOf(options).map(networkOf),
  };
}

function networkOf(network: Network, index: number): Currency['networks'][number] {
  const { shown, confirmations } = network;
  const { cryptoPaymentIdName, cryptoExplorer, contractAddress, assetId } = shown;
  return {
    code: network.currency,
    network: network.code,
    networkName: network.name,
    protocol: network.protocol,
    default: index === 0,
    isEnsAvailable: shown.isEnsAvailable,
    payinEnabled: network.payinEnabled,
    payoutEnabled: network.payoutEnabled,
    precisionPayout: formatAmount(network.payoutMinimum),
    payoutFee: formatAmount(network.payoutFee),
    payoutIsPaymentId: network.paymentId,
    payinPaymentId: network.paymentId,
    payinConfirmations: confirmations,
    addressRegex: addressPattern(network.form).source,
    ...(network.paymentId && { paymentIdRegex: paymentIdPattern.source }),
    // A client of the field reads them as text, the documents call them numbers: they are sent only where they are named.
    ...(shown.lowProcessingTime !== undefined && { lowProcessingTime: shown.lowProcessingTime }),
    ...(shown.highProcessingTime !== undefined && { highProcessingTime: shown.highProcessingTime }),
    ...(shown.avgProcessingTime !== undefined && { avgProcessingTime: shown.avgProcessingTime }),
    ...(cryptoPaymentIdName !== undefined && { cryptoPaymentIdName }),
    ...(cryptoExplorer !== undefined && { cryptoExplorer }),
    ...(contractAddress !== undefined && { contractAddress }),
    isMultichain: shown.isMultichain,
    ...(assetId !== undefined && { assetId }),
  };
}
