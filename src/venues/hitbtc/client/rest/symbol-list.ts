import type { Cancel, Clock } from '../../../../core/base/clock.ts';
import { micros, millis, seconds } from '../../../../core/base/clock.ts';
import { BadInput } from '../../../../core/base/errors.ts';
import type { Logger } from '../../../../core/base/logger.ts';
import type { InstrumentChanged } from '../../../../core/model/event.ts';
import type {
  Instrument,
  InstrumentId,
  InstrumentSpec,
  InstrumentStatus,
} from '../../../../core/model/instrument.ts';
import { Instruments } from '../../../../core/model/instrument.ts';
import { isSameStep } from '../../../../core/model/joint-grid.ts';
import { refusedNamesText } from '../../../../core/model/symbol-table.ts';
import type { ClientOptions } from '../../../options.ts';
import type { ApiBudgets } from '../../budgets/api.ts';
import { decodeV3Symbols } from '../../wire/resources/index.ts';
import { takeRequestSlot } from '../../../net/index.ts';
import { verdictText } from '../calls/index.ts';
import { symbolsCall } from './commands.ts';
import type { RestClient } from './rest.ts';
import { RestFailed } from './rest.ts';

/**
 * Every symbol of the venue (or those named) as instruments, read over REST before anything else begins. The answer
 * also shows how far the venue's clock is from ours. Throws `RestFailed` when there is no usable answer, `BadInput`
 * when it is not as expected, or a named symbol is missing or has a name that is passed over. `log` takes a sentence on such names
 * of a list. Source: API v3, "Symbol".
 */
export async function loadInstruments(setup: {
  readonly rest: RestClient;
  readonly symbols?: readonly string[];
  readonly log?: Pick<Logger, 'warn'> | undefined;
}): Promise<Instruments> {
  const { rest, symbols = [], log } = setup;
  const reply = await rest.read(symbolsCall(symbols));
  if (reply.verdict.outcome !== 'acknowledged') {
    // Where no answer came there is no status.
    const status = reply.status === 0 ? '' : ` (HTTP ${reply.status})`;
    throw new RestFailed(
      `the symbol list could not be read: ${verdictText(reply.verdict)}${status}`,
      reply.verdict.outcome !== 'refused',
    );
  }
  const refused: string[] = [];
  const instruments = new Instruments(decodeV3Symbols(reply.body, (codes) => refused.push(...codes)));
  if (refused.some((symbol) => symbols.includes(symbol))) throw new BadInput(refusedNamesText(refused));
  if (refused.length > 0) log?.warn({}, refusedNamesText(refused));
  const missing = symbols.filter((symbol) => instruments.find(symbol) === undefined);
  if (missing.length > 0) throw new BadInput(`the venue has no symbol ${missing.join(', ')}`);
  return instruments;
}

/** However often it is asked to hurry, the list is read no more often than this. */
const hurriedEvery = seconds(1);

/** "Symbol not found". Source: API v3, "Error codes". */
const noSuchSymbol = 2_001;

export interface SymbolWatchDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly rest: RestClient;
  readonly budgets: ApiBudgets;
  readonly instruments: Instruments;
  readonly options: ClientOptions['market'];
  readonly signal: AbortSignal;
  /** The instruments that matter now: those with a feed or own orders. */
  readonly wanted: () => Iterable<InstrumentId>;
  readonly publish: (event: InstrumentChanged) => void;
  /** The grid of a symbol is not that of the run any more, in a sentence. */
  readonly onGridChanged?: ((why: string) => void) | undefined;
}

/**
 * Reads the symbol list regularly and publishes what changed, because no socket does: a status other than the last one,
 * as `instrumentChanged`.
 *
 * A symbol missing from an answer about nothing but what was asked for counts as `expired`. One whose tick size, quantity increment or
 * contract size is not that of this run counts as `suspended`, whatever the list says, until the run is opened anew with it: its orders
 * would be off the grid. An answer that does not come or cannot be read changes nothing. Source: API v3, "Symbol status"; faults, X18.
 */
export class SymbolWatch {
  readonly #setup: SymbolWatchDeps;
  /** The last status; absent: that of the list when the run began. */
  readonly #statuses = new Map<InstrumentId, InstrumentStatus>();
  #cancel: Cancel = () => {};
  #nextAt = Number.POSITIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading = false;
  #hurried = false;

  constructor(setup: SymbolWatchDeps) {
    this.#setup = setup;
  }

  /** Something may have changed: the list is read as soon as it may be, and then every `statusMs`. */
  hurry(): void {
    if (this.#reading) this.#hurried = true;
    else this.#wakeAt(Math.max(this.#setup.clock.uptime(), this.#readAt + hurriedEvery));
  }

  /** When the list is read next, by uptime: infinity while it is read, and before the first time. */
  get nextAt(): number {
    return this.#nextAt;
  }

  close(): void {
    this.#cancel();
  }

  #wakeAt(time: number): void {
    const { clock, signal } = this.#setup;
    if (signal.aborted || time >= this.#nextAt) return;
    this.#cancel();
    this.#nextAt = time;
    this.#cancel = clock.after(micros(Math.max(0, time - clock.uptime())), () => {
      this.#nextAt = Number.POSITIVE_INFINITY;
      void this.#read();
    });
  }

  async #read(): Promise<void> {
    const { clock, options, instruments, wanted } = this.#setup;
    this.#reading = true;
    this.#hurried = false;
    this.#readAt = clock.uptime();
    const all = [...new Set(wanted())].map((id) => instruments.at(id));
    for (let from = 0; from < all.length; from += options.symbolsPerRequest) {
      await this.#ask(all.slice(from, from + options.symbolsPerRequest));
    }
    this.#reading = false;
    if (this.#hurried) this.hurry();
    this.#wakeAt(clock.uptime() + millis(options.statusMs));
  }

  async #ask(asked: readonly Instrument[]): Promise<void> {
    const { budgets, clock, rest, signal, log } = this.#setup;
    const slot = await takeRequestSlot(budgets, 'restPublic', clock, signal);
    if (slot < 0) return;
    const reply = await rest.send({ ...symbolsCall(asked.map(({ symbol }) => symbol)), signal });
    const { outcome } = reply.verdict;
    budgets.settle(slot, outcome === 'limited' ? 'limited' : 'acknowledged');
    if (reply.verdict.outcome === 'refused' && reply.verdict.code === noSuchSymbol) {
      await this.#unlisted(asked);
      return;
    }
    if (outcome !== 'acknowledged') return;
    try {
      const listed = new Map(decodeV3Symbols(reply.body).map((spec) => [spec.symbol, spec]));
      const names = new Set(asked.map(({ symbol }) => symbol));
      const isComplete = Object.keys(reply.body as object).every((name) => names.has(name));
      for (const instrument of asked) {
        const found = listed.get(instrument.symbol);
        if (found !== undefined || isComplete) this.#compare(instrument, found);
      }
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      log.warn({ why: error.message }, 'the symbol list cannot be read');
    }
  }

  /** The venue refuses the question, because it does not know one of the symbols: which it is, smaller questions show. */
  async #unlisted(asked: readonly Instrument[]): Promise<void> {
    const [one] = asked;
    if (one !== undefined && asked.length === 1) {
      this.#compare(one, undefined);
      return;
    }
    const middle = Math.ceil(asked.length / 2);
    for (const part of [asked.slice(0, middle), asked.slice(middle)]) await this.#ask(part);
  }

  #compare(instrument: Instrument, listed: InstrumentSpec | undefined): void {
    const { clock, log, publish, onGridChanged } = this.#setup;
    const { id, symbol, spec } = instrument;
    const isOnGrid = listed === undefined || hasGridOf(spec, listed);
    const status = isOnGrid ? (listed?.status ?? 'expired') : 'suspended';
    const before = this.#statuses.get(id) ?? spec.status;
    if (status === before) return;
    this.#statuses.set(id, status);
    if (isOnGrid) log.warn({ symbol, before, status }, 'the status of a symbol changed');
    else {
      const { tickSize, quantityIncrement } = listed ?? spec;
      log.error(
        { symbol, tickSize, quantityIncrement },
        'the grid of a symbol is not that of this run: it is held as suspended until the run is opened anew',
      );
      onGridChanged?.(
        `${symbol} has tick size ${tickSize} and quantity increment ${quantityIncrement} from now on`,
      );
    }
    const now = clock.now();
    publish({ kind: 'instrumentChanged', instrument: id, status, exchangeTime: now, receiveTime: now });
  }
}

function hasGridOf(spec: InstrumentSpec, listed: InstrumentSpec): boolean {
  return (
    isSameStep(spec.orderTick ?? spec.tickSize, listed.tickSize) &&
    isSameStep(spec.orderIncrement ?? spec.quantityIncrement, listed.quantityIncrement) &&
    isSameStep(spec.contractSize ?? '1', listed.contractSize ?? '1')
  );
}
