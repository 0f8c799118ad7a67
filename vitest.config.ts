import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/clients/**', '**/node_modules/**'],
    pool: 'threads',
    testTimeout: 30_000,
  },
});
