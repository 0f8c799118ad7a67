import type { Cancel, Clock, Micros } from '../../core/base/clock.ts';
import { millis, seconds } from '../../core/base/clock.ts';
import { pause } from '../../core/base/pause.ts';
import type { Alert } from '../../operate/views/alerts.ts';
import type { FeedRow } from '../../operate/views/feeds.ts';
import type { FillRow } from '../../operate/views/trades.ts';
import { onStopSignal } from '../process/stop-signal.ts';
import { terminalText } from '../process/terminal-text.ts';
import type { OperateTarget, StreamedEvent } from './client.ts';
import { OperateClient, OperateFailed } from './client.ts';
import { shownDecimal } from './columns.ts';
import type { OperateCommand } from './commands.ts';
import type { ScreenSize, Watched, WatchModel } from './watch-screen.ts';
import { drawScreen, timeOfDayText } from './watch-screen.ts';

/** A terminal that a person sits at. */
export interface Terminal {
  readonly size: ScreenSize;
  /** Puts a whole screen in the place of the one that is shown. */
  show(lines: readonly string[]): void;
  onKey(pressed: (key: string) => void): void;
  /** Gives it back as it was. */
  restore(): void;
}

export interface WatchCommand extends OperateCommand {
  readonly clock: Clock;
  /** Opens the terminal where there is one. Lines are printed where there is none, or this is left out. */
  readonly open?: (() => Terminal | undefined) | undefined;
}

const drawEvery = millis(250);
const againEvery = seconds(1);
const rowsMax = 50;

/** `godwit watch`: follows a daemon until it is told to end, also over its restart. Throws `OperateFailed` when none runs. */
export async function watchCommand(command: WatchCommand): Promise<number> {
  const end = new AbortController();
  // The first connection must stand: a daemon that is not there is said at once.
  let client: OperateClient | undefined = new OperateClient(command.target);
  await client.get('/api/versions');
  const terminal = command.open?.();
  const view = terminal === undefined ? new Lines(command) : new Screen(command, terminal);
  const stop = (): void => end.abort();
  const release = onStopSignal(stop, stop);
  terminal?.onKey((key) => {
    if (key === 'q' || key === 'Q' || key === '\u0003') stop();
  });
  try {
    view.beginView();
    while (!end.signal.aborted) {
      const why = await followed(client, view, end.signal);
      if (end.signal.aborted) break;
      view.lost(why);
      await pause(command.clock, againEvery, end.signal);
      client = found(command.target);
    }
  } finally {
    release();
    view.endView();
  }
  return 0;
}

/** A daemon that was started again may have another address and another token. */
function found(target: OperateTarget): OperateClient | undefined {
  try {
    return new OperateClient(target);
  } catch {
    return undefined;
  }
}

/** Hands on what the daemon streams until the stream ends; returns why it did. */
async function followed(
  client: OperateClient | undefined,
  view: WatchView,
  signal: AbortSignal,
): Promise<string> {
  if (client === undefined) return 'no daemon runs';
  try {
    // The lists are read once the stream is open, so nothing falls between the two.
    const events = client.events(signal);
    const first = await events.next();
    const [feeds, fills, alerts] = (await Promise.all([
      client.get('/api/feeds'),
      client.get('/api/fills'),
      client.get('/api/alerts'),
    ])) as [FeedRow[], FillRow[], Alert[]];
    view.connected({ feeds, fills, alerts });
    if (first.done !== true) view.took(first.value);
    for await (const event of events) view.took(event);
    return 'the daemon ended the stream';
  } catch (error) {
    return error instanceof OperateFailed ? error.message : 'the daemon does not answer';
  }
}

interface Opening {
  readonly feeds: readonly FeedRow[];
  readonly fills: readonly FillRow[];
  readonly alerts: readonly Alert[];
}

interface WatchView {
  beginView(): void;
  connected(opening: Opening): void;
  took(event: StreamedEvent): void;
  lost(why: string): void;
  endView(): void;
}

/** Redraws at most four times a second, and once a second when nothing happens: ages go on. */
class Screen implements WatchView {
  readonly #clock: Clock;
  readonly #terminal: Terminal;
  readonly #sequences = new Map<string, number>();
  readonly #feedSeen = new Map<string, Micros>();
  #state: Watched | undefined;
  #fills: readonly FillRow[] = [];
  #alerts: readonly Alert[] = [];
  #lostSince: Micros | undefined;
  #lostWhy = '';
  #drawnAt = Number.NEGATIVE_INFINITY;
  #cancel: Cancel = () => {};
  #dueAt = Number.POSITIVE_INFINITY;

  constructor({ clock }: WatchCommand, terminal: Terminal) {
    this.#clock = clock;
    this.#terminal = terminal;
  }

  beginView(): void {
    this.#draw();
  }

  connected({ feeds, fills, alerts }: Opening): void {
    this.#lostSince = undefined;
    for (const { symbol, sequence, ageMs } of feeds) {
      this.#sequences.set(symbol, sequence);
      if (ageMs !== null)
        this.#feedSeen.set(symbol, (this.#clock.now() - millis(Math.round(ageMs))) as Micros);
    }
    this.#fills = fills.slice(0, rowsMax);
    this.#alerts = alerts.slice(0, rowsMax);
    this.#drawSoon();
  }

  took({ event, data }: StreamedEvent): void {
    if (event === 'fill') this.#fills = withNew(this.#fills, data as FillRow);
    else if (event === 'alert') this.#alerts = withNew(this.#alerts, data as Alert);
    else if (event === 'state') this.#stateCame(data as Watched);
    this.#drawSoon();
  }

  lost(why: string): void {
    this.#lostSince ??= this.#clock.now();
    this.#lostWhy = why;
    this.#drawSoon();
  }

  endView(): void {
    this.#cancel();
    this.#terminal.restore();
  }

  #stateCame(state: Watched): void {
    this.#state = state;
    for (const { symbol, sequence } of state.feeds) {
      if (this.#sequences.get(symbol) !== sequence) this.#feedSeen.set(symbol, this.#clock.now());
      this.#sequences.set(symbol, sequence);
    }
  }

  #drawSoon(): void {
    this.#drawAt(Math.max(this.#clock.uptime(), this.#drawnAt + drawEvery));
  }

  #drawAt(time: number): void {
    if (this.#dueAt <= time) return;
    this.#cancel();
    this.#dueAt = time;
    this.#cancel = this.#clock.after((time - this.#clock.uptime()) as Micros, () => this.#draw());
  }

  #draw(): void {
    this.#drawnAt = this.#clock.uptime();
    this.#dueAt = Number.POSITIVE_INFINITY;
    const model: WatchModel = {
      state: this.#state,
      feedSeen: this.#feedSeen,
      fills: this.#fills,
      alerts: this.#alerts,
      lostSince: this.#lostSince,
      lostWhy: this.#lostWhy,
    };
    this.#terminal.show(drawScreen(model, this.#terminal.size, this.#clock.now()));
    this.#drawAt(this.#drawnAt + againEvery);
  }
}

/** The newest first. What came while the list was read may stand in it. */
function withNew<Row>(rows: readonly Row[], row: Row): readonly Row[] {
  const text = JSON.stringify(row);
  return rows.some((one) => JSON.stringify(one) === text) ? rows : [row, ...rows].slice(0, rowsMax);
}

/** One line for each change, or one document for each event. */
class Lines implements WatchView {
  readonly #command: WatchCommand;
  #said = '';
  #isLost = false;

  constructor(command: WatchCommand) {
    this.#command = command;
  }

  beginView(): void {}

  connected(): void {
    if (this.#isLost) this.#sayLine({ event: 'connected', data: {} }, 'connected again');
    this.#isLost = false;
  }

  took(streamed: StreamedEvent): void {
    const text = textOf(streamed);
    // A record of the journal is no line of its own: what it changed is. In documents nothing is left out.
    if (text === undefined) {
      if (this.#command.json) this.#sayLine(streamed, '');
      return;
    }
    // Of a state the line may be the one before: what it leaves out has changed.
    if (streamed.event === 'state' && !this.#command.json) {
      if (text === this.#said) return;
      this.#said = text;
    }
    this.#sayLine(streamed, text);
  }

  lost(why: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#said = '';
    this.#sayLine({ event: 'disconnected', data: { why } }, `disconnected: ${why}`);
  }

  endView(): void {}

  #sayLine(streamed: StreamedEvent, text: string): void {
    const { output, json, clock } = this.#command;
    output.data(json ? JSON.stringify(streamed) : `${timeOfDayText(clock.now())}  ${text}`);
  }
}

/** `undefined` for an event that no line is made of. */
function textOf({ event, data }: StreamedEvent): string | undefined {
  if (event === 'fill') {
    const { strategy, symbol, side, quantity, unit, price, currency } = data as FillRow;
    return `fill ${strategy} ${side} ${shownDecimal(quantity)} ${unit} of ${symbol} at ${shownDecimal(price)} ${currency}`;
  }
  if (event === 'alert') return `alert ${(data as Alert).text}`;
  if (event !== 'state') return undefined;
  const { status, positions, feeds } = data as Watched;
  const { trading, orders, sessions } = status;
  const held = positions.filter(({ quantity }) => Number(quantity) !== 0);
  const stale = feeds.filter((feed) => feed.status !== 'live');
  const parts = [
    `trading ${trading.holds}${trading.causes === '' ? '' : ` (${trading.causes})`}`,
    `${orders.open} open orders, ${orders.unknown} unknown`,
    ...held.map(
      ({ strategy, symbol, quantity, unit }) =>
        `${strategy} holds ${shownDecimal(quantity)} ${unit} of ${symbol}`,
    ),
    ...stale.map(({ symbol, status: how }) => `book ${symbol} ${how}`),
    ...Object.entries(sessions).flatMap(([name, isUp]) => (isUp ? [] : [`${name} session down`])),
  ];
  return parts.join('; ');
}

const escape = '\u001B';
/** Another screen, without a cursor; what stood before comes back at the end. */
const enter = `${escape}[?1049h${escape}[?25l`;
const leave = `${escape}[?25h${escape}[?1049l`;

/** The terminal of this process, or `undefined` where input or output is none. */
export function openTerminal(): Terminal | undefined {
  const { stdin, stderr, stdout } = process;
  // Standard output is for data alone; a screen goes to the terminal by standard error.
  if (!stdin.isTTY || !stdout.isTTY || !stderr.isTTY) return undefined;
  stdin.setRawMode(true);
  stderr.write(enter);
  return {
    get size() {
      // Some terminals do not say how large they are.
      return { columns: stderr.columns || 80, rows: stderr.rows || 24 };
    },
    show: (lines) => {
      const text = lines.map((line) => `${terminalText(line, true)}${escape}[K`).join('\r\n');
      stderr.write(`${escape}[H${text}${escape}[J`);
    },
    onKey: (pressed) => {
      stdin.setEncoding('utf8');
      stdin.on('data', (keys: string) => {
        for (const key of keys) pressed(key);
      });
    },
    restore: () => {
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write(leave);
    },
  };
}
