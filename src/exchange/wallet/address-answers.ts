import type { AccountId } from '../matching/index.ts';
import type { DepositAddress } from '../../venues/hitbtc/wire/resources/index.ts';
import { currencyNotFound, Refusal, refuse, networkNotFound } from '../base/index.ts';
import type { OwnedAddress } from './address-book.ts';
import type { WalletContext } from './context.ts';
import type { Network } from './networks.ts';

/** The network asked for, or the default one: 2002 without the currency, 10001 without the network, 600 without any. */
function networkOf(context: WalletContext, currency: string, code: string | undefined): Network | Refusal {
  if (context.currency(currency) === undefined) return currencyNotFound();
  const network = context.network(currency, code);
  if (network !== undefined) return network;
  if (code !== undefined && context.networks(currency).length > 0) return networkNotFound(code);
  return refuse(600, { description: `${currency} has no deposit addresses` });
}

/** The present addresses: of every currency that has some, or of one, where the first is made when it is missing. */
export function addressesOf(
  context: WalletContext,
  account: AccountId,
  ...[currency, networkCode]: [string | undefined, string | undefined]
): readonly OwnedAddress[] | Refusal {
  if (currency === undefined) {
    const networks = context.currencyCodes.flatMap((code) => context.networks(code));
    return context.addresses.currents(
      account,
      networks.filter(({ code }) => networkCode === undefined || code === networkCode),
    );
  }
  const network = networkOf(context, currency, networkCode);
  if (network instanceof Refusal) return network;
  const networks = networkCode === undefined ? context.networks(currency) : [network];
  const present = context.addresses.currents(account, networks);
  if (present.length > 0) return present;
  const made = newAddress(context, account, currency, networkCode);
  return made instanceof Refusal ? made : [made];
}

/** The present address of one network, made when there is none. */
export function currentAddress(
  context: WalletContext,
  account: AccountId,
  ...[currency, networkCode]: [string, string | undefined]
): OwnedAddress | Refusal {
  const network = networkOf(context, currency, networkCode);
  if (network instanceof Refusal) return network;
  return (
    context.addresses.currents(account, [network])[0] ?? newAddress(context, account, currency, networkCode)
  );
}

/** A new address of a network; 20003 when the account has as many as it may. */
export function newAddress(
  context: WalletContext,
  account: AccountId,
  ...[currency, networkCode]: [string, string | undefined]
): OwnedAddress | Refusal {
  const network = networkOf(context, currency, networkCode);
  if (network instanceof Refusal) return network;
  if (!network.payinEnabled) return refuse(600, { description: `Deposits of ${currency} are off` });
  return (
    context.refusalOf(account, 'makeAddress') ??
    context.addresses.make(account, network) ??
    refuse(20_003, { description: 'the account has as many addresses as it may' })
  );
}

/** The last ten addresses given out, or withdrawn to. */
export function recentAddresses(
  context: WalletContext,
  account: AccountId,
  asked: { currency: string; networkCode?: string | undefined; used: boolean },
): readonly DepositAddress[] | Refusal {
  const { currency, networkCode, used } = asked;
  if (context.currency(currency) === undefined) return currencyNotFound();
  return used
    ? context.addresses.recentlyUsed(account, currency, networkCode)
    : context.addresses.recent(account, currency, networkCode);
}
