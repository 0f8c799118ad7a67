import type { Amount } from '../../core/base/amount.ts';
import { negate, parseAmount } from '../../core/base/amount.ts';
import type { AccountId } from '../matching/index.ts';
import { futuresAccountOf } from '../matching/index.ts';
import type { Balance } from '../../core/model/market.ts';
import type { SubAccountAddress } from '../../venues/hitbtc/wire/resources/index.ts';
import type { Core, Refusal } from '../base/index.ts';
import { currencyNotFound, refuse, badAmount, networkNotFound, nonZeroBalances } from '../base/index.ts';
import type { WalletContext, Locks, WalletService } from '../wallet/index.ts';
import { writtenDecimals, fitsUnit } from '../wallet/index.ts';

/** A movement from one wallet to another. */
interface WalletMove {
  readonly from: AccountId;
  readonly to: AccountId;
  readonly currency: string;
  readonly amount: Amount;
}

/** The wallet as sub-accounts use it. Every call that moves money leaves a transaction with each side of it. */
export class SubAccountWallet {
  readonly #core: Core;
  readonly #context: WalletContext;
  readonly #locks: Locks;

  constructor(core: Core, wallet: WalletService) {
    this.#core = core;
    this.#context = wallet.context;
    this.#locks = wallet.locks;
  }

  /** Balances that are not zero. */
  balances(account: AccountId): readonly Balance[] {
    return this.#context.held.balances(account);
  }

  /**
   * Moves between two wallets in one step; the transaction of `caller`, one of the two. Refusals: 2002, 10001 for
   * an amount with too many decimals, 20001 for one that is not there or locked.
   */
  move(move: WalletMove, caller: AccountId): string | Refusal {
    const { from, to, currency, amount } = move;
    const { held, log, notices } = this.#context;
    const options = this.#context.currency(currency);
    if (options === undefined) return currencyNotFound();
    const unit = parseAmount(options.transferPrecision);
    if (!fitsUnit(amount, unit))
      return badAmount(`Parameter has more than ${writtenDecimals(unit)} decimals`);
    if (!this.#locks.leaves(from, currency, amount)) return refuse(20_001);
    if (!held.deposit(from, currency, negate(amount))) return refuse(20_001);
    held.deposit(to, currency, amount);
    const operationId = log.newId();
    const [sent, received] = [from, to].map((account) =>
      log.add({
        account,
        status: 'SUCCESS',
        type: 'TRANSFER',
        subtype: 'SUB_ACCOUNT',
        currency,
        amount,
        operationId,
        native: { operationType: account === from ? 'sub_account_sent' : 'sub_account_received' },
      }),
    );
    notices.settle();
    return (caller === from ? sent : received)?.native.txId ?? operationId;
  }

  /** Takes all that is available for trading, of symbols and of contracts, into the wallet. */
  collectTrading(account: AccountId): void {
    this.#collect(account, account, 'SPOT_TO_WALLET');
    this.#collect(account, futuresAccountOf(account), 'DERIVATIVES_TO_WALLET');
    this.#context.notices.settle();
  }

  #collect(account: AccountId, from: AccountId, subtype: 'SPOT_TO_WALLET' | 'DERIVATIVES_TO_WALLET'): void {
    const { held, log } = this.#context;
    for (const { currency, available } of nonZeroBalances(this.#core, from)) {
      if (available <= 0n) continue;
      this.#core.handle({ kind: 'adjustBalance', account: from, currency, change: negate(available) });
      held.deposit(account, currency, available);
      log.add({ account, status: 'SUCCESS', type: 'TRANSFER', subtype, currency, amount: available });
    }
  }

  /** The current deposit address; 2002 for a currency without addresses, 10001 for an unknown network. */
  address(
    account: AccountId,
    currency: string,
    networkCode: string | undefined,
  ): SubAccountAddress | Refusal {
    const context = this.#context;
    if (context.networks(currency).length === 0) return currencyNotFound();
    const network = context.network(currency, networkCode);
    if (network === undefined) return networkNotFound(networkCode ?? '');
    return context.addresses.current(account, network) ?? refuse(20_003);
  }
}
