import type { StampedEvent } from '../../core/model/stamped-event.ts';
import type { Side } from '../../core/model/order.ts';
import type { InstrumentId } from '../../core/model/instrument.ts';
import { MemoryJournal } from '../../core/journal/index.ts';
import type { StateView } from '../../core/state/index.ts';
import type { TroubleName } from '../../exchange/chaos/index.ts';
import { Chaos } from '../../exchange/chaos/index.ts';
import type { Config } from '../config/schema.ts';
import type { WorstExposure } from '../virtual/account-watch.ts';
import { AccountWatch } from '../virtual/account-watch.ts';
import { VirtualScene } from '../virtual/scene.ts';
import { brokenAtEnd } from './chaos-end.ts';

export interface ChaosRunSetting {
  readonly config: Config;
  readonly seed: number;
  /** Minutes in which the trouble comes and goes. */
  readonly minutes: number;
  /** Prints what happens: troubles, and what becomes of orders. */
  readonly tell?: ((line: string) => void) | undefined;
}

/** Outcome of a run without troubles, with which another is compared. */
export interface CalmRun {
  /** Most orders that a strategy had open at once, by strategy, symbol and side. */
  readonly openMost: ReadonlyMap<string, number>;
  /** Whether orders were accepted in the last minute. */
  readonly trades: boolean;
}

/** Outcome of a run with one trouble. */
export interface ChaosRun extends CalmRun {
  readonly trouble: TroubleName | 'calm';
  /** Sentences on what did not hold. */
  readonly broken: readonly string[];
  /** Times that the trouble came. */
  readonly times: number;
  readonly orders: number;
  readonly fills: number;
  readonly worst: WorstExposure | undefined;
}

const warmMs = 20_000;
/** Time after the last trouble: an order that lands late, the lag of a history, two looks that prove an absence, a pause of reconnections. */
const quietMs = 240_000;
const lastMs = 60_000;

/** Runs the strategies of a configuration on the exchange in memory, under one trouble or none, in virtual time. */
export async function runChaos(
  trouble: TroubleName | 'calm',
  { config, seed, minutes, tell }: ChaosRunSetting,
  calm?: CalmRun,
): Promise<ChaosRun> {
  const scene = new VirtualScene({ seed, exchange: config.exchange });
  const { exchange, time } = scene;
  const account = new AccountWatch(exchange);
  const asked = new AskedAgain(() => scene.trader.view, calm?.openMost);
  await scene.start({
    config,
    journal: () => new MemoryJournal(),
    watch: (stamped) => {
      asked.observe(stamped);
      if (tell !== undefined) for (const line of linesOf(stamped)) tell(`${atText(scene)} ${line}`);
    },
  });
  const pass = (ms: number): Promise<boolean> => scene.until(() => false, ms);
  await pass(warmMs);
  let times = 0;
  const log = {
    debug() {},
    info() {},
    error() {},
    warn: ({ forMs }: Readonly<Record<string, unknown>>, message: string) => {
      if (forMs !== undefined) times += 1;
      tell?.(`${atText(scene)} ${message}`);
    },
  };
  const chaos = new Chaos({ exchange: exchange.troubled, clock: time, log });
  if (trouble !== 'calm') chaos.start({ name: trouble, seed });
  await pass(minutes * 60_000);
  chaos.stop();
  await pass(quietMs - lastMs);
  const before = account.accepted;
  await pass(lastMs);
  const trades = account.accepted > before;
  const broken = [
    ...asked.found,
    ...(await brokenAtEnd({ scene, account, config })),
    ...(calm?.trades === true && !trades ? [`no order was accepted in the last ${lastMs / 1_000} s`] : []),
  ];
  const { accepted: orders, fills } = account;
  return { trouble, broken, times, orders, fills, trades, openMost: asked.openMost, worst: account.worst() };
}

/** Finds orders that a strategy asks for once more while it is not known what became of the like. */
class AskedAgain {
  readonly openMost = new Map<string, number>();
  readonly found: string[] = [];
  readonly #view: () => StateView;
  readonly #allowed: ReadonlyMap<string, number> | undefined;

  constructor(view: () => StateView, allowed: ReadonlyMap<string, number> | undefined) {
    this.#view = view;
    this.#allowed = allowed;
  }

  observe({ event }: StampedEvent): void {
    if (event.kind !== 'orderPending') return;
    const { strategy, request } = event.command;
    const { instrument, side, quantity, clientOrderId } = request;
    const open = this.#open(strategy, instrument, side);
    const key = `${strategy} ${instrument} ${side}`;
    this.openMost.set(key, Math.max(this.openMost.get(key) ?? 0, open.length));
    if (this.#allowed === undefined || open.length <= (this.#allowed.get(key) ?? 0)) return;
    const like = open.find(
      (one) => one.state === 'unknown' && one.quantity === quantity && one.clientOrderId !== clientOrderId,
    );
    if (like === undefined || this.found.length >= 5) return;
    this.found.push(
      `${strategy} asked for ${clientOrderId} while it was not known what became of ${like.clientOrderId}, the same side and quantity`,
    );
  }

  #open(strategy: string, instrument: InstrumentId, side: Side): ReturnType<StateView['openOrders']> {
    return this.#view()
      .openOrders(strategy, instrument)
      .filter((one) => one.side === side);
  }
}

function atText({ elapsedMs }: VirtualScene): string {
  return (elapsedMs / 1_000).toFixed(3).padStart(9);
}

function linesOf({ event }: StampedEvent): readonly string[] {
  switch (event.kind) {
    case 'orderPending': {
      const { clientOrderId, side, quantity, price } = event.command.request;
      return [`asked     ${clientOrderId} ${side} ${quantity} lots at ${price ?? 'the market'}`];
    }
    case 'replacePending':
      return [`replace   ${event.command.clientOrderId} by ${event.command.newClientOrderId}`];
    case 'cancelPending':
      return [`cancel    ${event.command.clientOrderId}`];
    case 'orderReport':
      return [`report    ${event.order.clientOrderId} ${event.reportType} ${event.order.state}`];
    case 'orderUnknown':
      return [`unknown   ${event.clientOrderId}: ${event.why}`];
    case 'orderProvenAbsent':
      return [`absent    ${event.clientOrderId}`];
    case 'orderRejected':
      return [`rejected  ${event.clientOrderId} ${event.code}: ${event.why}`];
    case 'orderDenied':
      return [`denied    ${event.clientOrderId} ${event.denial.code}: ${event.denial.why}`];
    case 'orderFoundAlive':
      return [`alive     ${event.clientOrderId}`];
    case 'bookStale':
      return [`stale     book: ${event.reason}`];
    case 'sessionUp':
    case 'sessionDown':
      return [`session   ${event.session} ${event.kind === 'sessionUp' ? 'up' : 'down'}`];
    case 'modeChanged':
      return [`mode      ${event.mode}: ${event.why}`];
    case 'strategyStopped':
      return [`stopped   ${event.strategy}: ${event.why}`];
    default:
      return [];
  }
}
