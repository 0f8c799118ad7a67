import type { AccountId } from '../matching/command.ts';
import type { DepositAddress } from '../../venues/hitbtc/wire/deposit-address.ts';
import { currencyNotFound, Refusal, refuse, networkNotFound } from '../refusal.ts';
import type { OwnedAddress } from './address-book.ts';
import type { WalletDesk } from './context.ts';
import type { Network } from './networks.ts';

/** The network asked for, or the default one: 2002 without the currency, 10001 without the network, 600 without any. */
function networkOf(desk: WalletDesk, currency: string, code: string | undefined): Network | Refusal {
  if (desk.currency(currency) === undefined) return currencyNotFound();
  const network = desk.network(currency, code);
  if (network !== undefined) return network;
  if (code !== undefined && desk.networks(currency).length > 0) return networkNotFound(code);
  return refuse(600, { description: `${currency} has no deposit addresses` });
}

/** The present addresses: of every currency that has some, or of one, where the first is made when it is missing. */
export function addressesOf(
  desk: WalletDesk,
  account: AccountId,
  ...[currency, networkCode]: [string | undefined, string | undefined]
): readonly OwnedAddress[] | Refusal {
  if (currency === undefined) {
    const networks = desk.currencyCodes.flatMap((code) => desk.networks(code));
    return desk.addresses.currents(
      account,
      networks.filter(({ code }) => networkCode === undefined || code === networkCode),
    );
  }
  const network = networkOf(desk, currency, networkCode);
  if (network instanceof Refusal) return network;
  const networks = networkCode === undefined ? desk.networks(currency) : [network];
  const present = desk.addresses.currents(account, networks);
  if (present.length > 0) return present;
  const made = newAddress(desk, account, currency, networkCode);
  return made instanceof Refusal ? made : [made];
}

/** The present address of one network, made when there is none. */
export function currentAddress(
  desk: WalletDesk,
  account: AccountId,
  ...[currency, networkCode]: [string, string | undefined]
): OwnedAddress | Refusal {
  const network = networkOf(desk, currency, networkCode);
  if (network instanceof Refusal) return network;
  return desk.addresses.currents(account, [network])[0] ?? newAddress(desk, account, currency, networkCode);
}

/** A new address of a network; 20003 when the account has as many as it may. */
export function newAddress(
  desk: WalletDesk,
  account: AccountId,
  ...[currency, networkCode]: [string, string | undefined]
): OwnedAddress | Refusal {
  const network = networkOf(desk, currency, networkCode);
  if (network instanceof Refusal) return network;
  return (
    desk.refusalOf(account, 'makeAddress') ??
    desk.addresses.make(account, network) ??
    refuse(20_003, { description: 'the account has as many addresses as it may' })
  );
}

/** The last ten addresses given out, or withdrawn to. */
export function recentAddresses(
  desk: WalletDesk,
  account: AccountId,
  asked: { currency: string; networkCode: string | undefined; used: boolean },
): readonly DepositAddress[] | Refusal {
  const { currency, networkCode, used } = asked;
  if (desk.currency(currency) === undefined) return currencyNotFound();
  return used
    ? desk.addresses.recentlyUsed(account, currency, networkCode)
    : desk.addresses.recent(account, currency, networkCode);
}
