import type { Faults } from '../base/index.ts';

/** The exchange as troubles meet it. */
export interface TroubledExchange {
  readonly faults: Faults;
  /** Symbols in which accounts with keys have had orders; all where there are none. */
  symbols(): readonly string[];
  setStatus(symbol: string, status: 'suspended' | 'working'): void;
  /** Cancels the orders of all accounts with keys. */
  cancelAll(): void;
}

/** Strength of a trouble. */
export interface TroubleTerms {
  /** Number of requests, replies, reports or updates that meet it, where it meets them one by one. */
  readonly times: number;
  /** Milliseconds by which something is late or off, where that means something. */
  readonly ms: number;
  /** Symbols that it concerns, where it concerns symbols. */
  readonly symbols: readonly string[];
}

/** One trouble. Each of them is something that exchanges of this API have done, or may do by their documents. */
export interface Trouble {
  /** One sentence that follows the name. */
  readonly says: string;
  /** Most of `times` where they are drawn; it has none when left out. */
  readonly timesMax?: number;
  /** Milliseconds of `ms`, where nothing else is said; it has none when left out. */
  readonly ms?: number;
  /** Longest that it lasts where that is drawn, milliseconds. */
  readonly forMsMax: number;
  /** The reason why a gateway cannot have it: it may change what programs receive, and never what reaches a venue. */
  readonly notAtGateway?: string;
  /** Begins it; what it returns ends it. */
  begin(exchange: TroubledExchange, terms: TroubleTerms): () => void;
}

const ofVenue = 'it is an act of the venue itself';
const ofMarketData = 'its market data are those of the venue';
const reachesLate = 'what goes to the venue would change';

/** Every trouble by its name: the one table that the command, the simulation and `npm run prove` take them from. */
export const troubles = {
  'frozen-feed': {
    says: 'public feeds fall silent while sockets and pings go on',
    forMsMax: 40_000,
    begin: ({ faults }) => {
      faults.freezeFeeds(true);
      return () => faults.freezeFeeds(false);
    },
  },
  gap: {
    says: 'updates of order books are lost: their sequence numbers are used up',
    timesMax: 4,
    forMsMax: 60_000,
    begin: ({ faults }, { times, symbols }) =>
      ofSymbols(symbols, times, (...to) => faults.dropUpdates(...to)),
  },
  'repeated-updates': {
    says: 'updates of order books are sent twice',
    timesMax: 4,
    forMsMax: 60_000,
    notAtGateway: ofMarketData,
    begin: ({ faults }, { times, symbols }) =>
      ofSymbols(symbols, times, (...to) => faults.repeatUpdates(...to)),
  },
  'new-sequence': {
    says: 'the sequence of order books begins anew at 1',
    forMsMax: 10_000,
    notAtGateway: ofMarketData,
    begin: ({ faults }, { symbols }) => {
      for (const symbol of symbols) faults.resetSequence(symbol);
      return () => {};
    },
  },
  'no-snapshot': {
    says: 'subscriptions of order books are acknowledged and bring no snapshot',
    timesMax: 3,
    forMsMax: 60_000,
    notAtGateway: ofMarketData,
    begin: ({ faults }, { times }) => counted(times, (count) => faults.withholdSnapshots(count)),
  },
  'lost-acknowledgement': {
    says: 'a request that places, replaces or cancels is executed and never answered',
    timesMax: 3,
    forMsMax: 60_000,
    begin: ({ faults }, { times }) => counted(times, (count) => faults.dropAcknowledgements(count)),
  },
  'lost-replies': {
    says: 'requests of any kind are executed and never answered',
    timesMax: 6,
    forMsMax: 30_000,
    begin: ({ faults }, { times }) => counted(times, (count) => faults.dropReplies(count)),
  },
  'late-replies': {
    says: 'replies come late, while reports and feeds pass them',
    ms: 3_000,
    forMsMax: 30_000,
    begin: ({ faults }, { ms }) => {
      faults.holdReplies(ms);
      return () => faults.holdReplies(0);
    },
  },
  'timeout-accepted': {
    says: 'a request that places, replaces or cancels is answered with 504 and executed',
    timesMax: 4,
    forMsMax: 60_000,
    begin: ({ faults }, { times }) => faults.answer504('afterAccept', times),
  },
  'timeout-refused': {
    says: 'a request that places, replaces or cancels is answered with 504 and not executed',
    timesMax: 4,
    forMsMax: 60_000,
    notAtGateway: reachesLate,
    begin: ({ faults }, { times }) => faults.answer504('beforeAccept', times),
  },
  'late-order': {
    says: 'a request that places, replaces or cancels is answered with 504 and executed 40 s later',
    timesMax: 2,
    ms: 40_000,
    forMsMax: 60_000,
    notAtGateway: reachesLate,
    begin: ({ faults }, { times, ms }) => faults.landLate(ms, times),
  },
  'not-found': {
    says: 'orders and trades show in the histories a minute late: one that is filled is found nowhere',
    ms: 60_000,
    forMsMax: 60_000,
    notAtGateway: ofVenue,
    begin: ({ faults }, { ms }) => {
      faults.lagHistory(ms);
      return () => faults.lagHistory(0);
    },
  },
  'forgetful-history': {
    says: 'orders go from the histories 10 s after they ended, in place of a day; trades stay',
    ms: 10_000,
    forMsMax: 60_000,
    notAtGateway: ofVenue,
    begin: ({ faults }, { ms }) => {
      faults.forgetHistory(ms);
      return () => faults.forgetHistory(undefined);
    },
  },
  'repeated-reports': {
    says: 'reports on orders are sent twice',
    timesMax: 6,
    forMsMax: 60_000,
    begin: ({ faults }, { times }) => counted(times, (count) => faults.repeatReports(count)),
  },
  'reordered-reports': {
    says: 'a report on an order is sent after the one that follows it, or 2 s late',
    timesMax: 6,
    forMsMax: 60_000,
    begin: ({ faults }, { times }) => counted(times, (count) => faults.reorderReports(count)),
  },
  'rate-limited': {
    says: 'requests of any kind are answered with 429, whatever the budget says',
    timesMax: 40,
    forMsMax: 30_000,
    begin: ({ faults }, { times }) => counted(times, (count) => faults.answer429(count)),
  },
  unavailable: {
    says: 'requests of any kind are answered with 503 and not executed',
    timesMax: 12,
    forMsMax: 30_000,
    begin: ({ faults }, { times }) => counted(times, (count) => faults.answer503(count)),
  },
  'clock-off': {
    says: 'the clock of the exchange is 70 s ahead: its stamps, and the window of signatures',
    ms: 70_000,
    forMsMax: 40_000,
    notAtGateway: ofVenue,
    begin: ({ faults }, { ms }) => {
      faults.shiftClock(ms);
      return () => faults.shiftClock(0);
    },
  },
  'suspended-symbol': {
    says: 'the symbols with orders are suspended',
    forMsMax: 60_000,
    notAtGateway: ofVenue,
    begin: (exchange, { symbols }) => {
      for (const symbol of symbols) exchange.setStatus(symbol, 'suspended');
      return () => {
        for (const symbol of symbols) exchange.setStatus(symbol, 'working');
      };
    },
  },
  'kept-original': {
    says: 'a replacement over version 3 leaves the order it replaces alive, and says nothing of it',
    timesMax: 4,
    forMsMax: 60_000,
    notAtGateway: ofVenue,
    begin: ({ faults }, { times }) => counted(times, (count) => faults.keepOriginals(count)),
  },
  restart: {
    says: 'sockets close with 1012, and all is answered with 503 for a while; orders live on',
    forMsMax: 15_000,
    begin: goDown,
  },
  'restart-without-orders': {
    says: 'sockets close with 1012, all is answered with 503 for a while, and all orders are gone',
    forMsMax: 15_000,
    notAtGateway: ofVenue,
    begin: (exchange) => {
      const comeUp = goDown(exchange);
      exchange.cancelAll();
      return comeUp;
    },
  },
} as const satisfies Readonly<Record<string, Trouble>>;

export type TroubleName = keyof typeof troubles;

export const troubleNames = Object.keys(troubles) as readonly TroubleName[];

/** Begins a trouble by its name, as hard as its row says where `terms` do not; what it returns ends it. */
export function beginTrouble(
  name: TroubleName,
  exchange: TroubledExchange,
  terms: Partial<TroubleTerms> = {},
): () => void {
  const trouble: Trouble = troubles[name];
  const { timesMax: times = 1, ms = 0 } = trouble;
  return trouble.begin(exchange, { times, ms, symbols: terms.symbols ?? exchange.symbols(), ...terms });
}

/** Sets a count, and none once it ends. */
function counted(times: number, set: (count: number) => void): () => void {
  set(times);
  return () => set(0);
}

function ofSymbols(
  symbols: readonly string[],
  times: number,
  set: (symbol: string, count: number) => void,
): () => void {
  for (const symbol of symbols) set(symbol, times);
  return () => {
    for (const symbol of symbols) set(symbol, 0);
  };
}

function goDown({ faults }: TroubledExchange): () => void {
  faults.closeSockets(1_012, 'restart');
  faults.goDown(true);
  return () => faults.goDown(false);
}
