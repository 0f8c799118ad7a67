/** Frames in here are ours: an author looks for the line of his own that led to them. */
const ownSource = new URL('../../', import.meta.url).href;

/** One line about anything that can be thrown. */
export function describeThrown(error: unknown): string {
  try {
    if (error instanceof Error) return `${error.name}: ${deniedIn(error) ?? error.message}`;
    return `something that is no Error: ${String(error)}`;
  } catch {
    return 'something that cannot be printed';
  }
}

/** Access that Node refused to a strategy of limited trust; its own words name an option of Node, not ours. */
function deniedIn(error: Error): string | undefined {
  if (!('code' in error) || error.code !== 'ERR_ACCESS_DENIED') return undefined;
  const permission = 'permission' in error ? String(error.permission) : 'an API';
  return `expected a strategy of limited trust to do without ${permission}; strategies.*.trust: full allows it`;
}

/**
 * As `describeThrown`, in at most `lengthMax` characters, and then where in an author's file it was thrown, such as
 * ` (index.ts:12:5)`, where that is known. No folder: the same fault reads the same on every machine.
 */
export function describeThrownAt(error: unknown, lengthMax = Number.POSITIVE_INFINITY): string {
  return `${describeThrown(error).slice(0, lengthMax)}${placeOf(error)}`;
}

function placeOf(error: unknown): string {
  const lines = stackOf(error).split('\n');
  // What cannot even be parsed has its place above all else.
  const refused = /(?<![^\\/])([^\\/]+\.[a-z]+:\d+)$/.exec(lines[0] ?? '');
  if (refused !== null && !isOurs(lines[0] ?? '')) return ` (${refused[1]})`;
  for (const line of lines) {
    const frame = /^ +at (?:.*\()?([^()]+:\d+:\d+)\)?$/.exec(line)?.[1];
    if (frame !== undefined && !isOurs(frame))
      return ` (${frame.slice(frame.search(/(?<![^\\/])[^\\/]+$/))})`;
  }
  return '';
}

function isOurs(frame: string): boolean {
  const at = frame.startsWith('/') ? `file://${frame}` : frame;
  return at.startsWith('node:') || at.startsWith(ownSource) || /[\\/]node_modules[\\/]/.test(at);
}

function stackOf(error: unknown): string {
  try {
    return error instanceof Error && typeof error.stack === 'string' ? error.stack : '';
  } catch {
    return '';
  }
}
