import { seconds } from '../../core/base/clock.ts';
import { GodwitError } from '../../core/base/errors.ts';
import type { Venue } from '../../core/bus/index.ts';
import type { ReadTarget } from '../../core/model/command.ts';
import type { Event, ReadAnswered, SessionName } from '../../core/model/event.ts';
import type { Product } from '../../core/model/product.ts';
import { Outbox } from '../../core/orders/base/outbox.ts';
import { Reads } from '../../core/orders/base/reads.ts';
import type { MarketSubscription, OpenVenueSetup } from '../../venues/index.ts';
import { LoginRefused, loginRefusedText } from '../live/market-data.ts';
import type { LiveParts } from '../live/parts.ts';

/** What is followed while a venue is looked at, without trading. */
export interface Look {
  readonly parts: LiveParts;
  readonly instruments: OpenVenueSetup['instruments'];
  readonly subscriptions: readonly MarketSubscription[];
  /** Whether the account is looked at, too. */
  readonly withKeys: boolean;
  readonly products?: readonly Product[];
  /** Called with every event. */
  readonly observe?: (event: Event) => void;
}

const sessionWait = seconds(10);
const answerWait = seconds(30);

/** The venue did not show what was looked for. */
export class LookFailed extends GodwitError {
  override readonly code = 'GW_LOOK_FAILED';
}

/**
 * Opens the sessions of a venue, waits for them, and hands the venue to `look`; closes it afterwards. Nothing is sent but what
 * `look` sends. Throws `LookFailed` when a session does not come up within ten seconds, `LoginRefused` when the key is refused.
 */
export async function withSessions<Found>(
  setup: Look,
  look: (venue: Venue) => Promise<Found>,
): Promise<Found> {
  const { parts, instruments, subscriptions, withKeys, products = [], observe } = setup;
  const { connection, budgets, clock, addresses } = parts;
  const missing = new Set<SessionName>(withKeys ? ['market', 'trading'] : ['market']);
  const up = Promise.withResolvers<void>();
  const venue = connection.open({
    instruments,
    budgets,
    subscriptions,
    products: () => products,
    onLoginRefused: (why) => up.reject(new LoginRefused(loginRefusedText(addresses, why))),
  });
  const cancel = clock.after(sessionWait, () =>
    up.reject(new LookFailed(`${addresses.wsUrl}: no ${[...missing].join(' and no ')} session within 10 s`)),
  );
  venue.events.subscribe((event: Event) => {
    observe?.(event);
    if (event.kind !== 'sessionUp') return;
    missing.delete(event.session);
    if (missing.size === 0) up.resolve();
  });
  try {
    await up.promise;
    return await look(venue);
  } finally {
    cancel();
    await venue.close();
  }
}

/** What a venue answers to questions about the account. Throws `LookFailed` when it refuses one, or does not answer for 30 s. */
export async function askAccount(
  setup: Omit<Look, 'withKeys'>,
  targets: readonly ReadTarget[],
  meanwhile: (venue: Venue) => Promise<void> = () => Promise.resolve(),
): Promise<readonly ReadAnswered[]> {
  const { clock, config } = setup.parts;
  const open = new Map<number, ReadTarget>();
  const answers: ReadAnswered[] = [];
  const all = Promise.withResolvers<void>();
  let venue: Venue | undefined;
  const outbox = new Outbox(clock, (event) => {
    if (event.kind !== 'readPending') return;
    open.set(event.command.commandId, event.command.what);
    venue?.send(event.command);
  });
  const reads = new Reads({ outbox, clock, options: config.orders.reconcile });
  const observe = (event: Event): void => {
    setup.observe?.(event);
    if (event.kind === 'readAnswered') reads.answered(event);
    if (event.kind !== 'commandSettled') return;
    const what = open.get(event.commandId);
    if (event.outcome === 'refused' && what !== undefined)
      all.reject(new LookFailed(`the venue refuses to show ${nameOf(what)}: give the key the right to read`));
    else reads.settled(event);
  };
  return withSessions({ ...setup, withKeys: true, observe }, async (opened) => {
    venue = opened;
    const cancel = clock.after(answerWait, () =>
      all.reject(new LookFailed('the venue did not answer the questions about the account within 30 s')),
    );
    try {
      for (const target of targets)
        reads.ask(target, (answer) => {
          answers.push(answer);
          if (answers.length === targets.length) all.resolve();
        });
      await Promise.all([all.promise, meanwhile(opened)]);
      return answers;
    } finally {
      cancel();
      reads.clear();
    }
  });
}

const names: Readonly<Record<ReadTarget['of'], string>> = {
  activeOrders: 'open orders',
  balances: 'balances',
  orderHistory: 'the history of an order',
  tradeHistory: 'own trades',
  marginAccounts: 'margin accounts',
  fundingRates: 'funding rates',
  transfers: 'transfers',
  book: 'a book',
};

function nameOf(what: ReadTarget): string {
  return names[what.of];
}
