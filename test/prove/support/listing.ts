/** Currencies of an exchange, and their symbols in USDT. */
export function listingOf(codes: readonly string[]) {
  return {
    currencies: [...codes, 'USDT'].map((code) => ({
      code,
      fullName: code,
      stable: code === 'USDT',
      price: code === 'USDT' ? '1' : '100',
    })),
    symbols: codes.map((code) => ({
      symbol: `${code}USDT`,
      baseCurrency: code,
      quoteCurrency: 'USDT',
      tickSize: '0.01',
      quantityIncrement: '0.001',
    })),
  };
}
