import { negate, parseAmount } from '../../src/core/base/amount.ts';
import type { InstrumentId, Ticks } from '../../src/core/model/instrument.ts';
import { futuresAccountOf, isFuturesAccount } from '../../src/exchange/matching/accounts/command.ts';
import { isFar, onOrder } from './faults-aimed.ts';
import type { FaultRow, FaultStage } from './fault.ts';
import { lasting } from './fault.ts';
import { place, positionsOf, shuffled } from './faults-margin.ts';
import { lossesOf } from './losses.ts';

/** Faults of what the account has, or is reported to have. They are drawn apart: other faults of a seed are the same without them. */
export const moneyFaults = {
  /** The market jumps far beyond the price at which a position is liquidated: its fills lose more than its margin. */
  liquidationGap: {
    ...row('M', (stage) => {
      const open = positionsOf(stage).filter(({ position }) => position.liquidation !== undefined);
      // What the venue bears is the loss of an isolated account first: others draw on the wallet.
      const isolated = open.filter(({ position }) => position.mode === 'isolated');
      const [one] = shuffled(stage, isolated.length > 0 ? isolated : open);
      if (one?.position.liquidation === undefined) return;
      const { instrument, quantity, liquidation } = one.position;
      const isLong = quantity > 0n;
      const gap = 1 + stage.random.between(5, 20) / 100;
      const price = Math.round(isLong ? liquidation / gap : liquidation * gap) as Ticks;
      const { money } = stage.system.tower;
      const before = money.borne;
      jumpTo(stage, { instrument, price, isDown: isLong, isContract: isFuturesAccount(one.owner) });
      if (money.borne > before) stage.mark();
    }),
    isOnMargin: true,
  },
  /** Money is moved into the account or out of it by hand: by a transfer that the history of the wallet names. */
  transfer: row('X20', (stage) => {
    const { system, random } = stage;
    const { exchange, traded } = system;
    const isOfContracts = traded.futures && random.chance(0.5);
    const amount = parseAmount(`0.${random.between(1, 99)}`);
    const moved = exchange.world.wallet.transfers.transfer(exchange.account, {
      currency: 'USDT',
      amount,
      source: isOfContracts ? 'derivatives' : 'spot',
      destination: 'wallet',
    });
    if (typeof moved !== 'string') return;
    stage.mark();
    system.moved({ wallet: isOfContracts ? 'futures' : 'spot', currency: 'USDT', amount: negate(amount) });
  }),
  /** Money comes or goes, and no history that a client may read names it. */
  moneyWithoutTrace: row('X20', (stage) => {
    const { system, random } = stage;
    const { exchange, traded } = system;
    const isOfContracts = traded.futures && random.chance(0.5);
    const size = parseAmount(`0.${random.between(1, 99)}`);
    const amount = random.chance(0.5) ? size : negate(size);
    const account = isOfContracts ? futuresAccountOf(exchange.account) : exchange.account;
    const outcomes = exchange.world.core.handle({
      kind: 'adjustBalance',
      account,
      currency: 'USDT',
      change: amount,
    });
    if (!outcomes.some(({ kind }) => kind === 'balance')) return;
    stage.mark();
    system.moved({ wallet: isOfContracts ? 'futures' : 'spot', currency: 'USDT', amount });
  }),
  /** An order that rests is reported as filled: no list, history or balance has the execution. */
  phantomFill: row('I18', (stage) => {
    const { system } = stage;
    const { faults, invented } = system.exchange;
    if (hasLimitsOnLoss(stage)) return;
    onOrder(stage, ({ method, params }) => {
      if (method !== 'spot_new_order' || !isFar(stage, params)) return false;
      const before = invented.size;
      faults.inventFills(1);
      stage.after(3_000, () => {
        faults.inventFills(0);
        if (invented.size > before) stage.mark();
      });
      return true;
    });
  }),
  /** Trade histories tell other fees than reports did, and than were taken. */
  feesMultiplied: row('I18', (stage) => {
    const { system, random } = stage;
    const { faults } = system.exchange;
    if (hasLimitsOnLoss(stage)) return;
    const factor = random.pick([2, 3, -1]);
    stage.mark();
    system.tower.lies.factors.add(BigInt(factor));
    faults.multiplyFees(factor);
    lasting(stage, 100_000 + stage.force * 40_000, () => faults.multiplyFees(1));
  }),
} satisfies Record<string, FaultRow>;

/** Orders that empty one side of a book, at most, and the lots of each: somebody has to pay for them. */
const sweepsMax = 8;
const sweepLots = 300_000;
/** More than any position has. */
const takenLots = 100_000;

/** Somebody trades through all of a side of the book to a price, where somebody takes what is liquidated. */
function jumpTo(
  stage: FaultStage,
  jump: {
    readonly instrument: InstrumentId;
    readonly price: Ticks;
    readonly isDown: boolean;
    readonly isContract: boolean;
  },
): void {
  const { instrument, price, isDown, isContract } = jump;
  const { system } = stage;
  const { core, accounts } = system.exchange.world;
  const [side, other] = isDown ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const);
  const clientOrderId = place(stage, { instrument, price, side, lots: takenLots, timeInForce: 'GTC' });
  for (let sweep = 0; sweep < sweepsMax; sweep++) {
    const better = core
      .market(instrument)
      .book.liveLevels(side, 1_000)
      .filter((level) => (isDown ? level.price > price : level.price < price));
    // The last lot trades at the price itself.
    const lots = better.reduce((sum, { quantity }) => sum + quantity, 1);
    place(stage, { instrument, price, side: other, lots: Math.min(lots, sweepLots), timeInForce: 'IOC' });
    if (lots <= sweepLots) break;
  }
  // Contracts are valued at their mark, which the next look at the index sets anew.
  if (isContract) system.command({ kind: 'setMark', instrument, price });
  system.command({ kind: 'cancel', account: accounts.get('other').id, clientOrderId });
}

/** Limits on loss count what is not so until it is corrected: their check does not follow that. */
function hasLimitsOnLoss({ system }: FaultStage): boolean {
  const { account, strategy } = lossesOf(system.seed);
  return Object.keys(account).length + Object.keys(strategy).length > 0;
}

function row(rows: string, begin: (stage: FaultStage) => void): FaultRow {
  return { rows, begin, isNarrow: true, isOfMoney: true };
}
