import type { Amount } from '../base/amount.ts';
import { multiply, subtract, zero } from '../base/amount.ts';
import type { Micros } from '../base/clock.ts';
import { later } from '../base/clock.ts';
import type { CarriedMargin, CarriedMarginAccount } from '../model/carried-state.ts';
import { statesBefore } from '../model/carried-state.ts';
import type {
  CommandSettled,
  MarginAccountChanged,
  MarginDenied,
  MarginPending,
  MarginRejected,
  ReadAnswered,
} from '../model/event.ts';
import type { InstrumentId } from '../model/instrument.ts';
import type { ChangeMarginIntent } from '../model/intent.ts';
import type {
  MarginAccountKey,
  MarginAccountView,
  MarginChange,
  MarginMode,
  OpenMarginAccount,
  PendingMarginChange,
  PositionView,
} from '../model/margin.ts';
import { isAccountClosed, isOfBefore, isSameChange, marginNameOf } from '../model/margin.ts';
import type { MarginProductName } from '../model/product.ts';
import type { Ledger } from '../ledger/index.ts';

/** More changes without an answer than any run asks for; beyond, the oldest is forgotten. */
const changesMax = 1_000;
/** Positions whose account is remembered: those of the trades that a look at the account may still find. */
const modesMax = 1_000;
/** States of one account that no report has shown yet; beyond, the oldest is forgotten. */
const earlierMax = 20;
/** Before every time of a run. */
const before = 0 as Micros;

/**
 * Margin accounts as the venue reports them, and changes of ours on their way. An answer to a read never undoes a report that came
 * after the question left. A report of funding or interest books what the balance fell by to the holders of the position.
 */
export class MarginStore {
  readonly #ledger: Ledger;
  readonly #hasOrders: (key: MarginAccountKey) => boolean;
  /** Closed accounts too, so that a late answer does not open them again. */
  readonly #known = new Map<string, CarriedMarginAccount>();
  /** The oldest first, as are the intents. */
  #changes: readonly PendingMarginChange[] = [];
  readonly #unjudged: ChangeMarginIntent[] = [];
  /** Positions that were seen, by their number, closed ones too: the trade history names a position alone. */
  readonly #modes = new Map<number, MarginMode>();

  /** `hasOrders`: whether orders that an account pays for may be live. */
  constructor(ledger: Ledger, hasOrders: (key: MarginAccountKey) => boolean = () => false) {
    this.#ledger = ledger;
    this.#hasOrders = hasOrders;
  }

  /** Changes that were accepted and are not settled, the oldest first. */
  get changes(): readonly PendingMarginChange[] {
    return this.#changes;
  }

  account(key: MarginAccountKey): MarginAccountView | undefined {
    const known = this.#known.get(marginNameOf(key));
    return known?.open === true ? known.account : undefined;
  }

  /** All that are open, in order of first appearance. */
  accounts(): readonly OpenMarginAccount[] {
    return [...this.#known.values()].filter(({ open }) => open);
  }

  position(key: MarginAccountKey, instrument: InstrumentId): PositionView | undefined {
    return this.account(key)?.positions.find((position) => position.instrument === instrument);
  }

  /** A position belongs to an account of this mode. */
  noteMode(positionId: number, mode: MarginMode): void {
    if (this.#modes.has(positionId)) return;
    this.#modes.set(positionId, mode);
    if (this.#modes.size > modesMax) this.#modes.delete(this.#modes.keys().next().value as number);
  }

  /** Isolated where the position was never seen. */
  modeOf(positionId: number): MarginMode {
    return this.#modes.get(positionId) ?? 'isolated';
  }

  /**
   * A new run: what it receives comes after all that is known, though the clock may have been set back. A change whose answer the run before
   * did not hear has none any more.
   */
  beginRun(time: Micros): void {
    this.#changes = this.#changes.map((one) => ({ ...one, unansweredAt: time }));
    for (const [key, known] of this.#known) this.#known.set(key, { ...known, since: before });
  }

  /** Takes in the report of an account. `offset`: how far the venue's clock is ahead. */
  apply(event: MarginAccountChanged, offset: Micros): void {
    const { product, account, exchangeTime } = event;
    const key = marginNameOf({ product, ...account });
    const known = this.#known.get(key);
    const former = known?.open === true ? known.account : undefined;
    const isBooked = this.#ledger.wallets.isCharged(key, account.updatedAt);
    if (event.reason === 'interestTaken' && known?.open === true && !isBooked)
      this.#charge(event, lastBefore(account, known));
    const open = !isAccountClosed(event, former, account.auto && this.#hasOrders({ product, ...account }));
    // The answer to a change may come before the report of what was taken until then.
    const isAnswer = event.reason === 'marginChanged' && former !== undefined;
    // An answer may show the next account of the same name before reports tell how the one before it ended.
    if (known === undefined || !isOfBefore(account, known.account))
      this.#known.set(key, {
        product,
        account,
        open,
        since: event.receiveTime,
        ...chargedOf(event.reason === 'interestTaken' ? account.updatedAt : known?.chargedAt),
        ...(isAnswer && earlierThan(account, known)),
      });
    this.#noteModes(account);
    this.#ledger.rests.seen(key, account, open);
    const reportedAt = later(event.receiveTime, offset);
    this.#ledger.wallets.touched(product, account.currency, exchangeTime, reportedAt);
  }

  /** All accounts of a product: one that is not listed is closed. */
  applyRead(product: MarginProductName, { marginAccounts = [], askedAt }: ReadAnswered): void {
    const listed = new Map(marginAccounts.map((account) => [marginNameOf({ product, ...account }), account]));
    for (const [key, known] of this.#known) {
      if (known.product !== product || known.since > askedAt || listed.has(key)) continue;
      this.#known.set(key, { ...known, open: false, since: askedAt });
      this.#ledger.rests.seen(key, known.account, false);
    }
    for (const [key, account] of listed) {
      this.#noteModes(account);
      const known = this.#known.get(key);
      if ((known?.since ?? before) > askedAt) continue;
      const last = { ...chargedOf(known?.chargedAt), ...earlierThan(account, known) };
      this.#known.set(key, { product, account, open: true, since: askedAt, ...last });
      this.#ledger.rests.seen(key, account, true);
    }
    this.#changes = this.#changes.filter(
      ({ change, unansweredAt }) =>
        change.product !== product || unansweredAt === undefined || unansweredAt > askedAt,
    );
  }

  declare(intent: ChangeMarginIntent): void {
    this.#unjudged.push(intent);
    if (this.#unjudged.length > changesMax) this.#unjudged.shift();
  }

  applyPending({ command, receiveTime }: MarginPending): void {
    const { commandId, strategy, change } = command;
    this.#judged(strategy, change);
    this.#changes = [
      ...this.#changes.slice(-changesMax),
      { commandId, strategy, change, since: receiveTime, unansweredAt: undefined },
    ];
  }

  /** A denial that answers no intent is of the gate, and concerns a change that was accepted before. */
  applyDenied({ strategy, change }: MarginDenied): void {
    if (!this.#judged(strategy, change)) this.#dropChange(strategy, change);
  }

  applyRejected({ strategy, change }: MarginRejected): void {
    this.#dropChange(strategy, change);
  }

  applySettled({ commandId, outcome, receiveTime }: CommandSettled): void {
    if (this.#changes.length === 0) return;
    this.#changes =
      outcome === 'unanswered'
        ? this.#changes.map((one) =>
            one.commandId === commandId ? { ...one, unansweredAt: receiveTime } : one,
          )
        : this.#changes.filter((one) => one.commandId !== commandId);
  }

  carryAccounts(): CarriedMargin | undefined {
    const { size } = this.#modes;
    if (this.#known.size + this.#changes.length + this.#unjudged.length + size === 0) return undefined;
    const modes = [...this.#modes].map(([position, mode]) => ({ position, mode }));
    return {
      accounts: [...this.#known.values()],
      changes: this.#changes,
      unjudged: [...this.#unjudged],
      ...(size > 0 && { modes }),
      ...this.#ledger.rests.carry(),
    };
  }

  takeAccounts({ accounts, changes, unjudged, modes = [], rests, former, liquidated }: CarriedMargin): void {
    for (const known of accounts) {
      const name = marginNameOf({ product: known.product, ...known.account });
      this.#known.set(name, known);
      this.#ledger.rests.seen(name, known.account, known.open);
    }
    if (rests !== undefined) this.#ledger.rests.takeRests(rests, liquidated, former);
    this.#changes = changes;
    this.#unjudged.push(...unjudged);
    for (const { position, mode } of modes) this.noteMode(position, mode);
  }

  #noteModes({ positions }: MarginAccountView): void {
    for (const { id, mode } of positions) this.noteMode(id, mode);
  }

  /** An intent has its verdict. Whether there was one. */
  #judged(strategy: string, change: MarginChange): boolean {
    const at = this.#unjudged.findIndex(
      (one) => one.strategy === strategy && isSameChange(one.change, change),
    );
    if (at >= 0) this.#unjudged.splice(at, 1);
    return at >= 0;
  }

  #dropChange(strategy: string, change: MarginChange): void {
    const at = this.#changes.findIndex(
      (one) => one.strategy === strategy && isSameChange(one.change, change),
    );
    if (at >= 0) this.#changes = this.#changes.toSpliced(at, 1);
  }

  /** Books the fall of the balance as paid for the position that the report names, or for all by their notional value. */
  #charge(event: MarginAccountChanged, known: MarginAccountView | undefined): void {
    if (known === undefined) return;
    const { product, account, charged, exchangeTime: time } = event;
    const kind = product === 'futures' ? 'funding' : 'interest';
    const amount = subtract(known.balance, account.balance);
    if (amount === zero) return;
    const only = charged ?? account.instrument;
    const { positions } = account.positions.length > 0 ? account : known;
    const shares = only === undefined ? sharesOf(amount, positions) : [{ instrument: only, amount }];
    for (const share of shares) this.#ledger.charge({ kind, account: account.mode, time, ...share });
  }
}

/**
 * The account before a change of which reads and answers may have shown more before its report came; `undefined`: it was not seen before
 * that change, and what was taken is in no sum that is known.
 */
function lastBefore(charge: MarginAccountView, known: CarriedMarginAccount): MarginAccountView | undefined {
  const { account, chargedAt } = known;
  const { updatedAt } = charge;
  // Another account of the same name had, or has, other money.
  const states = [...statesBefore(known), account].filter(
    (one) => !isOfBefore(one, charge) && !isOfBefore(charge, one),
  );
  // Several positions may be charged at one time: the report of the one before comes first of what has its stamp.
  const charged = chargedAt === updatedAt ? states.find((one) => one.updatedAt === updatedAt) : undefined;
  const last = charged ?? states.findLast((one) => one.updatedAt < updatedAt);
  return last ?? states.find((one) => one.updatedAt === updatedAt);
}

function chargedOf(chargedAt: Micros | undefined): Pick<CarriedMarginAccount, 'chargedAt'> {
  return chargedAt === undefined ? {} : { chargedAt };
}

/** What was known of an account before a read or an answer that shows it as it is now. */
function earlierThan(
  { updatedAt }: MarginAccountView,
  known: CarriedMarginAccount | undefined,
): Pick<CarriedMarginAccount, 'earlier'> {
  if (known === undefined) return {};
  const states = known.open ? [...statesBefore(known), known.account] : statesBefore(known);
  const isBefore = (at: Micros): boolean => at < updatedAt || (at === updatedAt && at === known.chargedAt);
  const earlier = states.filter((one) => isBefore(one.updatedAt)).slice(-earlierMax);
  return earlier.length > 0 ? { earlier } : {};
}

/** The last takes what is left, so nothing is lost. */
function sharesOf(
  amount: Amount,
  positions: readonly PositionView[],
): readonly { readonly instrument: InstrumentId; readonly amount: Amount }[] {
  const weights = positions.map(({ quantity, entry }) => notionalOf(quantity, entry));
  const all = weights.reduce((sum, weight) => sum + weight, 0n);
  if (all === 0n) return [];
  let left = amount;
  return positions.map(({ instrument }, index) => {
    const isLast = index === positions.length - 1;
    const share = isLast ? left : (((amount * (weights[index] ?? 0n)) / all) as Amount);
    left = subtract(left, share);
    return { instrument, amount: share };
  });
}

function notionalOf(quantity: Amount, entry: Amount): bigint {
  const notional = multiply(quantity, entry);
  return notional < 0n ? -notional : notional;
}
