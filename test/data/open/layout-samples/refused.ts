/** The beginning of a file of each refused layout, by its name in docs/import.md. */
export const refusedSamples: Readonly<Record<string, string | Uint8Array>> = {
  'HDF5 of pandas and older versions of Freqtrade': Buffer.from('894844460d0a1a0a00000000', 'hex'),
  'Nasdaq and Investing.com':
    'Date,Close/Last,Volume,Open,High,Low\n01/03/2024,$184.25,58414460,$184.22,$185.88,$183.43\n',
  'workbook of Excel': Buffer.from('d0cf11e0a1b11ae1', 'hex'),
  'history of MetaTrader (hst, hcc)': Buffer.from('9101000028432920', 'hex'),
  'pickle of Python': Buffer.from('80049500000000000000', 'hex'),
  'Dukascopy .bi5': Buffer.from('5d00004000ffffffffffffffff0000', 'hex'),
  SQLite: 'SQLite format 3\0\u0010\0\u0001\u0001\0@  ',
  'quotes without sizes':
    'ticker,ask_exchange,ask_price,bid_exchange,bid_price,participant_timestamp\nC:EUR-USD,48,1.1,48,1.09,1704067200123000000\n',
  'reply of REST that tells an error': '{"code":-1121,"msg":"Invalid symbol."}',
};
