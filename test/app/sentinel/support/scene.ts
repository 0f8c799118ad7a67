import { Observable } from 'rxjs';
import { Topic } from '../../../../src/core/bus/topic.ts';
import type { Venue } from '../../../../src/core/bus/index.ts';
import type { Amount } from '../../../../src/core/base/amount.ts';
import { parseAmount } from '../../../../src/core/base/amount.ts';
import type { Micros } from '../../../../src/core/base/clock.ts';
import { micros, millis, seconds } from '../../../../src/core/base/clock.ts';
import { VirtualClock } from '../../../../src/core/base/virtual-clock.ts';
import type { Command } from '../../../../src/core/model/command.ts';
import { laneOf, orderIdOf } from '../../../../src/core/model/command.ts';
import type { CommandSettled, Event, ReadAnswered } from '../../../../src/core/model/event.ts';
import type { InstrumentId, Lots, Ticks } from '../../../../src/core/model/instrument.ts';
import { Instruments } from '../../../../src/core/model/instrument.ts';
import type { MarginMark, PositionView } from '../../../../src/core/model/margin.ts';
import type { ClientOrderId, VenueOrder } from '../../../../src/core/model/order.ts';
import { productOf } from '../../../../src/core/model/product.ts';
import { Desk } from '../../../../src/app/sentinel/desk.ts';
import type { Beat, Lease, SentinelState } from '../../../../src/app/sentinel/run-files.ts';
import type { SweepTerms } from '../../../../src/app/sentinel/sweep.ts';
import { Watch } from '../../../../src/app/sentinel/watch.ts';
import { spotSpec } from '../../../support/markets.ts';

export const instruments = new Instruments([
  spotSpec('AAABBB', { marginTrading: true }),
  spotSpec('AAABBB_PERP', { type: 'futures' }),
]);
export const [spot, perpetual] = [0 as InstrumentId, 1 as InstrumentId];

const start = seconds(1_700_000_000);
let created = 0;

/** A live limit order of ours for 5 lots, unless changed. */
export function orderOf(
  change: Partial<Omit<VenueOrder, 'clientOrderId'>> & { readonly id?: string } = {},
): VenueOrder {
  const { id = `gw-run1-mm-${String((created += 1)).padStart(5, '0')}`, ...rest } = change;
  return {
    clientOrderId: id as ClientOrderId,
    instrument: spot,
    side: 'buy',
    type: 'limit',
    timeInForce: 'GTC',
    quantity: 5 as Lots,
    price: 100 as Ticks,
    stopPrice: undefined,
    expireTime: undefined,
    postOnly: false,
    venueOrderId: id,
    state: 'new',
    cumulative: 0 as Lots,
    originalClientOrderId: undefined,
    orderListId: undefined,
    createdAt: micros(start + (created += 1)),
    updatedAt: start,
    ...rest,
  };
}

export const isolated: MarginMark = {
  mode: 'isolated',
  reduceOnly: false,
  closePosition: false,
  auto: false,
};

export function positionOf(quantity: string, instrument = spot): PositionView {
  const none = parseAmount('0');
  return {
    id: 1,
    instrument,
    mode: 'isolated',
    leverage: none,
    quantity: parseAmount(quantity) as Amount,
    pnl: none,
    feeCumulative: none,
    entry: none,
    marginCall: undefined,
    liquidation: undefined,
    createdAt: start,
    updatedAt: start,
    auto: false,
    amr: false,
  };
}

/** A venue by its own books: what is live, and how it answers. */
export class BookVenue implements Venue {
  readonly #topic = new Topic<Event>();
  readonly events = new Observable<Event>((subscriber) => this.#topic.subscribe(subscriber));
  live: VenueOrder[] = [];
  positions: PositionView[] = [];
  /** The end of a command; acknowledged unless it says otherwise. */
  answers: (command: Command) => CommandSettled['outcome'] = () => 'acknowledged';
  readonly sent: Command[] = [];
  readonly #clock: VirtualClock;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  send(command: Command): void {
    this.sent.push(command);
    queueMicrotask(() => this.#answer(command));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #answer(command: Command): void {
    const now = this.#clock.now();
    const times = { exchangeTime: now, receiveTime: now };
    const outcome = this.answers(command);
    if (outcome === 'acknowledged') {
      if (command.kind === 'read') this.#topic.next(this.#read(command.commandId, command.what, now));
      else if (command.kind === 'cancelOrder') this.#drop([command.clientOrderId]);
      else if (command.kind === 'cancelOrders')
        this.live = this.live.filter((order) => order.instrument !== command.instrument);
    }
    const ids = command.kind === 'cancelOrders' ? command.cancels : [command];
    for (const { commandId } of ids)
      this.#topic.next({
        kind: 'commandSettled',
        commandId,
        lane: laneOf(command),
        outcome,
        clientOrderId: orderIdOf(command),
        ...times,
      });
  }

  #drop(ids: readonly string[]): void {
    this.live = this.live.filter(({ clientOrderId }) => !ids.includes(clientOrderId));
  }

  #read(commandId: number, what: ReadAnswered['what'], now: Micros): ReadAnswered {
    const product = 'product' in what ? (what.product ?? 'spot') : 'spot';
    const orders = this.live.filter(
      ({ instrument, margin }) => productOf(instruments.at(instrument), margin) === product,
    );
    const isAccounts = what.of === 'marginAccounts';
    const positions = this.positions.filter(
      ({ instrument }) => (instruments.at(instrument).spec.type === 'futures') === (product === 'futures'),
    );
    return {
      kind: 'readAnswered',
      commandId,
      what,
      askedAt: now,
      orders: what.of === 'activeOrders' ? orders : [],
      fills: [],
      balances: [],
      marginAccounts: isAccounts ? ([{ positions }] as unknown as ReadAnswered['marginAccounts']) : undefined,
      exchangeTime: now,
      receiveTime: now,
    };
  }
}

export interface SceneParts {
  readonly terms?: Partial<SweepTerms>;
  /** A sentinel of its own, which no daemon started. */
  readonly isService?: boolean;
  /** The process of the daemon cannot be seen from where the sentinel runs. */
  readonly isUnseen?: boolean;
}

/** A daemon as its files show it, the books of a venue, and a sentinel between them, on a virtual clock. */
export class Scene {
  readonly clock = new VirtualClock(start);
  readonly venue = new BookVenue(this.clock);
  readonly said: string[] = [];
  readonly states: SentinelState[] = [];
  lease: Lease | undefined = { epoch: 7, pid: 70, mark: 'm', at: start };
  beat: Beat | undefined = { count: 1, phase: 'trades', pid: 70, at: 0, uptime: 0, run: 'r' };
  isBeating = true;
  isRunning = true;
  isKilled = false;
  isOpen = true;
  ended: string | undefined;
  readonly #life = new AbortController();

  constructor({ terms, isService = false, isUnseen = false }: SceneParts = {}) {
    this.isRunning = !isUnseen;
    const free = { used: 0, capacity: 1_000 };
    const budgets = {
      take: () => 0,
      wait: () => micros(0),
      settle: () => {},
      usage: () => ({ cancel: free, read: free, replace: free, new: free }),
    };
    let desk: Desk | undefined;
    const watch: Watch = new Watch({
      clock: this.clock,
      seam: {
        look: () => ({
          lease: this.lease,
          beat: this.beat,
          isRunning: this.isRunning,
          isKilled: this.isKilled,
        }),
        epoch: () => this.lease?.epoch,
        write: (state) => void this.states.push(state),
      },
      judge: { epoch: isService ? undefined : 7, silence: seconds(2), every: millis(100) },
      self: { pid: 99, mark: 's' },
      say: (line) => void this.said.push(line),
      signal: this.#life.signal,
      terms: {
        idPrefix: 'gw',
        cancel: 'raising',
        togetherFrom: undefined,
        products: ['spot', 'margin', 'futures'],
        others: () => [],
        ...terms,
      },
      trouble: () => '',
      open: () => {
        if (!this.isOpen) return Promise.reject(new Error('no route to the venue'));
        if (desk === undefined || desk.isClosed)
          desk = new Desk({
            venue: this.venue,
            budgets,
            clock: this.clock,
            mayCancel: () => watch.mayCancel,
          });
        return Promise.resolve({ desk, instruments });
      },
    });
    void watch.run().then((why) => (this.ended = why));
  }

  /** Lets time pass; the daemon beats meanwhile, if it does. */
  async pass(duration: Micros, step = millis(50)): Promise<void> {
    const end = this.clock.uptime() + duration;
    while (this.clock.uptime() < end) {
      if (this.isBeating && this.beat !== undefined) this.beat = { ...this.beat, count: this.beat.count + 1 };
      this.clock.advanceTo(micros(Math.min(end, this.clock.uptime() + step)));
      for (let turn = 0; turn < 40; turn++) await Promise.resolve();
    }
  }

  /** The daemon is gone, as after SIGKILL. */
  kill(): void {
    this.isBeating = false;
    this.isRunning = false;
  }

  get state(): SentinelState | undefined {
    return this.states.at(-1);
  }

  get liveIds(): readonly string[] {
    return this.venue.live.map(({ clientOrderId }) => clientOrderId);
  }

  end(): void {
    this.#life.abort();
  }
}
