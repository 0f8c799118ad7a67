import type { Random } from '../../core/base/random.ts';
import type { Accounts } from '../accounts.ts';
import type { Core } from '../core.ts';
import type { MarginDesk } from '../margin/desk.ts';
import type { AccountOptions } from '../options.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { SubAccountDesk } from './desk.ts';
import { SubAccountGate } from './gate.ts';
import { SubAccountRegistry } from './registry.ts';
import { WalletSide } from './wallet-side.ts';

/** Sub-accounts as the options list them, joined to the wallet: its guard, and what moves their money. */
export function joinSubAccounts(setup: {
  accounts: Accounts;
  options: readonly AccountOptions[];
  core: Core;
  wallet: Wallet;
  marginDesk: MarginDesk;
  random: Random;
}): { subAccounts: SubAccountDesk; subAccountGate: SubAccountGate } {
  const { accounts, options, core, wallet, marginDesk, random } = setup;
  const registry = new SubAccountRegistry(accounts, options, random, core.now());
  const subAccountGate = new SubAccountGate(registry);
  wallet.desk.guards.push((account, action) => subAccountGate.guardWallet(account, action));
  return {
    subAccounts: new SubAccountDesk({ registry, core, wallet: new WalletSide(core, wallet), marginDesk }),
    subAccountGate,
  };
}
