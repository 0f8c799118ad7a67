import type { Random } from '../../core/base/random.ts';
import type { AccountId } from '../matching/index.ts';
import type { DepositAddress } from '../../venues/hitbtc/wire/resources/index.ts';
import { makeAddress, makePaymentId } from './address-forms.ts';
import type { Network } from './networks.ts';

/** An address of an account, and whose it is. */
export interface OwnedAddress extends DepositAddress {
  readonly account: AccountId;
}

const recentMax = 10;

/** Deposit addresses of all accounts, and the addresses they withdrew to. Made from the seed. */
export class AddressBook {
  readonly #random: Random;
  readonly #max: number;
  /** Oldest first, by account and currency. */
  readonly #own = new Map<string, OwnedAddress[]>();
  readonly #owners = new Map<string, OwnedAddress[]>();
  /** Newest first, by account and currency. */
  readonly #used = new Map<string, DepositAddress[]>();

  constructor(random: Random, max: number) {
    this.#random = random;
    this.#max = max;
  }

  /** A new address, or undefined when the account has as many as it may. */
  make(account: AccountId, network: Network): OwnedAddress | undefined {
    const list = listOf(this.#own, keyOf(account, network.currency));
    if (list.length >= this.#max) return undefined;
    const random = this.#random.fork(`${account} ${network.currency} ${network.code} ${list.length}`);
    const address = makeAddress(network.form, random);
    const owned: OwnedAddress = {
      account,
      currency: network.currency,
      address,
      paymentId: network.paymentId ? makePaymentId(random) : undefined,
      publicKey: undefined,
      networkCode: network.code,
    };
    list.push(owned);
    listOf(this.#owners, normal(address)).push(owned);
    return owned;
  }

  /** The newest address of a network, made if there is none. */
  current(account: AccountId, network: Network): OwnedAddress | undefined {
    return (
      this.#list(account, network.currency).findLast(({ networkCode }) => networkCode === network.code) ??
      this.make(account, network)
    );
  }

  /** The newest address of each network that has one. */
  currents(account: AccountId, networks: readonly Network[]): readonly OwnedAddress[] {
    return networks.flatMap(
      ({ currency, code }) =>
        this.#list(account, currency).findLast(({ networkCode }) => networkCode === code) ?? [],
    );
  }

  /** The last 10 addresses, newest first. */
  recent(account: AccountId, currency: string, networkCode: string | undefined): readonly OwnedAddress[] {
    return this.#list(account, currency)
      .filter((address) => networkCode === undefined || address.networkCode === networkCode)
      .slice(-recentMax)
      .toReversed();
  }

  /** The last 10 different addresses withdrawn to, newest first. */
  recentlyUsed(
    account: AccountId,
    currency: string,
    networkCode: string | undefined,
  ): readonly DepositAddress[] {
    return (this.#used.get(keyOf(account, currency)) ?? [])
      .filter((address) => networkCode === undefined || address.networkCode === networkCode)
      .slice(0, recentMax);
  }

  /** Records a withdrawal. A few more than ten are kept, because of several networks. */
  use(account: AccountId, used: DepositAddress): void {
    const key = keyOf(account, used.currency);
    const others = (this.#used.get(key) ?? []).filter(
      ({ address, paymentId, networkCode }) =>
        address !== used.address || paymentId !== used.paymentId || networkCode !== used.networkCode,
    );
    this.#used.set(key, [used, ...others].slice(0, recentMax * 5));
  }

  /** Whose an address is, in a currency, with its extra identifier where it has one. */
  ownerOf(address: string, currency: string, paymentId: string | undefined): OwnedAddress | undefined {
    return this.#owners
      .get(normal(address))
      ?.find(
        (owned) =>
          owned.currency === currency && (owned.paymentId === undefined || owned.paymentId === paymentId),
      );
  }

  /** Whether an address is one of the account's, in any currency. */
  isOwn(account: AccountId, address: string): boolean {
    return this.#owners.get(normal(address))?.some((owned) => owned.account === account) ?? false;
  }

  #list(account: AccountId, currency: string): readonly OwnedAddress[] {
    return this.#own.get(keyOf(account, currency)) ?? [];
  }
}

/** Hexadecimal addresses are the same in any case; all others begin differently. */
function normal(address: string): string {
  return address.startsWith('0x') ? address.toLowerCase() : address;
}

function keyOf(account: AccountId, currency: string): string {
  return `${account} ${currency}`;
}

function listOf<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  let list = lists.get(key);
  if (list === undefined) lists.set(key, (list = []));
  return list;
}
