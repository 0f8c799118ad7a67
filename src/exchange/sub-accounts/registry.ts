import { BadInput } from '../../core/base/errors.ts';
import type { Micros } from '../../core/base/clock.ts';
import type { Random } from '../../core/base/random.ts';
import type { AccountId } from '../matching/index.ts';
import type {
  SubAccount,
  SubAccountAcl,
  SubAccountStatus,
} from '../../venues/hitbtc/wire/resources/index.ts';
import type { ExchangeAccount, Accounts, AccountOptions, SubAccountOptions } from '../base/index.ts';
import { emailOf } from '../base/index.ts';

/** Numbers of users begin here; a sub-account's number is this plus its place among the accounts. */
const numberStart = 7_001;

/** Which spelling of an id is shown: v3 hexadecimal, v2 a number. */
type IdForm = 'hex' | 'number';

/** One sub-account: an account of the exchange with a super account, a status and rights. */
export class SubAccountState {
  readonly account: ExchangeAccount;
  readonly parent: ExchangeAccount;
  readonly hexId: string;
  readonly number: string;
  readonly email: string;
  #status: SubAccountStatus;
  #acl: Omit<SubAccountAcl, 'id'>;

  constructor(setup: {
    account: ExchangeAccount;
    parent: ExchangeAccount;
    hexId: string;
    options: SubAccountOptions;
    now: Micros;
  }) {
    const { account, parent, hexId, options, now } = setup;
    this.account = account;
    this.parent = parent;
    this.hexId = hexId;
    this.number = String(numberStart + account.id);
    this.email = emailOf(account.name);
    this.#status = options.status;
    this.#acl = {
      depositAddressGenerationEnabled: options.depositAddressGenerationEnabled,
      withdrawEnabled: options.withdrawEnabled,
      description: options.description,
      createdAt: now,
      updatedAt: now,
    };
  }

  get status(): SubAccountStatus {
    return this.#status;
  }

  /** Frozen or disabled: nothing may be done in its name. */
  get isBlocked(): boolean {
    return this.#status === 'frozen' || this.#status === 'disable';
  }

  /** What an operator of the exchange may also do by hand: the documents name no call that disables. */
  setStatus(status: SubAccountStatus): void {
    this.#status = status;
  }

  row(form: IdForm): SubAccount {
    return { id: this.#id(form), email: this.email, status: this.#status };
  }

  acl(form: IdForm): SubAccountAcl {
    return { id: this.#id(form), ...this.#acl };
  }

  /** Changes what is given and leaves the rest. */
  changeAcl(change: AclChange, now: Micros): void {
    const old = this.#acl;
    this.#acl = {
      depositAddressGenerationEnabled:
        change.depositAddressGenerationEnabled ?? old.depositAddressGenerationEnabled,
      withdrawEnabled: change.withdrawEnabled ?? old.withdrawEnabled,
      description: change.description ?? old.description,
      createdAt: old.createdAt,
      updatedAt: now,
    };
  }

  #id(form: IdForm): string {
    return form === 'hex' ? this.hexId : this.number;
  }
}

/** Rights to be changed; what is absent stays. */
interface AclChange {
  readonly depositAddressGenerationEnabled?: boolean | undefined;
  readonly withdrawEnabled?: boolean | undefined;
  readonly description?: string | undefined;
}

/** All sub-accounts of the exchange. Their ids are made from the seed. */
export class SubAccountRegistry {
  readonly #byAccount = new Map<AccountId, SubAccountState>();
  readonly #byParent = new Map<AccountId, SubAccountState[]>();

  /** Throws `BadInput` when a super account is unknown or itself a sub-account. */
  constructor(accounts: Accounts, options: readonly AccountOptions[], random: Random, now: Micros) {
    const subNames = new Set(options.filter(({ subAccount }) => subAccount).map(({ name }) => name));
    for (const { name, subAccount } of options) {
      if (subAccount === undefined) continue;
      if (subNames.has(subAccount.parent)) {
        throw new BadInput(
          `account ${name}: its super account ${subAccount.parent} is a sub-account; expected one that is not`,
        );
      }
      const parent = accounts.get(subAccount.parent);
      const sub = new SubAccountState({
        account: accounts.get(name),
        parent,
        hexId: hexId(random.fork(name)),
        options: subAccount,
        now,
      });
      this.#byAccount.set(sub.account.id, sub);
      const subs = this.#byParent.get(parent.id) ?? [];
      subs.push(sub);
      this.#byParent.set(parent.id, subs);
    }
  }

  /** The sub-accounts of a super account, in the order of the options; none for any other account. */
  of(parent: AccountId): readonly SubAccountState[] {
    return this.#byParent.get(parent) ?? [];
  }

  /** The sub of an account that is a sub-account. */
  subAccountOf(account: AccountId): SubAccountState | undefined {
    return this.#byAccount.get(account);
  }

  /** A sub-account of `parent` by either spelling of its id. */
  find(parent: AccountId, id: string): SubAccountState | undefined {
    const wanted = id.toLowerCase();
    return this.of(parent).find((sub) => sub.hexId === wanted || sub.number === wanted);
  }
}

/** 32 hexadecimal digits, at the least one of them a letter: never to be taken for a number. */
function hexId(random: Random): string {
  let id = 'abcdef'[random.between(0, 5)] as string;
  while (id.length < 32) id += random.between(0, 15).toString(16);
  return id;
}
