const scale = 24;

/** The exact value of plain decimal text, in units of 10^-24. */
export function exact(text: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) throw new Error(`not plain decimal text: ${text}`);
  const [, sign, whole = '', fraction = ''] = match;
  if (fraction.length > scale) throw new Error(`more than ${scale} decimals: ${text}`);
  const value = BigInt(whole + fraction.padEnd(scale, '0'));
  return sign === '-' ? -value : value;
}

/** The exact product of two decimal texts. */
export function times(a: string, b: string): bigint {
  const product = exact(a) * exact(b);
  const unit = 10n ** BigInt(scale);
  if (product % unit !== 0n) throw new Error(`${a} × ${b} has more than ${scale} decimals`);
  return product / unit;
}

/** Shortest plain text of an exact value: `12.8`, `0`, `-0.001`. */
export function plain(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`;
}
