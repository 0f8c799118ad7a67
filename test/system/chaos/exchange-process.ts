import { millis } from '../../../src/core/base/clock.ts';
import { SystemClock } from '../../../src/core/base/system-clock.ts';
import { startExchange } from '../../../src/exchange/index.ts';
import type { StartExchange, TroubleName } from '../../../src/exchange/index.ts';
import { Counterparty } from '../support/counterparty.ts';

/** Request of the test: a switch of `faults`, or something that a participant does. */
export interface ExchangeRequest {
  readonly number: number;
  readonly call: string;
  readonly args: readonly (string | number)[];
}

const [text = '{}'] = process.argv.slice(2);
const exchange = await startExchange({
  flow: { enabled: false },
  futures: { sampleMs: 200 },
  ...(JSON.parse(text) as StartExchange),
});
const clock = new SystemClock();

/** Quotes in ticks from the middle, taken now and then: small orders of others at the touch are executed. */
class Market {
  readonly #party: Counterparty;
  readonly #middle = 300_000;
  #quotes: string[] = [];
  #turn = 0;

  constructor(party: Counterparty) {
    this.#party = party;
  }

  move(): void {
    this.#turn += 1;
    const shift = (this.#turn * 7) % 60;
    for (const id of this.#quotes.splice(0)) this.#party.cancel(id);
    for (const [side, sign] of [
      ['buy', -1],
      ['sell', 1],
    ] as const)
      for (const away of [10, 25])
        this.#quotes.push(
          this.#party.rest(side, this.#middle + shift + sign * (away + (this.#turn % 3)), 400),
        );
    if (this.#turn % 3 === 0) this.#party.take('sell', this.#middle + shift - 8, 60);
    if (this.#turn % 3 === 1) this.#party.take('buy', this.#middle + shift + 8, 60);
  }
}

const spot = new Counterparty(exchange.server);
const perpetual = new Counterparty(exchange.server, 'ETHUSDT_PERP', 'fund');
const markets = [new Market(spot), new Market(perpetual)];
for (const market of markets) market.move();

const everyMs = 40;
let isStirring = false;

function stir(): void {
  if (!isStirring) return;
  for (const market of markets) {
    try {
      market.move();
    } catch {
      // A symbol that is suspended takes no orders of others either.
    }
  }
  clock.after(millis(everyMs), stir);
}

const running = new Map<string, () => void>();

/** What a test may ask for beside the switches of the faults. */
const acts: Readonly<Record<string, (...args: readonly never[]) => unknown>> = {
  stir: () => {
    if (isStirring) return;
    isStirring = true;
    stir();
  },
  calm: () => void (isStirring = false),
  /** Others trade through everything that rests within so many ticks. */
  sweep: (ticks: number) => {
    for (const [side, sign] of [
      ['sell', -1],
      ['buy', 1],
    ] as const)
      spot.take(side, 300_000 + sign * ticks, 5_000);
  },
  begin: (name: TroubleName, times: number, ms: number, symbol: string) => {
    const terms = {
      ...(times > 0 && { times }),
      ...(ms > 0 && { ms }),
      ...(symbol !== '' && { symbols: [symbol] }),
    };
    running.set(name, exchange.trouble(name, terms));
  },
  end: (name: TroubleName) => running.get(name)?.(),
  /** Every order of the account goes, as after an outage of the venue. */
  cancelAll: (account: string) => {
    const { core, accounts } = exchange.server;
    const { id } = accounts.get(account);
    for (const { clientOrderId } of core.exchange.activeOrders(id))
      core.handle({ kind: 'cancel', account: id, clientOrderId });
  },
};

process.on('message', ({ number, call, args }: ExchangeRequest) => {
  try {
    const faults = exchange.faults as unknown as Record<string, (...args: readonly unknown[]) => unknown>;
    if (acts[call] === undefined) faults[call]?.(...args);
    else acts[call](...(args as readonly never[]));
    process.send?.({ number });
  } catch (error) {
    process.send?.({ number, error: String(error) });
  }
});
process.on('disconnect', () => process.exit());

process.stdout.write(
  `${JSON.stringify({
    rest: exchange.restUrl,
    ws: exchange.wsUrl,
    accounts: exchange.keys.map(({ account, apiKey, secretKey, rights }) => ({
      account,
      api_key: apiKey,
      secret_key: secretKey,
      rights,
    })),
  })}\n`,
);
