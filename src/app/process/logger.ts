import { pino } from 'pino';
import type { Logger } from '../../core/base/logger.ts';

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
export function createLogger(options: LogOptions): Logger {
  const paths = redacted.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
  return pino(
    {
      level: options.level,
      redact: { paths, censor: '[secret]' },
      formatters: { level: (label) => ({ level: label }) },
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
