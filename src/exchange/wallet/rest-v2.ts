import type { Amount } from '../../core/base/amount.ts';
import { formatAmount } from '../../core/base/amount.ts';
import {
  address,
  feeLevel,
  inV2Words,
  transaction,
  walletBalance,
} from '../../venues/hitbtc/wire/resources/index.ts';
import type { DepositAddress } from '../../venues/hitbtc/wire/resources/index.ts';
import { Refusal, refuse, written } from '../base/index.ts';
import type { RestRoute } from '../http/index.ts';
import { routeAccount, v2Route } from '../http/index.ts';
import { currentAddress, newAddress, recentAddresses } from './address-answers.ts';
import { resultAnswer, withdrawAnswer } from './rest-v3.ts';
import { selectTransactions } from './transactions.ts';
import type { WalletService } from './wallet.ts';

/** Levels of speed by their share of the usual fee, in hundredths. */
const feeLevels = [
  { feeLevelId: 1, comment: 'Slow', percent: 50n, isDefault: false },
  { feeLevelId: 2, comment: 'Normal', percent: 100n, isDefault: true },
  { feeLevelId: 3, comment: 'Fast', percent: 200n, isDefault: false },
] as const;

/** Account management of v2. Source: API v2, "Account management". */
export function v2AccountRoutes(wallet: WalletService): readonly RestRoute[] {
  return [
    v2Route('accountBalances', (_params, call) =>
      wallet.context.held.balances(routeAccount(call)).map((one) => walletBalance.v2.write(one)),
    ),
    ...addressRoutes(wallet),
    ...withdrawRoutes(wallet),
    ...transferRoutes(wallet),
    ...transactionRoutes(wallet),
  ];
}

const addressObject = (given: DepositAddress): object => address.v2.write(given);

function addressRoutes({ context }: WalletService): RestRoute[] {
  return [
    v2Route('accountAddress', ({ currency, networkCode }, call) =>
      written(currentAddress(context, routeAccount(call), currency, networkCode), addressObject),
    ),
    v2Route('accountNewAddress', ({ currency, networkCode }, call) =>
      written(newAddress(context, routeAccount(call), currency, networkCode), addressObject),
    ),
    v2Route('accountAddresses', ({ currency, networkCode }, call) => {
      const list = recentAddresses(context, routeAccount(call), { currency, networkCode, used: false });
      return written(list, (found) => found.map(addressObject));
    }),
    v2Route('accountUsedAddresses', ({ currency, networkCode }, call) => {
      const list = recentAddresses(context, routeAccount(call), { currency, networkCode, used: true });
      return written(list, (found) =>
        found.map(({ address: used, paymentId }) => address.v2.write({ address: used, paymentId })),
      );
    }),
    v2Route('accountIsMine', ({ address }, call) => ({
      result: context.addresses.isOwn(routeAccount(call), address),
    })),
  ];
}

function withdrawRoutes(wallet: WalletService): RestRoute[] {
  const { withdrawals } = wallet;
  return [
    v2Route('accountWithdraw', (params, call) => withdrawAnswer(wallet, routeAccount(call), params)),
    v2Route('accountCommitWithdraw', ({ id }, call) =>
      resultAnswer(withdrawals.commit(routeAccount(call), id)),
    ),
    v2Route('accountRollBackWithdraw', ({ id }, call) =>
      resultAnswer(withdrawals.rollBack(routeAccount(call), id)),
    ),
    v2Route('accountEstimateWithdraw', ({ currency, networkCode }) => {
      const fee = withdrawals.estimate(currency, networkCode);
      return written(fee, (amount) => ({ fee: formatAmount(amount) }));
    }),
    v2Route('accountEstimateWithdrawLevels', ({ currency }) => {
      const fee = withdrawals.estimate(currency, undefined);
      if (fee instanceof Refusal) return fee;
      return feeLevels.map(({ percent, ...level }) =>
        feeLevel.v2.write({ ...level, fee: ((fee * percent) / 100n) as Amount }),
      );
    }),
  ];
}

function transferRoutes(wallet: WalletService): RestRoute[] {
  const { transfers } = wallet;
  return [
    v2Route('accountTransfer', (params, call) => {
      const id = transfers.transfer(routeAccount(call), params);
      return written(id, (made) => ({ id: made }));
    }),
    v2Route('accountConvert', (params, call) => resultAnswer(transfers.convert(routeAccount(call), params))),
    v2Route('accountTransferInternal', (params, call) =>
      resultAnswer(wallet.withdrawInternally(routeAccount(call), params)),
    ),
  ];
}

function transactionRoutes({ context }: WalletService): RestRoute[] {
  return [
    v2Route('accountTransactions', (params, call) =>
      selectTransactions(context.log.all(routeAccount(call)), params).map((found) =>
        transaction.v2.write(inV2Words(found, params.showSenders)),
      ),
    ),
    v2Route('accountTransaction', ({ id }, call) => {
      const found = context.log.find(routeAccount(call), id);
      return found === undefined ? refuse(20_004) : transaction.v2.write(inV2Words(found, false));
    }),
  ];
}
