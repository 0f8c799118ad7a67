import type { Clock } from '../../../../core/base/clock.ts';
import { later } from '../../../../core/base/clock.ts';
import type { Random } from '../../../../core/base/random.ts';
import type { PathBudgets, RateRow } from '../../budgets/path.ts';
import type { Credentials } from '../../../../core/base/secret.ts';
import {
  limitOf,
  v3Limits,
  v2BearerParams,
  v2LoginParams,
  v3LoginParams,
  v2BasicParams,
  v3BasicParams,
} from '../../wire/index.ts';
import { v2LimitOf } from '../../wire/v2/index.ts';
import { AddressRefused, requireLoopback, socketAddress } from '../../../address.ts';
import { restRoots } from '../../client/index.ts';
import type { ClockOffset } from '../../../net/index.ts';
import type { ClientOptions } from '../../../options.ts';
import { SocketLine } from './line.ts';
import { v2TradingLine, v3TradingLine } from './trading-line.ts';
import { V2AccountSocket, V2CombinedSocket, V2PublicSocket, V2TradingSocket } from './v2.ts';
import { V3MarketSocket } from './v3-market.ts';
import { V3TradingSocket } from './v3-trading.ts';
import { V3WalletSocket } from './v3-wallet.ts';
import { callDenied } from '../calls/index.ts';
import type { RowReader } from '../calls/index.ts';

/** How a socket logs in. `BASIC` shows the secret: to this machine only. `BEARER` is of v2 alone. */
export type SocketLogin = 'HS256' | 'BASIC' | 'BEARER';

/** Opens sockets, each with a connection of its own that is kept up until closed. */
export interface SocketClients {
  /** Market data of v3. */
  marketV3(): V3MarketSocket;
  /** Orders, balances and margin of v3. */
  tradingV3(login?: Exclude<SocketLogin, 'BEARER'>): V3TradingSocket;
  /** Wallet of v3. */
  walletV3(login?: Exclude<SocketLogin, 'BEARER'>): V3WalletSocket;
  /** Market data of v2. */
  publicV2(): V2PublicSocket;
  tradingV2(login?: SocketLogin): V2TradingSocket;
  accountV2(login?: SocketLogin): V2AccountSocket;
  /** Everything of v2 on one connection, logged in when there are credentials. */
  combinedV2(login?: SocketLogin): V2CombinedSocket;
}

export interface SocketClientsSetup {
  readonly wsUrl: string | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly options: ClientOptions;
  readonly budgets: PathBudgets;
  readonly rows: RowReader;
  readonly credentials: Credentials | undefined;
  readonly clockOffset: ClockOffset;
}

/** The sockets of a client, and how to close all of them. */
export function socketClients(setup: SocketClientsSetup): {
  readonly clients: SocketClients;
  readonly close: () => Promise<void>;
} {
  const open = new Set<SocketLine>();
  let count = 0;
  const lineOf = (version: 'v3' | 'v2', place: string, login?: () => object): SocketLine => {
    const { clock, random, options, budgets, rows, wsUrl = '' } = setup;
    count += 1;
    const line = new SocketLine({
      url: socketAddress(wsUrl, `${restRoots[version]}${place}`),
      clock,
      random: random.fork(String(count)),
      options,
      budgets,
      rows,
      rowsOf: (method) => (version === 'v3' ? v3Rows(place, method) : [v2LimitOf(method)]),
      login,
    });
    open.add(line);
    line.states$.subscribe((state) => state === 'closed' && open.delete(line));
    return line;
  };
  const logins = loginsOf(setup);
  const v3 = (place: string, login: SocketLogin) =>
    v3TradingLine(lineOf('v3', place, logins.v3(place, login)));
  const v2 = (place: string, login?: () => object) => v2TradingLine(lineOf('v2', place, login));
  return {
    clients: {
      marketV3: () => new V3MarketSocket(lineOf('v3', '/ws/public')),
      tradingV3: (login = 'HS256') => new V3TradingSocket(v3('/ws/trading', login)),
      walletV3: (login = 'HS256') => new V3WalletSocket(v3('/ws/wallet', login)),
      publicV2: () => new V2PublicSocket(v2('/ws/public')),
      tradingV2: (login = 'HS256') => new V2TradingSocket(v2('/ws/trading', logins.v2('/ws/trading', login))),
      accountV2: (login = 'HS256') => new V2AccountSocket(v2('/ws/account', logins.v2('/ws/account', login))),
      combinedV2: (login = 'HS256') =>
        new V2CombinedSocket(
          v2('/ws', setup.credentials === undefined ? undefined : logins.v2('/ws', login)),
        ),
    },
    close: async () => {
      await Promise.all([...open].map((line) => line.close()));
    },
  };
}

function loginsOf(setup: SocketClientsSetup) {
  const { clock, clockOffset, options } = setup;
  const now = () => later(clock.now(), clockOffset.offset);
  const nonces = setup.random.fork('nonces');
  const given = (place: string, login: SocketLogin): Credentials => {
    if (setup.credentials === undefined) {
      throw callDenied(place, 'CREDENTIALS_MISSING', 'expected credentials: this socket needs a login');
    }
    if (login === 'BASIC') requireLoopback(setup.wsUrl ?? '', new AddressRefused(basicRefused));
    return setup.credentials;
  };
  return {
    v3: (place: string, login: SocketLogin) => {
      const key = given(place, login);
      return () =>
        login === 'BASIC'
          ? v3BasicParams(key)
          : v3LoginParams(key, { now: now(), windowMs: options.rest.windowMs });
    },
    v2: (place: string, login: SocketLogin) => {
      const key = given(place, login);
      return () => {
        if (login === 'BASIC') return v2BasicParams(key);
        if (login === 'BEARER') return v2BearerParams(key, now());
        return v2LoginParams(key, `${clock.now()}${nonces.uint32()}`);
      };
    },
  };
}

const basicRefused = 'expected HS256 logins: BASIC shows the secret and is for this machine only';

/**
 * Every message counts per address, but for orders and what else the trading socket takes; methods count per account. Source:
 * API v3, "Limits"; v3-gaps, section 1.7.
 */
function v3Rows(place: string, method: string): readonly RateRow[] {
  const rows = [
    place === '/ws/trading' ? undefined : limitOf(v3Limits, 'address', 'socket', place),
    limitOf(v3Limits, 'account', 'method', `${place} ${method}`),
  ];
  return rows.filter((row) => row !== undefined);
}
