/** Name or address of a `Host` header, without its port, in small letters. */
export function hostName(header: string): string {
  return header.replace(/:\d{1,5}$/, '').toLowerCase();
}
