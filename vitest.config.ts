import { defineConfig } from 'vitest/config';
import { ClosingLine } from './test/support/closing-line.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/clients/**', '**/node_modules/**'],
    pool: 'threads',
    reporters: ['default', new ClosingLine()],
    testTimeout: 30_000,
  },
});
