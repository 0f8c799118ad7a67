import type { Clock, Micros } from '../core/base/clock.ts';
import { GodwitError } from '../core/base/errors.ts';
import type { Logger } from '../core/base/logger.ts';
import type { Random } from '../core/base/random.ts';
import type { Credentials } from '../core/base/secret.ts';
import type { LaneUsage } from '../core/budgets/lanes.ts';
import type { Venue } from '../core/bus/index.ts';
import type { Capabilities } from '../core/model/capabilities.ts';
import type { Command, Lane } from '../core/model/command.ts';
import type { CommandSettled, Event } from '../core/model/event.ts';
import type { FrameFormat } from '../core/model/frame-format.ts';
import type { Frame } from '../core/model/frame.ts';
import type { InstrumentId, Instruments } from '../core/model/instrument.ts';
import type { CandlePeriod } from '../core/model/market.ts';
import type { Product } from '../core/model/product.ts';
import type { ClientOptions } from './options.ts';

// What a venue must offer. A venue is one `VenueModule`: what it can do, where it is, how its recorded frames are read, and how
// it is connected to. Everything else of Godwit knows a venue by this and by `Venue`, which a trader works with.

/** The section `venue` of a configuration. */
export interface VenueSettings {
  /** A named host of the venue, or `custom`. */
  readonly preset: string;
  readonly base_url?: string | undefined;
  readonly ws_url?: string | undefined;
  /** The version of the interface to use, where there are several. */
  readonly api: string;
  /** Settings that only the venue's own module reads. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

export interface VenueAddresses {
  readonly baseUrl: string;
  readonly wsUrl: string;
}

/** The request limits of one account at the venue, as the gate and the status line use them. */
export interface VenueBudgets {
  /** Takes a slot in every limit the command counts against; -1 when one of them is used up. */
  take(command: Command): number;
  /** How long until `take` may succeed if nothing else happens. */
  wait(command: Command): Micros;
  /** Gives the slot back when its answer has come. */
  settle(slot: number, outcome: CommandSettled['outcome']): void;
  usage(): Readonly<Record<Lane, LaneUsage>>;
  /** Reads of the account that the limits sustain in a second; 20 are assumed where it is left out. */
  readonly readRate?: number | undefined;
}

/** The streams to subscribe of one instrument. */
export interface MarketSubscription {
  readonly instrument: InstrumentId;
  readonly book: boolean;
  readonly trades: boolean;
  readonly ticker: boolean;
  readonly candles: readonly CandlePeriod[];
  /** Whether the venue tells what a contract shows of itself. */
  readonly contract?: boolean | undefined;
}

export interface ConnectDeps {
  readonly settings: VenueSettings;
  readonly options: ClientOptions;
  /** Absent: market data only, and every command is refused before a byte leaves. */
  readonly credentials: Credentials | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

export interface OpenVenueSetup {
  /** All or some of the listed instruments, numbered as the run numbers them. */
  readonly instruments: Instruments;
  /** Made by `VenueModule.budgets`. Logins, subscriptions and pages count against them too. */
  readonly budgets: VenueBudgets;
  readonly subscriptions: readonly MarketSubscription[];
  /** Products that are traded: their reports and balances are followed from each login on. Spot alone when left out. */
  readonly products?: (() => readonly Product[]) | undefined;
  /** Called with every frame as it crosses a socket, credentials cut out. */
  readonly onFrame?: ((frame: Frame) => void) | undefined;
  /** The books to subscribe before the others after an outage: those with own orders. */
  readonly first?: (() => ReadonlySet<InstrumentId>) | undefined;
  /** Whether the sides of a book meet, as the consumer of the events holds it; without one the venue holds books itself. */
  readonly isCrossed?: ((instrument: InstrumentId) => boolean) | undefined;
  /** A message about the own account cannot be read: the trader must halt until the account was read completely. */
  readonly onUnread?: ((why: string) => void) | undefined;
  /** Whether something is traded for a currency, or held of it; everything is when left out. What cannot be read of others is left out. */
  readonly isTraded?: ((currency: string) => boolean) | undefined;
  /** A tick size or quantity increment is not that of the run: it has to be opened anew with what is listed now. */
  readonly onGridChanged?: ((why: string) => void) | undefined;
  /** The venue does not accept the key, and never has in this run. */
  readonly onLoginRefused?: ((why: string) => void) | undefined;
  /** A market connection that stays further behind the venue's stamps than this is opened anew. */
  readonly marketLagMax?: Micros | undefined;
}

/** A way to one account at a venue. */
export interface VenueConnection {
  /** Every instrument of the venue. Throws `VenueFailed` when it does not answer. */
  listInstruments(): Promise<Instruments>;
  /**
   * The venue as a trader uses it. Its sessions open when `events` is first subscribed. Each command sent is settled exactly
   * once: `unanswered` when no answer came in time or its connection was lost.
   */
  open(setup: OpenVenueSetup): Venue;
  /** Looks at the clock and at the key; changes nothing. A venue that cannot leaves it out. Throws `VenueFailed`. */
  examine?(): Promise<VenueExamination>;
}

/** Examination of a venue and of a key without trading. */
export interface VenueExamination {
  /** Our wall time plus this is the venue's; 0 within what the measurement leaves open. */
  readonly clockOffset: Micros;
  /** Rights of the key; `undefined` without one, or where the venue does not show them. */
  readonly rights:
    | { readonly reads: boolean; readonly trades: boolean; readonly withdraws: boolean }
    | undefined;
}

/** Recorded frames of the own account in, account events out, as in the run that was recorded. */
export interface AccountDecoder {
  /** `command` is about to leave. */
  sent(command: Command): void;
  /** Takes one frame; frames of other channels are ignored. */
  accept(frame: Frame): void;
  /** Replies that matched no command in flight. */
  readonly unmatched: number;
}

export interface AccountDecoderSetup {
  readonly instruments: Instruments;
  readonly publish: (event: Event) => void;
  /** As in `OpenVenueSetup`: whether something is traded for a currency, or held of it; everything is when left out. What cannot be read of others is left out. */
  readonly isTraded?: ((currency: string) => boolean) | undefined;
}

/** Module of a venue: the default export of a venue's module. */
export interface VenueModule {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** How recordings of public frames are read. */
  readonly frames: FrameFormat;
  /** How recorded frames of the own account are read, for a replay. */
  accountDecoder(setup: AccountDecoderSetup): AccountDecoder;
  /** Where the venue is. Throws `BadInput` naming the setting that is missing or wrong. */
  addresses(settings: VenueSettings): VenueAddresses;
  /** `limits`: the section `budgets` of a configuration. A venue with limits of its own ignores it. */
  budgets(limits: unknown, clock: Clock): VenueBudgets;
  /** Makes no connection yet. Rejects with `AddressRefused` when credentials would cross an open link. */
  connect(setup: ConnectDeps): Promise<VenueConnection>;
}

/** A read failed for good: refused, or without a usable answer after all attempts. */
export abstract class VenueFailed extends GodwitError {
  /** Whether the same read may be answered later: the venue did not refuse it. */
  readonly mayPass: boolean;

  constructor(message: string, mayPass: boolean) {
    super(message);
    this.mayPass = mayPass;
  }
}
