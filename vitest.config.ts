import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { useOwnFolder } from './test/run/folder.ts'
import { LongestFirst } from './test/run/longest-first.ts'

const full = process.env.TEST_TIER === 'full'

// The workers read it from their environment; a failing run prints it.
process.env.TEST_SEED ??= String(randomInt(2 ** 31))

// Shaken tests wait for the disk.
useOwnFolder({ onDisk: process.env.TEST_SHAKE === 'all' })

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Whole files of the full tier are named so.
    exclude: full ? [] : ['**/*.full.test.ts'],
    globalSetup: ['test/support/postgres.ts'],
    setupFiles: ['test/support/each-file.ts'],
    reporters: ['./test/run/reporter.ts'],
    // Longer than any wait within a test, so that the wait is what tells.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A machine that runs everything at once is slow: what comes at all, comes within this.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // More than cores, since each waits now and then for its browser or a process of its own.
    maxWorkers: availableParallelism() * 2,
    // A process for each file would read the whole product anew each time: a second and more, for nearly three hundred.
    isolate: false,
    sequence: {
      seed: Number(process.env.TEST_SEED),
      // `npm run test:shake` asks for any order; otherwise the longest files begin.
      ...(process.env.TEST_SHAKE ? { shuffle: { files: true, tests: true } } : { sequencer: LongestFirst }),
    },
  },
})
