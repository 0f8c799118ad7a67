/**
 * What each room may import besides its own files, and which packages. A room not listed here does not exist.
 * `options` rows: any room's `options.ts` may import zod on top.
 */
export interface Room {
  readonly rooms: readonly string[];
  readonly packages: readonly string[];
}

export const floors: Readonly<Record<string, Room>> = {
  base: { rooms: [], packages: ['decimal.js', 'node:util'] },
  model: { rooms: ['base'], packages: [] },
  book: { rooms: ['base', 'model'], packages: [] },
  matching: { rooms: ['base', 'model'], packages: [] },
  wire: { rooms: ['base', 'model'], packages: ['zod', 'node:crypto', 'node:buffer'] },
  budgets: { rooms: ['base', 'model'], packages: [] },
  bus: { rooms: ['base', 'model'], packages: ['rxjs'] },
  journal: {
    rooms: ['base', 'model'],
    packages: ['node:sqlite', 'node:crypto', 'node:worker_threads', 'node:fs', 'node:path', 'node:url'],
  },
  feed: {
    rooms: ['base', 'model', 'wire', 'book'],
    packages: [
      'node:fs',
      'node:fs/promises',
      'node:zlib',
      'node:path',
      'node:crypto',
      'node:buffer',
      'node:stream',
      'node:readline',
    ],
  },
  formats: {
    rooms: ['base', 'model', 'book', 'feed'],
    packages: [
      'node:fs',
      'node:fs/promises',
      'node:zlib',
      'node:path',
      'node:buffer',
      'node:stream',
      'node:crypto',
      'csv-parse',
      'csv-parse/sync',
      'fflate',
      'hyparquet',
      'hyparquet-compressors',
      'hyparquet-writer',
      'xz-decompress',
    ],
  },
  sim: { rooms: ['base', 'model', 'book', 'matching', 'bus'], packages: ['rxjs'] },
  server: {
    rooms: ['base', 'model', 'wire', 'matching'],
    packages: [
      'fastify',
      'ws',
      'node:http',
      'node:net',
      'node:stream',
      'node:crypto',
      'node:buffer',
      'node:querystring',
    ],
  },
  client: {
    rooms: ['base', 'model', 'wire', 'budgets', 'feed', 'bus'],
    packages: ['undici', 'ws', 'rxjs', 'node:net', 'node:stream', 'node:buffer'],
  },
  state: { rooms: ['base', 'model', 'book'], packages: [] },
  orders: { rooms: ['base', 'model', 'state'], packages: [] },
  gate: { rooms: ['base', 'model', 'budgets', 'bus', 'journal', 'state'], packages: [] },
  indicators: { rooms: ['base', 'model'], packages: ['trading-signals'] },
  strategy: {
    rooms: ['base', 'model', 'state', 'indicators'],
    packages: [
      'zod',
      'rxjs',
      'node:worker_threads',
      'node:crypto',
      'node:fs',
      'node:path',
      'node:url',
      'node:module',
    ],
  },
  trader: {
    rooms: ['base', 'model', 'bus', 'journal', 'state', 'orders', 'gate', 'strategy'],
    packages: ['rxjs'],
  },
  report: {
    rooms: ['base', 'model', 'journal'],
    packages: ['simple-statistics', 'zod', 'node:fs', 'node:path', 'node:url', 'node:module'],
  },
  config: { rooms: ['base'], packages: ['yaml', 'zod', 'node:fs', 'node:path'] },
  research: {
    rooms: ['base', 'model', 'book', 'feed', 'formats', 'sim', 'state', 'strategy', 'report', 'config'],
    packages: ['zod', 'yaml', 'node:fs', 'node:path', 'node:crypto'],
  },
  app: { rooms: ['*'], packages: ['pino', 'rxjs', 'zod', 'node:*', '@nats-io/*'] },
  cli: {
    rooms: ['base', 'app', 'config'],
    packages: ['commander', 'node:process', 'node:url', 'node:fs', 'node:path'],
  },
};
