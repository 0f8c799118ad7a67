import type { ParseArgsConfig } from 'node:util';
import { parseArgs } from 'node:util';

/** The options of one of our own programs; one that is not there ends it in a sentence that names those that are. */
export function toolOptions<const Config extends ParseArgsConfig & { readonly options: object }>(
  config: Config,
): ReturnType<typeof parseArgs<Config>>['values'] {
  try {
    return parseArgs(config).values;
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    const known = Object.keys(config.options).map((name) => `--${name}`);
    process.stderr.write(`${why}; known here: ${known.join(', ')}\n`);
    process.exit(2);
  }
}
