import { createHash } from 'node:crypto';
import { formatAmount } from '../../core/base/amount.ts';
import type { AccountId } from '../matching/index.ts';
import * as resources from '../../venues/hitbtc/wire/resources/wallet.ts';
import type { EstimateParams, WithdrawParams } from '../../venues/hitbtc/wire/resources/index.ts';
import { currencyNotFound, Refusal, refuse, written } from '../base/index.ts';
import type { RestRoute } from '../http/index.ts';
import { routeAccount, v3Route } from '../http/index.ts';
import { addressesOf, newAddress, recentAddresses } from './address-answers.ts';
import { balanceOfCurrency, walletBalance } from '../../venues/hitbtc/wire/resources/index.ts';
import { selectTransactions } from './transactions.ts';
import type { WalletService } from './wallet.ts';

/** The wallet of v3. Source: API v3, "Wallet"; v3-gaps, section 6. */
export function v3WalletRoutes(wallet: WalletService): readonly RestRoute[] {
  return [
    ...balanceRoutes(wallet),
    ...addressRoutes(wallet),
    ...withdrawRoutes(wallet),
    ...feeRoutes(wallet),
    ...transferRoutes(wallet),
    ...transactionRoutes(wallet),
    ...otherRoutes(wallet),
  ];
}

function balanceRoutes({ context }: WalletService): RestRoute[] {
  return [
    v3Route('walletBalances', (_params, call) =>
      context.held.balances(routeAccount(call)).map((one) => walletBalance.v2.write(one)),
    ),
    v3Route('walletBalance', ({ currency }, call) =>
      context.currency(currency) === undefined
        ? currencyNotFound()
        : balanceOfCurrency.v3.write(context.held.balance(routeAccount(call), currency)),
    ),
  ];
}

function addressRoutes({ context }: WalletService): RestRoute[] {
  const { write } = resources.address.v3;
  return [
    v3Route('walletAddresses', ({ currency, networkCode }, call) => {
      const list = addressesOf(context, routeAccount(call), currency, networkCode);
      return written(list, (found) => found.map(write));
    }),
    v3Route('walletNewAddress', ({ currency, networkCode }, call) =>
      written(newAddress(context, routeAccount(call), currency, networkCode), write),
    ),
    v3Route('walletRecentDepositAddresses', (params, call) => {
      const list = recentAddresses(context, routeAccount(call), { ...params, used: false });
      return written(list, (found) => found.map(write));
    }),
    v3Route('walletRecentWithdrawAddresses', (params, call) => {
      const list = recentAddresses(context, routeAccount(call), { ...params, used: true });
      return written(list, (found) => found.map(write));
    }),
    v3Route('walletIsMine', ({ address }, call) => ({
      result: context.addresses.isOwn(routeAccount(call), address),
    })),
    v3Route('walletWhiteList', (_params, call) =>
      context.options.whiteList
        .filter(({ account }) => account === call.account?.name)
        .map((entry) => resources.whiteListEntry.v3.write(entry)),
    ),
  ];
}

/** The id of a new withdrawal, as both versions answer it. */
export function withdrawAnswer(
  wallet: WalletService,
  account: AccountId,
  params: WithdrawParams,
): object | Refusal {
  const made = wallet.withdrawals.withdraw(account, params);
  return written(made, ({ native }) => ({ id: native.txId }));
}

/** `{result}` of what succeeded. */
export function resultAnswer(result: unknown): object | Refusal {
  return result instanceof Refusal ? result : { result };
}

function withdrawRoutes(wallet: WalletService): RestRoute[] {
  const { withdrawals } = wallet;
  return [
    v3Route('walletWithdraw', (params, call) => withdrawAnswer(wallet, routeAccount(call), params)),
    v3Route('walletCommitWithdraw', ({ id }, call) =>
      resultAnswer(withdrawals.commit(routeAccount(call), id)),
    ),
    v3Route('walletRollBackWithdraw', ({ id }, call) =>
      resultAnswer(withdrawals.rollBack(routeAccount(call), id)),
    ),
    v3Route('walletInternalWithdraw', (params, call) =>
      resultAnswer(wallet.withdrawInternally(routeAccount(call), params)),
    ),
    v3Route('walletOffchainAvailable', ({ currency, address, paymentId }) =>
      wallet.context.currency(currency) === undefined
        ? currencyNotFound()
        : { result: withdrawals.insider(address, currency, paymentId) !== undefined },
    ),
  ];
}

function feeRoutes({ context, withdrawals }: WalletService): RestRoute[] {
  const many = ({ items }: { items: readonly EstimateParams[] }) => {
    const estimates = items.map(one);
    return estimates.find((estimate) => estimate instanceof Refusal) ?? estimates;
  };
  const one = (item: EstimateParams) => {
    const fee = withdrawals.estimate(item.currency, item.networkCode);
    if (fee instanceof Refusal) return fee;
    const { currency, amount } = item;
    return resources.feeEstimate.v3.write({ currency, amount, fee, networkFee: fee });
  };
  return [
    v3Route('walletEstimateFee', ({ currency, networkCode }) => {
      const fee = withdrawals.estimate(currency, networkCode);
      return written(fee, (amount) => ({ fee: formatAmount(amount) }));
    }),
    v3Route('walletEstimateFees', many),
    v3Route('walletEstimateFeesBulk', many),
    v3Route('walletFeesHash', () => {
      const fees = context.currencyCodes.flatMap((currency) =>
        context
          .networks(currency)
          .map(({ code, payoutFee }) => `${currency} ${code} ${formatAmount(payoutFee)}`),
      );
      return { hash: createHash('sha256').update(fees.join('\n')).digest('hex') };
    }),
  ];
}

function transferRoutes({ transfers }: WalletService): RestRoute[] {
  return [
    v3Route('walletConvert', (params, call) => resultAnswer(transfers.convert(routeAccount(call), params))),
    v3Route('walletTransfer', (params, call) => {
      const id = transfers.transfer(routeAccount(call), params);
      return written(id, (made) => [made]);
    }),
  ];
}

function transactionRoutes({ context }: WalletService): RestRoute[] {
  return [
    v3Route('walletTransactions', (params, call) =>
      selectTransactions(context.log.all(routeAccount(call)), params).map((found) =>
        resources.transaction.v3.write(found),
      ),
    ),
    v3Route('walletTransaction', ({ txId }, call) => {
      const found = context.log.find(routeAccount(call), txId);
      return found === undefined ? refuse(20_004) : resources.transaction.v3.write(found);
    }),
  ];
}

function otherRoutes({ locks, airdrops }: WalletService): RestRoute[] {
  return [
    v3Route('walletAmountLocks', (params, call) =>
      locks.list(routeAccount(call), params).map((lock) => resources.amountLock.v3.write(lock)),
    ),
    v3Route('walletAirdrops', (_params, call) =>
      airdrops.list(routeAccount(call)).map((own) => resources.airdrop.v3.write(own)),
    ),
    v3Route('walletClaimAirdrop', ({ id }, call) => {
      return written(airdrops.claim(routeAccount(call), id), (own) => resources.airdrop.v3.write(own));
    }),
  ];
}
