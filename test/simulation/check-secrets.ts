import type { Credentials } from '../../src/core/base/secret.ts';
import type { Logger } from '../../src/core/base/logger.ts';
import type { Breaches } from './breaches.ts';

/** Ways in which a secret may be written down. */
function encodings(text: string): readonly string[] {
  const bytes = Buffer.from(text, 'utf8');
  const base64 = bytes.toString('base64').replaceAll('=', '');
  return [text, base64, bytes.toString('base64url'), bytes.toString('hex'), encodeURIComponent(text)];
}

const loginFrame = /^\{"method":"login"/;

/** Looks for key and secret in whatever a trader writes down or sends, but for its logins (I22). */
export class SecretCheck {
  readonly #breaches: Breaches;
  readonly #needles: readonly string[];

  constructor(breaches: Breaches, { apiKey, secret }: Credentials) {
    this.#breaches = breaches;
    const both = `${apiKey}:${secret.reveal()}`;
    this.#needles = [...new Set([apiKey, secret.reveal(), both].flatMap(encodings))];
  }

  /** A text frame or request leaves. */
  sent(text: string): void {
    if (!loginFrame.test(text)) this.#look(text, 'a frame or request');
  }

  record(text: string): void {
    this.#look(text, 'a record of the journal');
  }

  /** A logger whose lines are looked at and kept nowhere. */
  logger(): Logger {
    const line = (...parts: unknown[]): void => {
      this.#look(
        JSON.stringify(parts, (_key, value: unknown) => plain(value)),
        'a line of the log',
      );
    };
    return { debug: line, info: line, warn: line, error: line };
  }

  #look(text: string, where: string): void {
    for (const needle of this.#needles)
      if (text.includes(needle)) {
        this.#breaches.add('I22', `${where} has the key or the secret: ${text.slice(0, 80)}`);
        return;
      }
  }
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  return value instanceof Error ? (value.stack ?? value.message) : value;
}
