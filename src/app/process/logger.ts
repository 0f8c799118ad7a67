import { pino } from 'pino';
import type { Logger } from '../../core/base/logger.ts';
import { silentLogger } from '../../core/base/logger.ts';
import { LogFile } from './log-file.ts';

export interface LogOptions {
  readonly level: 'silent' | 'error' | 'warn' | 'info' | 'debug';
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

/** Structured logs on standard error: one JSON line each. Data goes to standard output. */
export function createLogger({ level }: LogOptions): Logger {
  const standardError = pino.destination({ dest: 2, sync: true });
  return loggerTo(level, (text) => standardError.write(text));
}

function loggerTo(level: LogOptions['level'], write: (text: string) => void): Logger {
  const paths = redacted.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino(
    {
      level,
      redact: { paths, censor: '[secret]' },
      formatters: { level: (label) => ({ level: label }) },
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    { write },
  );
}

interface RunLogSection extends Pick<LogOptions, 'level'> {
  readonly file: boolean;
  readonly sizeMaxMib: number;
  readonly keep: number;
}

/** The logs of a run. */
export interface RunLogs {
  /** On standard error, and in the run directory unless the configuration says not to. */
  readonly log: Logger;
  /** In the run directory alone, whatever the level: what the terminal shows in other words. */
  readonly session: Logger;
}

/** The log in the run directory is there from now on, also while nothing is written to it. */
export function createRunLogs({ level, file, sizeMaxMib, keep }: RunLogSection, directory: string): RunLogs {
  if (!file || level === 'silent') return { log: createLogger({ level }), session: silentLogger };
  const kept = new LogFile({ directory, sizeMaxMib, keep });
  kept.write('');
  const standardError = pino.destination({ dest: 2, sync: true });
  const both = (text: string): void => {
    standardError.write(text);
    kept.write(text);
  };
  return { log: loggerTo(level, both), session: loggerTo('info', (text) => kept.write(text)) };
}
