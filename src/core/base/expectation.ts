const bound = /^Too (?:small|big): expected (\w+) to (?:be|have) (>=|<=|>|<)(\S+)(?: (\w+))?$/;
const bounds: Readonly<Record<string, string>> = {
  '>=': 'at least',
  '>': 'more than',
  '<=': 'at most',
  '<': 'less than',
};
/** Names of types in the words of those who write files. */
const things: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a section',
  record: 'a section',
};

/**
 * Expectation that a schema's complaint names, in the words of our own complaints: `expected at least 1`. `message` is the
 * schema's own sentence; what it found is left out, because each caller shows that as it was written.
 */
export function expectationOf(message: string): string {
  const [, what = '', sign = '', limit = '', unit] = bound.exec(message) ?? [];
  if (sign !== '') {
    const thing = unit === undefined ? '' : `${things[what] ?? what} of `;
    return `expected ${thing}${bounds[sign]} ${limit}${unit === undefined ? '' : ` ${unit}`}`;
  }
  return message
    .replace(/^Invalid (?:input|option): /, '')
    .replace(/^Invalid string: must match pattern /, 'expected text that matches ')
    .replace(/^Invalid (?:string|number): must be /, 'expected ')
    .replace(/^Invalid string: must /, 'expected text to ')
    .replace(/, received .*$/, '')
    .replace(/^expected (\w+)$/, (whole, thing: string) =>
      Object.hasOwn(things, thing) ? `expected ${things[thing]}` : whole,
    );
}

/**
 * The issue to report of several: unknown names first, because a misspelt name is reported as missing, too. `undefined` when there is none.
 */
export function tellingIssue<Issue extends { readonly code: string }>(
  issues: readonly Issue[],
): Issue | undefined {
  return issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
}
