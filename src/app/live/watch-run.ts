import { amountToNumber } from '../../core/base/amount.ts';
import type { Cancel, Micros } from '../../core/base/clock.ts';
import { microsPerMilli, seconds } from '../../core/base/clock.ts';
import { isDeniedExit } from '../../core/orders/controls/index.ts';
import type { VenueBudgets } from '../../venues/index.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { InstrumentId } from '../../core/model/instrument.ts';
import type { StatusMoment, RunAt, RunRows } from '../../research/report/index.ts';
import { StatusLine, Summary } from '../../research/report/index.ts';
import type { FigureOptions } from '../../research/statistics/index.ts';
import type { Trader } from '../../core/trader/index.ts';
import { declaredBy } from '../run/assembly.ts';
import { accountRows, standingOf, stoppedStrategies, isOfSession, ownOrders } from './account-now.ts';
import type { Output } from '../process/output.ts';
import { Incidents } from './incidents.ts';
import { accountName, accountText, accountsOf, heldOf } from './margin-accounts.ts';

export interface WatchSetting {
  readonly trader: Trader;
  /** The clock of the core: samples are of the end of each second, as in a backtest. */
  readonly at: RunAt;
  readonly budgets: VenueBudgets;
  readonly clock: Clock;
  readonly output: Output;
  /** How late market data may come. */
  readonly lagMax?: Micros;
  /** Takes every row of the session, for an export. */
  readonly rows?: RunRows | undefined;
  /** Takes every line that a person should read at once. */
  readonly onIncident?: ((line: string) => void) | undefined;
  /** One JSON object a second instead of aligned columns. */
  readonly json: boolean;
  /** `report:` of the configuration. */
  readonly figures?: FigureOptions | undefined;
}

/** Titles are repeated after this many lines. */
const linesPerHeader = 30;

/** Follows a run: folds its summary and prints one line a second until cancelled. */
export function watchRun(setting: WatchSetting): { readonly summary: Summary; readonly end: Cancel } {
  const { trader, clock } = setting;
  const summary = new Summary({
    instruments: trader.instruments,
    book: (id) => trader.view.book(id),
    details: true,
    figures: setting.figures,
    rows: setting.rows,
    waited: () => trader.waiting.waited,
    declared: declaredBy(trader),
    at: setting.at,
    own: ownOrders(trader.view),
    entries: (event) => trader.view.entriesOf(event),
    isDeniedExit: (event) => isDeniedExit(event, trader.view),
  });
  // The run has begun: what the journal carried stands, and nothing has come from the venue yet.
  summary.opening.bring(trader.view.positions());
  summary.tally.bring(trader.view.openOrders().filter(isOfSession));
  const incidents = new Incidents(trader.view);
  const unwatch = trader.watch(({ event }) => {
    summary.observe(event);
    const incident = incidents.of(event);
    if (incident === undefined) return;
    setting.output.progress(incident);
    setting.onIncident?.(incident);
  });
  const shown = new Map<InstrumentId, StatusLine>();
  const margin = new MarginLines(trader);
  let lines = 0;
  let cancel: Cancel = () => {};
  const tick = (): void => {
    cancel = clock.after(seconds(1), tick);
    for (const id of accountRows(trader)) {
      let line = shown.get(id);
      if (line === undefined) {
        line = new StatusLine(summary, id, { colours: setting.output.colour, lagMax: setting.lagMax });
        shown.set(id, line);
      }
      if (!setting.json && lines % linesPerHeader === 0) setting.output.data(line.header());
      lines += 1;
      setting.output.data(
        setting.json
          ? jsonLine(setting, summary, id)
          : line.render({
              time: clock.now(),
              budgetUse: budgetUse(setting),
              lag: trader.view.marketLag,
              ...momentOf(trader, id),
            }),
      );
    }
    if (!setting.json) for (const line of margin.changed()) setting.output.data(line);
  };
  cancel = clock.after(seconds(1), tick);
  return {
    summary,
    end: () => {
      cancel();
      unwatch();
      summary.endRun();
    },
  };
}

/** The lines of margin accounts: each is shown when it is not as it was shown last. */
class MarginLines {
  readonly #trader: Trader;
  #shown: ReadonlyMap<string, string> = new Map();

  constructor(trader: Trader) {
    this.#trader = trader;
  }

  changed(): readonly string[] {
    const { view, instruments } = this.#trader;
    const before = this.#shown;
    this.#shown = new Map(
      view.marginAccounts().map((one) => [accountName(one, instruments), accountText(one, instruments)]),
    );
    const changed = [...this.#shown].filter(([name, text]) => before.get(name) !== text);
    const closed = [...before.keys()].filter((name) => !this.#shown.has(name));
    return [
      ...changed.map(([name, text]) => `         ${name}: ${text}`),
      ...closed.map((name) => `         ${name}: closed`),
    ];
  }
}

function momentOf(trader: Trader, id: InstrumentId): Omit<StatusMoment, 'time' | 'budgetUse'> {
  const { view } = trader;
  return {
    position: heldOf(view, id),
    open: view.openCountOf(id),
    unknown: view.unknownCount(),
    standing: standingOf(trader),
  };
}

/** The fullest lane of the request budget, 0 to 1. */
function budgetUse({ budgets }: WatchSetting): number {
  return Math.max(...Object.values(budgets.usage()).map(({ used, capacity }) => used / capacity));
}

function jsonLine(setting: WatchSetting, summary: Summary, id: InstrumentId): string {
  const { trader, clock } = setting;
  const instrument = trader.instruments.at(id);
  const book = trader.view.book(id);
  const { position, open, unknown } = momentOf(trader, id);
  const accounts = accountsOf(trader.view, instrument);
  return JSON.stringify({
    time: Math.floor(clock.now() / 1_000),
    symbol: instrument.symbol,
    bid: book.bestBid === undefined ? null : instrument.priceText(book.bestBid),
    ask: book.bestAsk === undefined ? null : instrument.priceText(book.bestAsk),
    book: book.status,
    marketLagMs: msOf(trader.view.marketLag),
    marketLagMsMax: msOf(setting.lagMax),
    clockOffsetMs: msOf(trader.view.clockOffset),
    mode: trader.view.mode,
    connections: {
      market: trader.view.sessionUp('market') ? 'up' : 'down',
      trading: trader.view.sessionUp('trading') ? 'up' : 'down',
    },
    stopped: stoppedStrategies(trader),
    position: instrument.heldText(position),
    ...(accounts.length > 0 && { marginAccounts: accounts }),
    openOrders: open,
    unknownOrders: unknown,
    sessionPosition: instrument.heldText(summary.held(id).held),
    profit: amountToNumber(summary.profit(instrument.spec.quoteCurrency)),
    ordersPlaced: summary.tally.placed,
    fills: summary.held(id).fills,
    events: summary.messages.events,
    budgetUse: budgetUse(setting),
  });
}

function msOf(time: Micros | undefined): number | null {
  return time === undefined ? null : Math.round(time / microsPerMilli);
}
