import type { Currency } from '../wire/v3/currencies.ts';
import type { CurrencyOptions } from './options.ts';

/** A currency as the exchange describes it: every transfer is possible, on one network of its own name. */
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
    precisionTransfer: transferPrecision,
    accountTopOrder: index + 1,
    delisted: false,
    networks: [
      {
        network: code,
        networkName: fullName,
        protocol: code,
        default: true,
        isEnsAvailable: false,
        payinEnabled: crypto,
        payoutEnabled: crypto,
        precisionPayout: transferPrecision,
        payoutFee: transferPrecision,
        payoutIsPaymentId: false,
        payinPaymentId: false,
        payinConfirmations: 2,
        isMultichain: false,
      },
    ],
  };
}
