import { pino } from 'pino';
import type { Logger } from '../../core/base/logger.ts';
import { LogFile } from './log-file.ts';

export interface LogOptions {
  readonly level: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  /** Lines go to this log on disk too. */
  readonly file?: LogFile | undefined;
}

/** Members that never reach a log, whatever carries them. Source: faults, I22. */
const redacted = [
  'secret',
  'secretKey',
  'secret_key',
  'sKey',
  'signature',
  'authorization',
  'password',
  'token',
  'jwt',
];

/** Structured logs on standard error, and in a file where one is given: one JSON line each. Data goes to standard output. */
export function createLogger(options: LogOptions): Logger {
  const paths = redacted.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  const { level, file } = options;
  const standardError = pino.destination({ dest: 2, sync: true });
  const both = (text: string): void => {
    standardError.write(text);
    file?.write(text);
  };
  return pino(
    {
      level,
      redact: { paths, censor: '[secret]' },
      formatters: { level: (label) => ({ level: label }) },
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    { write: both },
  );
}

interface RunLogSection extends Pick<LogOptions, 'level'> {
  readonly file: boolean;
  readonly sizeMaxMib: number;
  readonly keep: number;
}

/** The log of a run, which its run directory keeps too unless the configuration says not to. */
export function createRunLogger({ level, file, sizeMaxMib, keep }: RunLogSection, directory: string): Logger {
  return createLogger({ level, file: file ? new LogFile({ directory, sizeMaxMib, keep }) : undefined });
}
