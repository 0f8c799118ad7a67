import { afterEach, expect, test } from 'vitest';
import { readHeader, readJournal } from '../../src/core/journal/replay.ts';
import type { Amount } from '../../src/core/base/amount.ts';
import { formatAmount } from '../../src/core/base/amount.ts';
import { SystemClock } from '../../src/core/base/system-clock.ts';
import type { PositionAccount } from '../../src/core/model/margin.ts';
import { auditCommand } from '../../src/app/audit/command.ts';
import { instrumentsOfHeader } from '../../src/app/live/run-journal.ts';
import { SessionFold } from '../../src/app/live/session-fold.ts';
import { heldRows } from '../../src/operate/held-rows.ts';
import { runReport } from '../../src/research/report/run.ts';
import { Counterparty } from './support/counterparty.ts';
import { Puppet } from './support/puppet.ts';
import { Stage, strategyOf } from './support/stage.ts';
import { until } from './support/until.ts';

// Each product over real sockets: what positions, report, audit and the exchange say of the same money.

let stage: Stage | undefined;

afterEach(async () => {
  await stage?.close();
});

async function audited(of: Stage): Promise<unknown> {
  const key = of.exchange.accounts.get('demo').keys[0];
  const said: string[] = [];
  const code = await auditCommand({
    config: of.config,
    environment: { KEY: key?.apiKey, SECRET: key?.secret.reveal() },
    clock: new SystemClock(),
    journal: undefined,
    transfers: [],
    exportTo: undefined,
    output: { data: (line) => void said.push(line), progress: () => {}, colour: false },
    json: true,
  });
  const { differences } = JSON.parse(said.join('')) as { readonly differences: readonly string[] };
  return { code, differences };
}

/** What the report says of each instrument, made from the journal. */
function reported(of: Stage) {
  const { directory } = of.config.run;
  const { instruments } = instrumentsOfHeader(readHeader(directory));
  const fold = new SessionFold(instruments);
  for (const { event } of readJournal(directory)) fold.observe(event);
  fold.end();
  return runReport(fold.summary, { identity: {} }).instruments.map(
    ({ symbol, account = 'spot', fills, position, cash, fees, charges = '0' }) => ({
      symbol,
      account,
      fills,
      position,
      cash,
      fees,
      charges,
    }),
  );
}

/** The same of the one position of the ledger. */
function booked(of: Stage, symbol: string, account: PositionAccount) {
  const { view, instruments } = of.daemon.trader;
  const { fillCount, held, cash, fees, charges } = view.position(
    instruments.get(symbol).id,
    'puppet',
    account,
  );
  const [row] = heldRows({ view, instruments }).filter(
    (one) => one.symbol === symbol && one.account === account,
  );
  expect([row?.fees, row?.charges]).toEqual([formatAmount(fees), formatAmount(charges)]);
  return {
    symbol,
    account,
    fills: fillCount,
    position: formatAmount(held),
    cash: formatAmount(cash),
    fees: formatAmount(fees),
    charges: formatAmount(charges),
  };
}

test.each(['USDT', 'ETH'])(
  'spot with fees in %s: positions, report, audit and wallet agree',
  async (feeCurrency) => {
    Puppet.forget();
    const symbol = {
      symbol: 'ETHUSDT',
      baseCurrency: 'ETH',
      quoteCurrency: 'USDT',
      feeCurrency,
      tickSize: '0.01',
      quantityIncrement: '0.0001',
      takeRate: '0.0025',
      makeRate: '-0.0001',
    };
    stage = await Stage.open({
      strategies: [strategyOf('puppet')],
      exchange: { flow: { enabled: false }, symbols: [symbol] },
    });
    const house = new Counterparty(stage.exchange);
    const puppet = await Puppet.of(stage);
    const wallet = (currency: string): Amount => {
      const { exchange } = stage as Stage;
      const { available, reserved } = exchange.core.exchange.balance(
        exchange.accounts.get('demo').id,
        currency,
      );
      return (available + reserved) as Amount;
    };
    const before = { ETH: wallet('ETH'), USDT: wallet('USDT') };
    for (const [side, price, quantity] of [
      ['buy', 301_000, 137],
      ['sell', 299_000, 71],
      ['buy', 301_000, 11],
    ] as const) {
      const id = await puppet.place({ side, price, quantity, timeInForce: 'IOC' });
      await puppet.received(id, 'filled');
    }
    const made = await puppet.place({ side: 'buy', price: 299_777, quantity: 13 });
    await puppet.received(made, 'new');
    house.take('sell', 299_777, 13);
    await puppet.received(made, 'filled');
    const position = booked(stage, 'ETHUSDT', 'spot');
    const { view, instruments } = stage.daemon.trader;
    const { held, cash, fees } = view.position(instruments.get('ETHUSDT').id, 'puppet');
    expect(formatAmount((wallet('ETH') - before.ETH) as Amount)).toBe(formatAmount(held));
    const paid = feeCurrency === 'USDT' ? fees : 0n;
    expect(formatAmount((wallet('USDT') - before.USDT) as Amount)).toBe(
      formatAmount((cash - paid) as Amount),
    );
    await until('the wallet', () => view.balance('ETH').available === wallet('ETH'));
    await stage.stop();
    expect(reported(stage)).toEqual([position]);
    expect(await audited(stage)).toEqual({ code: 0, differences: [] });
  },
);
