import type { Cancel } from '../../core/base/clock.ts';
import { seconds } from '../../core/base/clock.ts';
import type { StateView } from '../../core/state/index.ts';
import { Refusal } from '../../exchange/base/index.ts';
import type { RpcCall, RpcMethod } from '../../exchange/sockets/index.ts';
import { v3Method } from '../../exchange/sockets/index.ts';
import { encodeRpcNotification } from '../../venues/hitbtc/wire/index.ts';
import { spotBalance } from '../../venues/hitbtc/wire/resources/index.ts';
import type { ProgramDesk } from './desk.ts';
import {
  balanceOf,
  futuresBalance,
  futuresBalances,
  futuresFee,
  futuresFees,
  heldBalances,
  spotFee,
  spotFees,
} from './reads.ts';
import type { GatewayMethodsDeps } from './socket-answers.ts';
import { deskOfSession } from './socket-answers.ts';

type Wallet = 'spot' | 'futures';

/** Balances and fees of a wallet. Source: v3-gaps, sections 2.3 and 2.5. */
export function balanceMethods(deps: GatewayMethodsDeps, wallet: Wallet): [string, RpcMethod][] {
  const within = (call: RpcCall, read: (state: StateView, desk: ProgramDesk) => object): object => {
    const desk = deskOfSession(deps, call);
    const state = desk.stateOf(wallet);
    return state instanceof Refusal ? state : read(state, desk);
  };
  return [
    v3Method(`${wallet}_balances`, (_params, call) =>
      within(call, (state, desk) => held(state, desk, wallet)),
    ),
    v3Method(`${wallet}_balance`, ({ currency }, call) =>
      within(call, (state, desk) =>
        wallet === 'spot'
          ? balanceOf(state, { currency, desk }, (one) => spotBalance.v3.write(one))
          : futuresBalance(state, currency, (one) => spotBalance.v3.write(one)),
      ),
    ),
    v3Method(`${wallet}_fees`, (_params, call) =>
      within(call, (state) => (wallet === 'spot' ? spotFees(state) : futuresFees(state))),
    ),
    v3Method(`${wallet}_fee`, ({ symbol }, call) =>
      within(call, (state) => (wallet === 'spot' ? spotFee(state, symbol) : futuresFee(state, symbol))),
    ),
    ...balanceFeed(deps, wallet),
  ];
}

function held(state: StateView, desk: ProgramDesk, wallet: Wallet): readonly object[] {
  return wallet === 'spot' ? heldBalances(state, desk) : futuresBalances(state);
}

const batch = seconds(1);

/** Balances as they change: with each change, or at most once a second. Source: v3-gaps, section 2.3. */
function balanceFeed(deps: GatewayMethodsDeps, wallet: Wallet): [string, RpcMethod][] {
  const ending = `${wallet} balances`;
  const send = (call: RpcCall): void => {
    const desk = deskOfSession(deps, call);
    const state = desk.stateOf(wallet);
    if (state instanceof Refusal) return;
    call.session.connection.send(encodeRpcNotification(`${wallet}_balance`, held(state, desk, wallet)));
  };
  return [
    v3Method(
      `${wallet}_balance_subscribe`,
      ({ mode }, call) => {
        const desk = deskOfSession(deps, call);
        const state = desk.stateOf(wallet);
        if (state instanceof Refusal) return state;
        let cancel: Cancel | undefined;
        const later = (): void => {
          cancel ??= deps.clock.after(batch, () => {
            cancel = undefined;
            send(call);
          });
        };
        const changed = mode === 'updates' ? () => send(call) : later;
        const unwatch = desk.watch({
          balances: (of) => {
            if (of === wallet) changed();
          },
        });
        call.session.atEnd(ending, () => {
          cancel?.();
          unwatch();
        });
        return 'true';
      },
      send,
    ),
    v3Method(`${wallet}_balance_unsubscribe`, (_params, call) => {
      call.session.atEnd(ending, () => {});
      return 'true';
    }),
  ];
}
