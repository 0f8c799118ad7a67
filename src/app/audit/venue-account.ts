import { millis } from '../../core/base/clock.ts';
import type { Clock, Micros } from '../../core/base/clock.ts';
import { silentLogger } from '../../core/base/logger.ts';
import type { ReadTarget } from '../../core/model/command.ts';
import { walletOf } from '../../core/ledger/index.ts';
import type { OwnTrade } from '../../core/model/event.ts';
import { products } from '../../core/model/product.ts';
import { targetsOf } from '../../core/orders/base/reads.ts';
import { VenueFailed } from '../../venues/index.ts';
import type { Config } from '../config/schema.ts';
import { prepareLive, headerOf } from '../live/index.ts';
import { instrumentsOfJournal } from '../run/journal-header.ts';
import { askAccount, LookFailed } from '../preflight/sessions.ts';
import type { SessionAccount, Sums } from './session-account.ts';
import { addAccount, addBalances } from './session-account.ts';

/** Account as the venue itself tells it. */
export interface VenueAccount {
  readonly venue: string;
  /** All trades of the account since the session began, oldest first. */
  readonly trades: readonly OwnTrade[];
  /** Sums of wallets and margin accounts now. */
  readonly now: Sums;
}

export interface VenueSetting {
  readonly config: Config;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly directory: string;
}

/** Asks it; a sentence where it cannot be asked. Throws `LoginRefused`, and `JournalForeign` when the journal is of another account. */
export async function askVenue(
  setting: VenueSetting,
  journal: SessionAccount,
): Promise<VenueAccount | string> {
  const { config: given, environment, clock, directory } = setting;
  const { mode } = journal.started;
  if (mode === 'paper') return 'a paper session trades on a simulated account: there is no other side to ask';
  const { api_key: apiKey, base_url: baseUrl, preset } = given.venue;
  if (apiKey === undefined || (baseUrl === undefined && preset === 'custom'))
    return 'the configuration names no venue and key: only the journal was looked at';
  const config = { ...given, run: { ...given.run, directory } };
  try {
    const parts = await prepareLive({ config, environment, clock, log: silentLogger }, true);
    const header = headerOf({ ...parts, mode });
    const { instruments } = instrumentsOfJournal(header, parts.listed);
    const traded = parts.venue.capabilities.margin ? products : (['spot'] as const);
    const targets = targetsOf({ products: traded, since: sinceOf(journal), orders: [] }).filter(
      ({ of }) => of !== 'activeOrders',
    );
    const answers = await askAccount({ parts, instruments, subscriptions: [], products: traded }, targets);
    const now: Sums = new Map();
    for (const { what, balances, marginAccounts = [] } of answers) {
      if (what.of === 'balances') addBalances(now, walletOf(what.product), balances);
      else if (what.of === 'marginAccounts')
        for (const account of marginAccounts) addAccount(now, what.product, account);
    }
    const trades = answers
      .flatMap(({ what, fills }) => fills.map((fill) => (isOnMargin(what) ? onMargin(fill) : fill)))
      .toSorted((one, other) => one.time - other.time);
    return { venue: parts.addresses.baseUrl, trades, now };
  } catch (error) {
    if (!(error instanceof VenueFailed || error instanceof LookFailed)) throw error;
    return `the venue was not asked: ${error.message}`;
  }
}

function isOnMargin(what: ReadTarget): boolean {
  return what.of === 'tradeHistory' && what.product !== undefined && what.product !== 'spot';
}

/** The history does not name the mode; that it was no trade on spot is all that counts here. */
function onMargin(fill: OwnTrade): OwnTrade {
  return { ...fill, marginMode: fill.marginMode ?? 'isolated' };
}

/** A little before the first balances, or the first execution that the session booked. */
function sinceOf({ openedAt, fills, started }: SessionAccount): Micros {
  const times = [started.receiveTime, ...openedAt.values(), ...fills.map(({ time }) => time)];
  return Math.max(
    0,
    times.reduce<number>((least, time) => Math.min(least, time), Infinity) - millis(1_000),
  ) as Micros;
}
