/** The beginning of a file of each refused layout, by its name in docs/import.md. */
export const refusedSamples: Readonly<Record<string, string | Uint8Array>> = {
  'text in UTF-16': Buffer.from('\uFEFFDate,Open,High,Low,Close\n', 'utf16le'),
  'HDF5 of pandas and older versions of Freqtrade': Buffer.from('894844460d0a1a0a00000000', 'hex'),
  'pickle of Python': Buffer.from('80049500000000000000', 'hex'),
  'Dukascopy .bi5': Buffer.from('5d00004000ffffffffffffffff0000', 'hex'),
  SQLite: 'SQLite format 3\0\u0010\0\u0001\u0001\0@  ',
};
