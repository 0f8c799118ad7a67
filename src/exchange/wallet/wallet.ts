import { parseAmount } from '../../core/base/amount.ts';
import { BadInput } from '../../core/base/errors.ts';
import type { AccountId } from '../matching/index.ts';
import type { InternalWithdrawParams } from '../../venues/hitbtc/wire/resources/index.ts';
import type { ExchangeAccount, Refusal } from '../base/index.ts';
import { emailOf, refuse } from '../base/index.ts';
import type { WalletOptions } from './options.ts';
import type { Rates } from '../market/rates.ts';
import { Airdrops } from './airdrops.ts';
import type { IncomingDeposit } from './deposits.ts';
import { Deposits } from './deposits.ts';
import type { WalletDeps } from './context.ts';
import { WalletContext } from './context.ts';
import { Locks } from './locks.ts';
import { Transfers } from './transfers.ts';
import { Withdrawals } from './withdrawals.ts';

/** What the demo accounts have in their wallets where the options say nothing else. */
const demoDeposits = [
  { account: 'demo', currency: 'BTC', amount: '2', incoming: false },
  { account: 'demo', currency: 'ETH', amount: '50', incoming: false },
  { account: 'demo', currency: 'USDT', amount: '100000', incoming: false },
  { account: 'demo', currency: 'BTC', amount: '0.25', incoming: true },
  { account: 'demo-two', currency: 'USDT', amount: '50000', incoming: false },
  { account: 'demo-two', currency: 'XRP', amount: '20000', incoming: false },
] as const;

/**
 * Wallets: balances of their own beside the trading ones, deposits, withdrawals, transfers, transactions.
 * Source: v3-gaps, sections 3 and 6; API v2, "Account management".
 */
export class WalletService {
  readonly context: WalletContext;
  readonly deposits: Deposits;
  readonly withdrawals: Withdrawals;
  readonly transfers: Transfers;
  readonly locks: Locks;
  readonly airdrops: Airdrops;

  /** Throws `BadInput` when the options name accounts or currencies that do not exist. */
  constructor(setup: WalletDeps, rates: Rates) {
    this.context = new WalletContext(setup);
    for (const { currency } of [...setup.options.airdrops, ...setup.options.locks]) {
      if (this.context.currency(currency) === undefined) {
        throw new BadInput(`an airdrop or lock of the wallet: there is no currency ${currency}`);
      }
    }
    this.deposits = new Deposits(this.context);
    this.locks = new Locks(this.context);
    this.withdrawals = new Withdrawals(this.context, this.deposits, this.locks);
    this.transfers = new Transfers(this.context, rates);
    this.airdrops = new Airdrops(this.context, this.deposits);
    this.#openDeposits(setup.options);
  }

  /** Withdraws to another user of the exchange, at once. Source: v3-gaps, section 6. */
  withdrawInternally(account: AccountId, params: InternalWithdrawParams): string | Refusal {
    const { currency, amount, by, identifier } = params;
    const { options, accounts } = this.context;
    if (this.context.currency(currency) === undefined) return refuse(2_002);
    if (!options.internalWithdrawals) return refuse(20_018);
    const forbidden = this.context.refusalOf(account, 'withdraw');
    if (forbidden !== undefined) return forbidden;
    const nameOf = ({ name }: ExchangeAccount): string => (by === 'email' ? emailOf(name) : name);
    const wanted = identifier.toLowerCase();
    const payee = accounts.all.find((user) => !user.internal && nameOf(user).toLowerCase() === wanted);
    if (payee === undefined) return refuse(22_004);
    if (payee.id === account) return refuse(600, { description: 'the user is the payer' });
    if (!this.locks.leaves(account, currency, amount)) return refuse(20_001);
    return this.transfers.moveFunds({ from: account, to: payee.id, currency, amount });
  }

  /** Has no timer run any more. */
  stop(): void {
    this.context.stop();
  }

  #openDeposits({ deposits }: WalletOptions): void {
    for (const deposit of deposits ?? demoDeposits) {
      const given = deposits !== undefined;
      const account = this.context.accounts.all.find(({ name }) => name === deposit.account);
      const known = account !== undefined && this.context.currency(deposit.currency) !== undefined;
      if (!known && given) {
        throw new BadInput(
          `a deposit of ${deposit.currency} for ${deposit.account}: no such account or currency`,
        );
      }
      if (!known) continue;
      const incoming: IncomingDeposit = {
        account: account.id,
        currency: deposit.currency,
        amount: parseAmount(deposit.amount),
        network: 'network' in deposit ? deposit.network : undefined,
      };
      // Money that is no cryptocurrency comes from no network.
      if (deposit.incoming && (given || this.context.networks(deposit.currency).length > 0)) {
        this.deposits.receive(incoming);
      } else {
        this.deposits.open(incoming);
      }
    }
  }
}
