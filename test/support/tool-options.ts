import type { ParseArgsConfig } from 'node:util';
import { parseArgs } from 'node:util';

/**
 * The options of one of our own programs. `--help` prints `usage` and ends it; an unknown option ends it with code 2 and one
 * sentence that names the known ones.
 */
export function toolOptions<const Config extends ParseArgsConfig & { readonly options: object }>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>>['values'] {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    process.stdout.write(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config).values;
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    const known = [...Object.keys(config.options), 'help'].map((name) => `--${name}`);
    process.stderr.write(`${why}; known here: ${known.join(', ')}\n`);
    process.exit(2);
  }
}
