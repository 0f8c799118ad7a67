import { createHash } from 'node:crypto';
import { formatAmount } from '../../core/base/amount.ts';
import type { AccountId } from '../matching/command.ts';
import { encodeAirdrop } from '../../venues/hitbtc/wire/airdrop.ts';
import { encodeAmountLock } from '../../venues/hitbtc/wire/amount-lock.ts';
import { encodeV3Address } from '../../venues/hitbtc/wire/deposit-address.ts';
import type { WithdrawParams } from '../../venues/hitbtc/wire/wallet-params.ts';
import { encodeFeeEstimate } from '../../venues/hitbtc/wire/wallet-answers.ts';
import { encodeV3Transaction } from '../../venues/hitbtc/wire/v3/wallet-transactions.ts';
import type { AppSetup } from '../app-setup.ts';
import { currencyNotFound, Refusal, refuse } from '../refusal.ts';
import type { RestRoute } from '../http/rest-route.ts';
import { accountOf, v3Route } from '../http/rest-route.ts';
import { addressesOf, newAddress, recentAddresses } from './address-answers.ts';
import { balanceOfCurrency, walletBalance } from '../../venues/hitbtc/wire/resources/account.ts';
import { selectTransactions } from './transactions.ts';
import type { WalletService } from './wallet.ts';

/** The wallet of v3. Source: API v3, "Wallet"; v3-gaps, section 6. */
export function v3WalletRoutes({ world: { wallet } }: AppSetup): readonly RestRoute[] {
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
      context.ledger.balances(accountOf(call)).map((one) => walletBalance.v2.write(one)),
    ),
    v3Route('walletBalance', ({ currency }, call) =>
      context.currency(currency) === undefined
        ? currencyNotFound()
        : balanceOfCurrency.v3.write(context.ledger.balance(accountOf(call), currency)),
    ),
  ];
}

function addressRoutes({ context }: WalletService): RestRoute[] {
  return [
    v3Route('walletAddresses', ({ currency, networkCode }, call) => {
      const list = addressesOf(context, accountOf(call), currency, networkCode);
      return list instanceof Refusal ? list : list.map(encodeV3Address);
    }),
    v3Route('walletNewAddress', ({ currency, networkCode }, call) => {
      const made = newAddress(context, accountOf(call), currency, networkCode);
      return made instanceof Refusal ? made : encodeV3Address(made);
    }),
    v3Route('walletRecentDepositAddresses', (params, call) => {
      const list = recentAddresses(context, accountOf(call), { ...params, used: false });
      return list instanceof Refusal ? list : list.map(encodeV3Address);
    }),
    v3Route('walletRecentWithdrawAddresses', (params, call) => {
      const list = recentAddresses(context, accountOf(call), { ...params, used: true });
      return list instanceof Refusal ? list : list.map(encodeV3Address);
    }),
    v3Route('walletIsMine', ({ address }, call) => ({
      result: context.addresses.isOwn(accountOf(call), address),
    })),
    v3Route('walletWhiteList', (_params, call) =>
      context.options.whiteList
        .filter(({ account }) => account === call.account?.name)
        .map(({ address, currency, name, network }) => ({ address, currency, name, network })),
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
  return made instanceof Refusal ? made : { id: made.native.txId };
}

/** `{result}` of what succeeded. */
export function resultAnswer(result: unknown): object | Refusal {
  return result instanceof Refusal ? result : { result };
}

function withdrawRoutes(wallet: WalletService): RestRoute[] {
  const { withdrawals } = wallet;
  return [
    v3Route('walletWithdraw', (params, call) => withdrawAnswer(wallet, accountOf(call), params)),
    v3Route('walletCommitWithdraw', ({ id }, call) => resultAnswer(withdrawals.commit(accountOf(call), id))),
    v3Route('walletRollBackWithdraw', ({ id }, call) =>
      resultAnswer(withdrawals.rollBack(accountOf(call), id)),
    ),
    v3Route('walletInternalWithdraw', (params, call) =>
      resultAnswer(wallet.withdrawInternally(accountOf(call), params)),
    ),
    v3Route('walletOffchainAvailable', ({ currency, address, paymentId }) =>
      wallet.context.currency(currency) === undefined
        ? currencyNotFound()
        : { result: withdrawals.insider(address, currency, paymentId) !== undefined },
    ),
  ];
}

function feeRoutes({ context, withdrawals }: WalletService): RestRoute[] {
  const many = ({ items }: { items: readonly Parameters<typeof one>[0][] }) => {
    const estimates = items.map(one);
    return estimates.find((estimate) => estimate instanceof Refusal) ?? estimates;
  };
  const one = (item: {
    readonly currency: string;
    readonly amount: Parameters<typeof formatAmount>[0];
    readonly networkCode: string | undefined;
  }) => {
    const fee = withdrawals.estimate(item.currency, item.networkCode);
    if (fee instanceof Refusal) return fee;
    return encodeFeeEstimate({ currency: item.currency, amount: item.amount, fee, networkFee: fee });
  };
  return [
    v3Route('walletEstimateFee', ({ currency, networkCode }) => {
      const fee = withdrawals.estimate(currency, networkCode);
      return fee instanceof Refusal ? fee : { fee: formatAmount(fee) };
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
    v3Route('walletConvert', (params, call) => resultAnswer(transfers.convert(accountOf(call), params))),
    v3Route('walletTransfer', (params, call) => {
      const id = transfers.transfer(accountOf(call), params);
      return id instanceof Refusal ? id : [id];
    }),
  ];
}

function transactionRoutes({ context }: WalletService): RestRoute[] {
  return [
    v3Route('walletTransactions', (params, call) =>
      selectTransactions(context.log.all(accountOf(call)), params).map(encodeV3Transaction),
    ),
    v3Route('walletTransaction', ({ txId }, call) => {
      const transaction = context.log.find(accountOf(call), txId);
      return transaction === undefined ? refuse(20_004) : encodeV3Transaction(transaction);
    }),
  ];
}

function otherRoutes({ locks, airdrops }: WalletService): RestRoute[] {
  return [
    v3Route('walletAmountLocks', (params, call) => locks.list(accountOf(call), params).map(encodeAmountLock)),
    v3Route('walletAirdrops', (_params, call) => airdrops.list(accountOf(call)).map(encodeAirdrop)),
    v3Route('walletClaimAirdrop', ({ id }, call) => {
      const claimed = airdrops.claim(accountOf(call), id);
      return claimed instanceof Refusal ? claimed : encodeAirdrop(claimed);
    }),
  ];
}
