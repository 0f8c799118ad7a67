import type { Currency } from '../../venues/hitbtc/wire/resources/currency.ts';
import { formatAmount } from '../../core/base/amount.ts';
import type { CurrencyOptions } from '../options.ts';
import type { Network } from '../wallet/networks.ts';
import { networksOf } from '../wallet/networks.ts';
import { addressPattern, paymentIdPattern } from '../wallet/address-forms.ts';

/** A currency as the exchange describes it: every transfer is possible, on each of its networks. */
export function currencyOf(options: CurrencyOptions, index: number): Currency {
  const { code, fullName, crypto, stable, sign, transferPrecision } = options;
  return {
    code,
    fullName,
    crypto,
    stable,
    payinEnabled: crypto,
    payoutEnabled: crypto,
    transferEnabled: true,
    transferToWalletEnabled: true,
    transferToExchangeEnabled: true,
    manualFiatPayinEnabled: false,
    manualFiatPayoutEnabled: false,
    sign,
    // Some clients cannot read a currency without them.
    cryptoPaymentIdName: '',
    cryptoExplorer: '',
    precisionTransfer: transferPrecision,
    accountTopOrder: index + 1,
    delisted: false,
    networks: networksOf(options).map(networkOf),
  };
}

function networkOf(network: Network, index: number): Currency['networks'][number] {
  return {
    code: network.currency,
    network: network.code,
    networkName: network.name,
    protocol: network.protocol,
    default: index === 0,
    isEnsAvailable: false,
    payinEnabled: true,
    payoutEnabled: true,
    precisionPayout: formatAmount(network.payoutMinimum),
    payoutFee: formatAmount(network.payoutFee),
    payoutIsPaymentId: network.paymentId,
    payinPaymentId: network.paymentId,
    payinConfirmations: network.confirmations,
    addressRegex: addressPattern(network.form).source,
    ...(network.paymentId && { paymentIdRegex: paymentIdPattern.source }),
    isMultichain: false,
  };
}
