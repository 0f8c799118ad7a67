import type { Ticks } from '../../../src/core/model/instrument.ts';
import type { GodwitClient } from '../../../src/venues/hitbtc/typed/index.ts';
import type { Talk } from './talk.ts';

/** Margin of symbols, or of contracts: the same calls, at two places. */
export type Wing = 'margin' | 'futures';

export const symbolOf = { margin: 'BTCUSDT', futures: 'BTCUSDT_PERP' } as const;
/** Where scenes of margin calls and liquidations play, so that others are not disturbed. */
export const sceneOf = { margin: 'ETHUSDT', futures: 'XRPUSDT_PERP' } as const;
const crossOf = { margin: 'USDT', futures: 'USDT' } as const;

type Margin = GodwitClient['v3']['margin'];

/** The calls of a wing; those of futures have the same shape. */
export function wingOf(client: GodwitClient, wing: Wing): Margin {
  return wing === 'margin' ? client.v3.margin : (client.v3.futures as unknown as Margin);
}

/** Opens isolated and cross margin, once. */
export async function openMargin(talk: Talk, wing: Wing): Promise<void> {
  if (talk.notes.has(`${wing} open`)) return;
  talk.notes.set(`${wing} open`, 'yes');
  if (wing === 'futures')
    await talk.us.v3.wallet.transfer({
      currency: 'USDT',
      amount: '500000',
      source: 'spot',
      destination: 'derivatives',
    });
  const calls = wingOf(talk.us, wing);
  await calls.setAccount({ ...isolated(wing), marginBalance: '5000' });
  await calls.setAccount({ marginMode: 'cross', instrument: crossOf[wing], marginBalance: '5000' });
}

export function isolated(wing: Wing, instrument: string = symbolOf[wing]) {
  return { marginMode: 'isolated', instrument, ...(wing === 'futures' && { leverage: '10' }) };
}

/** Has a position opened at the market; it may have been there. */
export async function openPosition(talk: Talk, wing: Wing, marginMode = 'isolated'): Promise<void> {
  await openMargin(talk, wing);
  const order = {
    symbol: symbolOf[wing],
    side: 'buy',
    quantity: '0.01',
    type: 'market',
    marginMode,
  } as const;
  await wingOf(talk.us, wing).createOrder(order);
}

/** Brings a position of the scene to a margin call: its account takes orders that close it, and no others. */
export async function callMargin(talk: Talk, wing: Wing): Promise<void> {
  if (talk.notes.has(`${wing} called`)) return;
  talk.notes.set(`${wing} called`, 'yes');
  await openMargin(talk, wing);
  const calls = wingOf(talk.us, wing);
  const symbol = sceneOf[wing];
  const [marginBalance, quantity] = wing === 'margin' ? ['31', '0.1'] : ['2.4', '40'];
  await calls.setAccount({ ...isolated(wing, symbol), marginBalance });
  await calls.createOrder({ symbol, side: 'buy', quantity, type: 'market' });
  movePrice(talk, wing, wing === 'margin' ? 2_870 : 0.475);
}

/** Goes on to the liquidation. */
export async function liquidate(talk: Talk, wing: Wing): Promise<void> {
  await callMargin(talk, wing);
  movePrice(talk, wing, wing === 'margin' ? 2_800 : 0.46);
}

/** Positions of symbols are valued at the last price, of contracts at the mark price. */
function movePrice(talk: Talk, wing: Wing, price: number): void {
  const symbol = sceneOf[wing];
  const { core, instruments } = talk.stage.server;
  if (wing === 'futures') {
    const instrument = instruments.get(symbol);
    const ticks = Math.round(price / Number(instrument.spec.tickSize)) as Ticks;
    core.handle({ kind: 'setMark', instrument: instrument.id, price: ticks });
    return;
  }
  // More than all who bid more: what is left of it is traded at the price.
  talk.quote(symbol, 'sell', price, 60);
  talk.quote(symbol, 'buy', price, 60);
}
