import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/postgres.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A machine that runs everything at once is slow: what comes at all, comes within this.
    expect: { poll: { timeout: 8_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
})
