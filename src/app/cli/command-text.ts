const hidden = /^((--set|--param)=)?([^=]*(secret|password|token|api_?key|passphrase)[^=]*=|account[^=]*=)/i;
/** User and password of an address, such as that of a queue. */
const login = /(\w:\/\/)[^/\s]+@/g;

/** A command as it was typed, quoted where a shell needs it; what may be a secret is left out. */
export function commandText(args: readonly string[]): string {
  return ['godwit', ...args.map((arg) => quoted(shown(arg)))].join(' ');
}

function shown(arg: string): string {
  const found = hidden.exec(arg);
  return found === null ? arg.replaceAll(login, '$1...@') : `${found[0]}...`;
}

function quoted(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", String.raw`'\''`)}'`;
}
