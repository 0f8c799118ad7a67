import { parseDocument, stringify } from 'yaml';
import { ConfigError } from './error.ts';

const bytesMax = 1_048_576;
const depthMax = 32;

/**
 * Parses one YAML file into plain values. Aliases, merge keys, duplicate keys, custom tags, more than 1 MiB and
 * more than 32 levels are refused with the file's name. Source: faults, Q12.
 */
export function parseYaml(text: string, file: string): unknown {
  if (Buffer.byteLength(text) > bytesMax) {
    throw new ConfigError(`${file}: expected at most 1 MiB of YAML, found ${Buffer.byteLength(text)} bytes`);
  }
  refuseDeepNesting(text, file);
  const document = parseDocument(text, {
    version: '1.2',
    merge: false,
    uniqueKeys: true,
    prettyErrors: true,
    stringKeys: true,
  });
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem !== undefined) throw new ConfigError(`${file}: ${firstLine(problem.message)}`);
  try {
    return document.toJS({ maxAliasCount: 0 }) ?? {};
  } catch {
    throw new ConfigError(`${file}: expected no YAML aliases (&name, *name), found one; write the value out`);
  }
}

/** The parser recurses, so depth is judged on the text first: by flow brackets and by indentation. */
function refuseDeepNesting(text: string, file: string): void {
  let flow = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '[' || char === '{') flow += 1;
    else if (char === ']' || char === '}') flow -= 1;
    if (flow > depthMax) throw new ConfigError(`${file}: expected at most ${depthMax} nested brackets`);
  }
  for (const [index, line] of text.split('\n').entries()) {
    const indent = /^[ -]*/.exec(line)?.[0].length ?? 0;
    if (indent > depthMax * 8 && line.trim() !== '') {
      throw new ConfigError(
        `${file}: line ${index + 1} is indented by ${indent}; expected at most ${depthMax} levels`,
      );
    }
  }
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? message).replace(/:$/, '');
}

/** The value as YAML that `parseYaml` reads as the same: no anchors, no text broken over lines, no line feed at its end. */
export function printYaml(value: unknown): string {
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 }).trimEnd();
}
