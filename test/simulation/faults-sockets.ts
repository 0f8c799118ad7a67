import type { TroubleTerms } from '../../src/exchange/chaos/index.ts';
import type { HttpAnswer } from '../../src/exchange/http/http.ts';
import { crossedUpdate, isBookUpdate } from './book-frames.ts';
import type { FaultRow, FaultStage } from './fault.ts';
import { lasting, trouble } from './fault.ts';
import { symbols } from './traded.ts';
import type { Delivery, Meddler, Road, Tamper } from '../../src/app/virtual/weather.ts';

const closeCodes = [1000, 1001, 1006, 1008, 1011, 1012, 1013] as const;

/** Faults of what sockets carry. */
export const socketFaults = {
  dropUpdate: narrow('W1', (stage) => {
    stage.mark();
    trouble(stage, 'gap', updates(stage));
  }),
  repeatUpdate: narrow('W2', (stage) => {
    stage.mark();
    trouble(stage, 'repeated-updates', updates(stage));
  }),
  swapUpdate: row('W2', (stage) =>
    tampering(stage, 'market', (text) =>
      isBookUpdate(text) && stage.random.chance(0.3) ? [{ text, later: 250_000 }] : undefined,
    ),
  ),
  resetSequence: row('W3', (stage) => {
    const { system, random } = stage;
    // Twice within one snapshot cannot be seen: nothing but the exchange's time tells such updates from old ones.
    if (system.elapsedMs - system.resetAtMs < 5_000) return;
    system.resetAtMs = system.elapsedMs;
    stage.mark();
    trouble(stage, 'new-sequence', { symbols: [random.pick(symbols)] });
  }),
  withholdSnapshot: row('W4', (stage) => {
    stage.mark();
    trouble(stage, 'no-snapshot', { times: 1 + Math.floor(stage.force * 3) });
    stage.system.network.cut('market');
  }),
  loseSubscription: row('W6 W7', (stage) => {
    stage.system.network.cut('market');
    return tampering(stage, 'market', (text) =>
      isSubscribed(text) && stage.random.chance(0.7) ? [] : undefined,
    );
  }),
  close: row('W11', (stage) => {
    stage.mark();
    stage.system.exchange.faults.closeSockets(stage.random.pick(closeCodes), 'simulated');
  }),
  strayReply: row('W9', (stage) =>
    tampering(stage, 'trading', (text) => {
      if (!text.startsWith('{"jsonrpc":"2.0","result":{') || !stage.random.chance(0.4)) return undefined;
      return [
        { text, later: 0 },
        {
          text: stage.random.chance(0.5) ? text : text.replace(/"id":\d+\}$/, '"id":999999}'),
          later: 30_000,
        },
      ];
    }),
  ),
  silence: row('W8', (stage) => tampering(stage, 'market', () => [])),
  silentBook: row('W8 W7', (stage) => {
    const symbol = stage.random.pick(symbols);
    const end = tampering(stage, 'market', (text) =>
      isBookUpdate(text) && text.includes(symbol) ? [] : undefined,
    );
    if (stage.force < 0.5) return end;
    // Longer than a feed may be silent while orders leave on it.
    const ms = 14_000 + stage.force * 12_000;
    stage.system.disturb(ms + 6_000);
    lasting(stage, ms, end);
    return undefined;
  }),
  unknownNotice: narrow('W10', (stage) =>
    tampering(stage, stage.random.pick(['market', 'trading'] as const), (text) => [
      { text: '{"jsonrpc":"2.0","method":"something_new","params":{"a":1}}', later: 0 },
      { text, later: 0 },
    ]),
  ),
  crossedBook: row('X24', (stage) => {
    const { system, random } = stage;
    const symbol = random.pick(symbols);
    let received = 0;
    const end = tampering(stage, 'market', (text) => {
      if (!isBookUpdate(text) || !text.includes(`"${symbol}"`)) return undefined;
      received += 1;
      if (received === 1) {
        system.tower.books.lied = true;
        return [{ text: crossedUpdate(text, symbol), later: 0 }];
      }
      // After the lie an update is lost, so that the book is made anew.
      return received === 4 ? [] : undefined;
    });
    return () => {
      end();
      system.network.cut('market');
      stage.after(100, () => {
        system.tower.books.lied = false;
      });
    };
  }),
  lateReport: row('X4', (stage) =>
    tampering(stage, 'trading', (text) =>
      text.includes('"method":"spot_order"') && stage.random.chance(0.5)
        ? [{ text, later: Math.round(stage.random.exponential(400_000)) }]
        : undefined,
    ),
  ),
  repeatReport: narrow('X5', (stage) =>
    tampering(stage, 'trading', (text) =>
      text.includes('"method":"spot_order"')
        ? [
            { text, later: 0 },
            { text, later: Math.round(stage.random.exponential(800_000)) },
          ]
        : undefined,
    ),
  ),
  loseReport: narrow('X6', (stage) =>
    tampering(stage, 'trading', (text) =>
      text.includes('"method":"spot_order"') && stage.random.chance(0.3) ? [] : undefined,
    ),
  ),
  staleBalance: row('X8', (stage) =>
    tampering(stage, 'trading', (text) =>
      text.includes('"method":"spot_balance"') && stage.random.chance(0.3)
        ? [{ text, later: Math.round(stage.random.exponential(500_000)) }]
        : undefined,
    ),
  ),
  garble: row('W10 M6', (stage) => {
    const { system } = stage;
    let done = false;
    return tampering(stage, 'trading', (text) => {
      if (done || !text.includes('"method":"spot_order"')) return undefined;
      done = true;
      system.tower.garbled = true;
      withholdReads(stage);
      return [{ text: text.replace('"quantity":', '"quantitee":'), later: 0 }];
    });
  }),
} satisfies Record<string, FaultRow>;

function updates({ random, force }: FaultStage): Pick<TroubleTerms, 'symbols' | 'times'> {
  return { symbols: [random.pick(symbols)], times: 1 + Math.floor(force * 4) };
}

function row(rows: string, begin: FaultRow['begin']): FaultRow {
  return { rows, begin };
}

function narrow(rows: string, begin: FaultRow['begin']): FaultRow {
  return { rows, begin, isNarrow: true };
}

/** So long nothing but the message that cannot be read tells of the account. */
const unreadMs = 6_000;

/** The exchange answers no read of the account: what was not understood stays so for a while. */
function withholdReads(stage: FaultStage): void {
  const { system } = stage;
  const { meddlers } = system.network.weather;
  const meddler: Meddler = {
    instead: (request) => (/^GET \/api\/3\/(?!public)/.test(request) ? unavailable : undefined),
  };
  meddlers.add(meddler);
  system.disturb(unreadMs + 6_000);
  lasting(stage, unreadMs, () => meddlers.delete(meddler));
}

const unavailable: HttpAnswer = {
  status: 503,
  text: '{"error":{"code":503,"message":"Service Unavailable","description":""}}',
  reason: undefined,
};

/** Lets `change` look at what a road carries until the fault ends. */
export function tampering(
  stage: FaultStage,
  road: Road,
  change: (text: string) => readonly Delivery[] | undefined,
): () => void {
  const tamper: Tamper = (of, text) => {
    const changed = of === road ? change(text) : undefined;
    if (changed !== undefined) stage.mark();
    return changed;
  };
  const { tampers } = stage.system.network.weather;
  tampers.add(tamper);
  return () => tampers.delete(tamper);
}

/** Whether a frame says that a subscription holds, in either version of the interface. */
function isSubscribed(text: string): boolean {
  return text.includes('"subscriptions"') || text.startsWith('{"jsonrpc":"2.0","result":true');
}
