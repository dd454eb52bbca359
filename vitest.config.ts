import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest first, so that no worker is left alone with one at the end: a browser's, then whole journeys. */
const order = ['/test/browser/', '/test/journeys/']

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1))
  }
}

function rank({ moduleId }: TestSpecification): number {
  const at = order.findIndex(folder => moduleId.includes(folder))
  return at < 0 ? order.length : at
}

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
    sequence: { sequencer: LongestFirst },
  },
})
