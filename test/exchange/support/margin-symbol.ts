/** A spot symbol with margin trading at a leverage of five, as the examples of the documents have it. */
export const marginSymbol = {
  symbol: 'ETHUSDT',
  baseCurrency: 'ETH',
  quoteCurrency: 'USDT',
  tickSize: '0.01',
  quantityIncrement: '0.001',
  takeRate: '0.002',
  makeRate: '0.001',
  marginTrading: true,
  maxInitialLeverage: '5',
};
