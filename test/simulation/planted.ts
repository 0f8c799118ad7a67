import { Observable } from 'rxjs';
import { micros } from '../../src/core/base/clock.ts';
import type { Clock } from '../../src/core/base/clock.ts';
import type { ClientNetwork } from '../../src/venues/net/network.ts';
import type { Command } from '../../src/core/model/command.ts';
import type { Event } from '../../src/core/model/event.ts';
import type { ClientOrderId } from '../../src/core/model/order.ts';
import type { OrderOptions } from '../../src/core/orders/options.ts';
import { eventBugs, withSend } from './planted-events.ts';
import type { TraderHooks } from './sim-trader.ts';

/** Defects of whoever sends: each gets the events and the way out, and does too much. */
const sendingBugs: Readonly<Record<string, TraderHooks>> = {
  'an order is sent again on a time-out': resends((event) => event.kind === 'commandSettled'),
  'orders are sent again after a reconnect': resends(
    (event) => event.kind === 'sessionUp' && event.session === 'trading',
  ),
  'an order is sent again under a new id': resends(
    (event) => event.kind === 'commandSettled',
    (command) =>
      command.kind === 'newOrder'
        ? {
            ...command,
            commandId: command.commandId + 1_000_000,
            request: {
              ...command.request,
              clientOrderId: `${command.request.clientOrderId}x` as ClientOrderId,
            },
          }
        : command,
  ),
  'every order leaves twice': sends((command, send) => {
    send(command);
    if (command.kind === 'newOrder') send({ ...command, commandId: command.commandId + 1_000_000 });
  }),
  'cancels wait in line': {
    venue: (venue) => {
      const line: Command[] = [];
      return {
        ...withSend(venue),
        send: (command) => {
          if (command.kind === 'cancelOrder') line.push(command);
          else venue.send(command);
          if (line.length > 3) for (const late of line.splice(0)) venue.send(late);
        },
      };
    },
  },
  'cancels are not sent': sends((command, send) => {
    if (command.kind !== 'cancelOrder') send(command);
  }),
};

/** Defects at the journal, at a restart and in the limits. */
const ownBugs: Readonly<Record<string, TraderHooks>> = {
  'orders leave before their record is durable': {
    journal: (journal) => ({ ...bare(journal), whenDurable: (task) => task() }),
  },
  'a failure of the journal is ignored': {
    journal: (journal) => ({ ...bare(journal), onFailure: () => {} }),
  },
  'a full disk is ignored': {
    journal: (journal) => ({ ...bare(journal), onWaiting: () => {} }),
  },
  'a restart reads all but the last record': { history: (history) => history.slice(0, -1) },
  'a restart forgets orders without an answer': {
    history: (history) =>
      history.filter(({ event }) => event.kind !== 'orderUnknown' && event.kind !== 'orderPending'),
  },
  'a halt is forgotten over a restart': {
    history: (history) => history.filter(({ event }) => event.kind !== 'modeChanged'),
  },
  'client ids begin anew with every run': { run: () => 'sameone' },
  'absence is proved at once': {
    options: (options) => ({ ...options, reconcile: { ...options.reconcile, absentMs: 2_000 } }),
  },
  'open orders are not limited': { options: (options) => ({ ...options, openOrdersSymbolMax: 1_000 }) },
  'quantities are not limited': {
    options: (options) =>
      eachLimit(options, () => ({ quantityMax: '1000', notionalMax: '10000000', positionMax: '1000' })),
  },
  'working orders do not count in the position': {
    options: (options) => eachLimit(options, () => ({ positionMax: '3000' })),
  },
  'messages are not throttled': { options: (options) => ({ ...options, messagesPerSecondMax: 300 }) },
  'trades are never checked against the history': {
    options: (options) => ({ ...options, reconcile: { ...options.reconcile, everyMs: 0, marginMs: 0 } }),
  },
  'silent feeds are trusted': {
    client: (options) => ({
      ...options,
      market: { ...options.market, silenceMs: 600_000, silenceMsMax: 600_000 },
    }),
  },
  'timers follow the clock on the wall': { clock: (clock) => steppingClock(clock) },
};

function eachLimit(options: OrderOptions, change: () => OrderOptions['limits'][string]): OrderOptions {
  const limits = Object.entries(options.limits).map(([symbol, limit]) => [symbol, { ...limit, ...change() }]);
  return { ...options, limits: Object.fromEntries(limits) as OrderOptions['limits'] };
}

/** Defects of whoever reads and writes frames. */
const frameBugs: Readonly<Record<string, TraderHooks>> = {
  'the gap check of books is skipped': frames('public', renumbered()),
  'levels that are gone stay in the book': frames('public', (text) =>
    text.replace(/\["[\d.]+","0"\],?/g, ''),
  ),
  'messages that cannot be read are dropped': frames('trading', (text) =>
    text.includes('"quantitee"') ? '' : text,
  ),
  'reports of cancels are dropped': frames('trading', (text) =>
    text.includes('"report_type":"canceled"') ? '' : text,
  ),
  'quantities leave with an exponent': written((text) =>
    text.replace(/"quantity":"0\.0*([1-9]\d*)"/, (whole: string, digits: string) => {
      const zeros = whole.length - '"quantity":"0."'.length - digits.length;
      return `"quantity":"${digits}e-${zeros + digits.length}"`;
    }),
  ),
  'prices leave rounded to one digit': written((text) =>
    text.replace(/"price":"(\d+\.\d)\d*"/, '"price":"$1"'),
  ),
  'orders leave without strict validation': written((text) =>
    text.replace('"strict_validate":true', '"strict_validate":false'),
  ),
};

/** Every planted defect by name. None of them is in the source: they stand in front of its ports. */
export const plantedBugs: Readonly<Record<string, TraderHooks>> = {
  ...sendingBugs,
  ...ownBugs,
  ...frameBugs,
  ...eventBugs,
};

function sends(send: (command: Command, send: (command: Command) => void) => void): TraderHooks {
  return {
    venue: (venue) => ({
      ...withSend(venue),
      send: (command) => send(command, (received) => venue.send(received)),
    }),
  };
}

/** Orders that had no answer are sent again once `when` says so. */
function resends(
  when: (event: Event) => boolean,
  as: (command: Command) => Command = (same) => same,
): TraderHooks {
  return {
    venue: (venue) => {
      const sent = new Map<number, Command>();
      let again: Command[] = [];
      return {
        ...withSend(venue),
        send: (command) => {
          if (command.kind === 'newOrder') sent.set(command.commandId, command);
          venue.send(command);
        },
        events: new Observable<Event>((subscriber) =>
          venue.events.subscribe((event) => {
            subscriber.next(event);
            if (event.kind === 'commandSettled') {
              const command = sent.get(event.commandId);
              sent.delete(event.commandId);
              if (command !== undefined && event.outcome === 'unanswered') again.push(command);
            }
            if (!when(event)) return;
            const due = again;
            again = [];
            for (const command of due) venue.send(as(command));
          }),
        ),
      };
    },
  };
}

function bare<Port extends object>(port: Port): Port {
  return new Proxy(port, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
}

/** A machine whose wall clock is set back by an hour half a minute after the start, as `Date.now` would show. */
function steppingClock(clock: Clock): Clock {
  const begun = clock.uptime();
  return {
    now: () => micros(clock.now() - (clock.uptime() - begun > 30_000_000 ? 3_600_000_000 : 0)),
    uptime: () => clock.uptime(),
    after: (delay, task) => clock.after(delay, task),
  };
}

/** Changes the text of what arrives on a socket; an empty text is dropped. */
function frames(path: string, change: (text: string) => string): TraderHooks {
  return {
    network: (network) => ({
      pool: (origin, options) => network.pool(origin, options),
      connect: (url, setting) => {
        const socket = network.connect(url, setting);
        if (!url.endsWith(path)) return socket;
        const emit = socket.emit.bind(socket) as (name: string, ...args: unknown[]) => boolean;
        socket.emit = ((name: string, ...args: unknown[]) => {
          if (name !== 'message') return emit(name, ...args);
          const text = change((args[0] as Buffer).toString('utf8'));
          return text === '' || emit(name, Buffer.from(text, 'utf8'));
        }) as typeof socket.emit;
        return socket;
      },
    }),
  };
}

/** Changes the text of what leaves on the trading socket. */
function written(change: (text: string) => string): TraderHooks {
  return {
    network: (network: ClientNetwork) => ({
      pool: (origin, options) => network.pool(origin, options),
      connect: (url, setting) => {
        const socket = network.connect(url, setting);
        if (!url.endsWith('trading')) return socket;
        const send = socket.send.bind(socket) as (text: string) => void;
        socket.send = ((text: string) => send(change(text))) as typeof socket.send;
        return socket;
      },
    }),
  };
}

/** Sequence numbers without gaps, whatever was lost. */
function renumbered(): (text: string) => string {
  const last = new Map<string, number>();
  return (text) =>
    text.startsWith('{"ch":"orderbook/full"')
      ? text.replace(
          /"([A-Z]+)":\{"t":(\d+),"s":(\d+)/g,
          (_whole, symbol: string, time: string, s: string) => {
            const isUpdate = text.includes('"update"');
            const next = isUpdate ? (last.get(symbol) ?? 0) + 1 : Number(s);
            last.set(symbol, next);
            return `"${symbol}":{"t":${time},"s":${next}`;
          },
        )
      : text;
}
