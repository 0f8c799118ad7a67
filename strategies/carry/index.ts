import {
  add,
  amountToNumber,
  defineStrategy,
  formatAmount,
  later,
  marginModes,
  seconds,
  z,
  zero,
} from 'godwit/strategy';
import type {
  Amount,
  Denial,
  Lots,
  MarginAccountView,
  Order,
  Side,
  StrategyContext,
  Ticks,
} from 'godwit/strategy';

const params = z.strictObject({
  spot: z.string().default('BTCUSDT').describe('what is bought'),
  contract: z.string().default('BTCUSDT_PERP').describe('the perpetual contract on it, which is sold'),
  marginMode: z.enum(marginModes).default('cross').describe('which margin pays for the contract'),
  leverage: z
    .number()
    .min(1)
    .max(100)
    .default(3)
    .describe(
      'what the short leg is worth for its margin: that is put in before it is sold, and again when the price rises',
    ),
  margin: z
    .string()
    .optional()
    .describe(
      'the most margin of the short leg, in its currency; all of the balance of contracts when left out',
    ),
  quantity: z.string().default('0.01').describe('of one trade, on both legs'),
  most: z.string().default('0.05').describe('the largest position of either leg'),
  enterBasisPoints: z
    .number()
    .min(-1_000)
    .max(10_000)
    .default(5)
    .describe(
      'sells the contract where it costs so much more than the spot symbol, in hundredths of a percent',
    ),
  leaveBasisPoints: z
    .number()
    .min(-10_000)
    .max(10_000)
    .default(-5)
    .describe('closes both legs where it costs no more than so much more'),
  slippageTicks: z
    .int()
    .min(0)
    .max(100_000)
    .default(200)
    .describe('how far beyond the touch an order may fill that completes a pair'),
  restSeconds: z.number().min(1.1).max(3_600).default(2).describe('rest after a trade'),
});

type Context = StrategyContext<z.output<typeof params>>;

/** Both legs of a trade: the spot symbol on one side, the contract on the other. */
type Direction = 'enter' | 'leave';

class Carry {
  readonly #context: Context;
  readonly #step: number;
  readonly #most: number;
  /** Lots of the contract for one lot of the spot symbol. */
  readonly #ratio: number;
  #quietUntil = 0;
  #isTold = false;
  /** Funding so far; below zero it was received. */
  #funding = zero;

  constructor(context: Context) {
    const { params, instrument } = context;
    const [spot, contract] = [instrument(params.spot), instrument(params.contract)];
    this.#context = context;
    this.#step = spot.lots(params.quantity, 'down');
    this.#most = spot.lots(params.most, 'down');
    const one = 1 as Lots;
    this.#ratio = amountToNumber(spot.quantityAmount(one)) / amountToNumber(contract.quantityAmount(one));
  }

  /** One look at both books: completes a pair first, then leaves, then enters. */
  look(): void {
    const { clock, orders } = this.#context;
    if (clock.now() < this.#quietUntil || orders.openCount() > 0) return;
    if (this.#complete() || this.#secure()) return;
    const held = this.#held();
    if (held > 0 && this.#isBelow(this.#context.params.leaveBasisPoints))
      this.#trade('leave', Math.min(this.#step, held));
    else if (held < this.#most && this.#isAbove(this.#context.params.enterBasisPoints))
      this.#enter(Math.min(this.#step, this.#most - held));
  }

  /** The account of the contract is short of margin, or soon will be. */
  called(account: MarginAccountView): void {
    this.#context.log.warn('margin call', { balance: formatAmount(account.balance) });
    // What the pair rests for can wait.
    this.#quietUntil = 0;
    this.look();
  }

  changed(order: Order, denial: Denial | undefined): void {
    const code = denial?.code ?? (order.state === 'rejected' ? order.code : undefined);
    if (code !== undefined) this.#context.log.warn('refused', { code, why: denial?.why ?? order.why });
  }

  charged(amount: Amount): void {
    this.#funding = add(this.#funding, amount);
    this.#context.log.info('funding', { paid: formatAmount(amount), inAll: formatAmount(this.#funding) });
  }

  /** Lots of the spot symbol that are held. */
  #held(): number {
    return this.#context.position(this.#context.params.spot).quantity;
  }

  /** Trades what one leg lacks. Whether something was missing. */
  #complete(): boolean {
    const { params } = this.#context;
    const missing = Math.round(this.#held() * this.#ratio) - this.#short();
    // Less than a lot of the coarser grid cannot be traded on the other.
    if (Math.abs(missing) < Math.max(1, this.#ratio)) return false;
    this.#rest();
    this.#futures(missing > 0 ? 'sell' : 'buy', Math.abs(missing), params.slippageTicks);
    return true;
  }

  /** Sells more of the contract once its margin is there. */
  #enter(lots: number): void {
    const missing = this.#marginOf(this.#short() + lots * this.#ratio) - this.#equity();
    if (missing <= this.#tolerated()) this.#trade('enter', lots);
    else if (this.#fund(missing)) this.#rest();
    else if (!this.#isTold) {
      this.#isTold = true;
      this.#context.log.warn('too little margin to sell more', { missing: missing.toFixed(8) });
    }
  }

  /** Brings the margin of the short leg back to what its leverage asks for, or the leg to its margin. Whether there was something to do. */
  #secure(): boolean {
    const short = this.#short();
    if (short <= 0) return false;
    const missing = this.#marginOf(short) - this.#equity();
    const isCalled = this.#account()?.called === true;
    if (!isCalled && missing <= this.#tolerated()) return false;
    this.#rest();
    const most = Math.max(missing, this.#tolerated());
    if (this.#fund(most)) return true;
    this.#context.log.warn('no more margin: both legs are reduced', { missing: most.toFixed(8) });
    this.#trade('leave', Math.min(this.#step, this.#held()));
    return true;
  }

  /** Adds margin. False where the balance, or what the parameters allow, is too small. */
  #fund(amount: number): boolean {
    const { params, margin, balances, instrument, log } = this.#context;
    const { quoteCurrency } = instrument(params.contract).spec;
    const most = params.margin === undefined ? Number.POSITIVE_INFINITY : Number(params.margin);
    const balance = amountToNumber(this.#account()?.balance ?? zero);
    const free = amountToNumber(balances.futures(quoteCurrency).available);
    if (amount > Math.min(free, most - balance)) return false;
    log.info('margin is added', { amount: amount.toFixed(8), currency: quoteCurrency });
    margin.add(params.contract, amount.toFixed(8), params.marginMode);
    return true;
  }

  /** Lots of the contract that are sold. */
  #short(): number {
    const { params, position } = this.#context;
    return -position(params.contract, params.marginMode).quantity;
  }

  /** The margin that so many lots of the contract ask for at the leverage of the parameters. */
  #marginOf(lots: number): number {
    const { params, instrument } = this.#context;
    const { contract, leverage } = params;
    const ask = this.#touch(contract, 'buy');
    if (ask === undefined) return 0;
    return (
      (amountToNumber(instrument(contract).quantityAmount(1 as Lots)) * lots * this.#price(contract, ask)) /
      leverage
    );
  }

  /** What the margin account of the contract is worth. */
  #equity(): number {
    const account = this.#account();
    if (account === undefined) return 0;
    const profits = account.positions.reduce((sum, { pnl }) => sum + amountToNumber(pnl), 0);
    return amountToNumber(account.balance) + profits;
  }

  #account(): MarginAccountView | undefined {
    const { params, margin } = this.#context;
    return margin.account(params.contract, params.marginMode);
  }

  /** Less margin than this is no reason to add any: a tenth of what one trade needs. */
  #tolerated(): number {
    return this.#marginOf(this.#step * this.#ratio) / 10;
  }

  #trade(direction: Direction, lots: number): void {
    const enters = direction === 'enter';
    this.#rest();
    this.#spot(enters ? 'buy' : 'sell', lots);
    this.#futures(enters ? 'sell' : 'buy', Math.round(lots * this.#ratio), 0);
  }

  #spot(side: Side, quantity: number): void {
    const { params, orders } = this.#context;
    const price = this.#touch(params.spot, side);
    if (price !== undefined) orders.place({ symbol: params.spot, side, quantity, price, timeInForce: 'IOC' });
  }

  #futures(side: Side, quantity: number, slippage: number): void {
    const { params, orders } = this.#context;
    const touch = this.#touch(params.contract, side);
    if (touch === undefined) return;
    orders.place({
      product: 'futures',
      marginMode: params.marginMode,
      reduceOnly: side === 'buy' && quantity <= this.#short(),
      symbol: params.contract,
      side,
      quantity,
      price: side === 'buy' ? touch + slippage : Math.max(1, touch - slippage),
      timeInForce: 'IOC',
    });
  }

  #rest(): void {
    const { clock, params } = this.#context;
    this.#quietUntil = later(clock.now(), seconds(params.restSeconds));
  }

  /** Whether the contract can be sold for so much more than the spot symbol costs. */
  #isAbove(basisPoints: number): boolean {
    const { params } = this.#context;
    return (
      this.#premium(this.#touch(params.contract, 'sell'), this.#touch(params.spot, 'buy')) >= basisPoints
    );
  }

  /** Whether the contract can be bought back for no more than so much more than the spot symbol brings. */
  #isBelow(basisPoints: number): boolean {
    const { params } = this.#context;
    return (
      this.#premium(this.#touch(params.contract, 'buy'), this.#touch(params.spot, 'sell')) <= basisPoints
    );
  }

  /** In hundredths of a percent; NaN where a side of a book is empty, which is neither above nor below. */
  #premium(contract: Ticks | undefined, spot: Ticks | undefined): number {
    if (contract === undefined || spot === undefined) return Number.NaN;
    const { params } = this.#context;
    return (this.#price(params.contract, contract) / this.#price(params.spot, spot) - 1) * 10_000;
  }

  /** The price at which an order on a side would execute at once. */
  #touch(symbol: string, side: Side): Ticks | undefined {
    const book = this.#context.market.book(symbol);
    if (book.status !== 'live') return undefined;
    return side === 'buy' ? book.bestAsk : book.bestBid;
  }

  #price(symbol: string, ticks: Ticks): number {
    return amountToNumber(this.#context.instrument(symbol).priceAmount(ticks));
  }
}

export default defineStrategy({
  name: 'carry',
  params,
  feeds: ({ spot, contract }) =>
    [spot, contract].map((symbol) => ({ symbol, book: true, hedge: 'carry', needs: [spot, contract] })),
  products: () => ['spot', 'futures'],
  create(context) {
    const carry = new Carry(context);
    return {
      onBook: () => carry.look(),
      onOrder: (order, denial) => carry.changed(order, denial),
      onFunding: ({ amount }) => carry.charged(amount),
      onMarginCall: (account) => carry.called(account),
      onMarginRefused: ({ balance }, { code, why }) =>
        context.log.warn('margin refused', {
          balance: balance === undefined ? '' : formatAmount(balance),
          code,
          why,
        }),
    };
  },
});
