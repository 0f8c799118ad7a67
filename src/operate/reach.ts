import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { z } from 'zod';
import { BadInput } from '../core/base/errors.ts';
import type { tlsOptions } from './options.ts';

// Addresses that a server of ours listens at: others reach it by TLS alone.

type TlsOptions = z.output<typeof tlsOptions>;

/** Names and addresses of this machine, as they stand in an address. */
export const loopbackNames = ['127.0.0.1', '[::1]', 'localhost'] as const;

/** A host as it stands in an address. */
export function addressName(host: string): string {
  return host.includes(':') ? `[${host}]` : host.toLowerCase();
}

/** Throws `BadInput` where others can reach a server that has no TLS. `section`: its part of the configuration. */
export function checkReach(
  section: string,
  { host, tls }: { readonly host: string; readonly tls?: TlsOptions | undefined },
): void {
  const isLoopback = loopbackNames.some((name) => name === addressName(host));
  if (!isLoopback && tls === undefined)
    throw new BadInput(
      `${section}.host: ${host} can be reached by others: expected ${section}.tls, or a loopback address behind a reverse proxy`,
    );
}

/** Reads certificate and key. Throws `BadInput` when they cannot be read, or do not belong together. */
export function readTls(section: string, { cert, key }: TlsOptions): { cert: Buffer; key: Buffer } {
  try {
    const read = { cert: readFileSync(cert), key: readFileSync(key) };
    createSecureContext(read);
    return read;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BadInput(`${section}.tls: expected readable PEM files of a certificate and its key: ${why}`);
  }
}
