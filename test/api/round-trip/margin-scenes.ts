import type { Ticks } from '../../../src/core/model/instrument.ts';
import type { GodwitClient } from '../../../src/venues/hitbtc/typed/index.ts';
import type { Talk } from './talk.ts';

/** Margin of symbols, or of contracts: the same calls, at two places. */
export type Leveraged = 'margin' | 'futures';

export const symbolOf = { margin: 'BTCUSDT', futures: 'BTCUSDT_PERP' } as const;
/** Where scenes of margin calls and liquidations play, so that others are not disturbed. */
export const sceneOf = { margin: 'ETHUSDT', futures: 'XRPUSDT_PERP' } as const;
const crossOf = { margin: 'USDT', futures: 'USDT' } as const;

type Margin = GodwitClient['v3']['margin'];

/** The calls of a product; those of futures have the same shape. */
export function productOf(client: GodwitClient, product: Leveraged): Margin {
  return product === 'margin' ? client.v3.margin : (client.v3.futures as unknown as Margin);
}

/** Opens isolated and cross margin, once. */
export async function openMargin(talk: Talk, product: Leveraged): Promise<void> {
  if (talk.notes.has(`${product} open`)) return;
  talk.notes.set(`${product} open`, 'yes');
  if (product === 'futures')
    await talk.us.v3.wallet.transfer({
      currency: 'USDT',
      amount: '500000',
      source: 'spot',
      destination: 'derivatives',
    });
  const calls = productOf(talk.us, product);
  await calls.setAccount({ ...isolated(product), marginBalance: '5000' });
  await calls.setAccount({ marginMode: 'cross', instrument: crossOf[product], marginBalance: '5000' });
}

export function isolated(product: Leveraged, instrument: string = symbolOf[product]) {
  return { marginMode: 'isolated', instrument, ...(product === 'futures' && { leverage: '10' }) };
}

/** Has a position opened at the market; it may have been there. */
export async function openPosition(talk: Talk, product: Leveraged, marginMode = 'isolated'): Promise<void> {
  await openMargin(talk, product);
  const order = {
    symbol: symbolOf[product],
    side: 'buy',
    quantity: '0.01',
    type: 'market',
    marginMode,
  } as const;
  await productOf(talk.us, product).createOrder(order);
}

/** Brings a position of the scene to a margin call: its account takes orders that close it, and no others. */
export async function callMargin(talk: Talk, product: Leveraged): Promise<void> {
  if (talk.notes.has(`${product} called`)) return;
  talk.notes.set(`${product} called`, 'yes');
  await openMargin(talk, product);
  const calls = productOf(talk.us, product);
  const symbol = sceneOf[product];
  const [marginBalance, quantity] = product === 'margin' ? ['31', '0.1'] : ['2.4', '40'];
  await calls.setAccount({ ...isolated(product, symbol), marginBalance });
  await calls.createOrder({ symbol, side: 'buy', quantity, type: 'market' });
  movePrice(talk, product, product === 'margin' ? 2_870 : 0.475);
}

/** Goes on to the liquidation. */
export async function liquidate(talk: Talk, product: Leveraged): Promise<void> {
  await callMargin(talk, product);
  movePrice(talk, product, product === 'margin' ? 2_800 : 0.46);
}

/** Positions of symbols are valued at the last price, of contracts at the mark price. */
function movePrice(talk: Talk, product: Leveraged, price: number): void {
  const symbol = sceneOf[product];
  const { core, instruments } = talk.stage.server;
  if (product === 'futures') {
    const instrument = instruments.get(symbol);
    const ticks = Math.round(price / Number(instrument.spec.tickSize)) as Ticks;
    core.handle({ kind: 'setMark', instrument: instrument.id, price: ticks });
    return;
  }
  // More than all who bid more: what is left of it is traded at the price.
  talk.quote(symbol, 'sell', price, 60);
  talk.quote(symbol, 'buy', price, 60);
}
