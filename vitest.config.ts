import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest first, so that no worker is left alone with one at the end: a browser's, whole journeys, then the rest. */
const order = [
  '/test/journeys/bad-input',
  '/test/browser/',
  '/test/journeys/',
  '/enrolments/kills',
  '/enrolments/zones',
]

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
    setupFiles: ['test/support/each-file.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A machine that runs everything at once is slow: what comes at all, comes within this.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 2,
    // A process for each file would read the whole product anew each time: a second and more, for nearly two hundred.
    isolate: false,
    sequence: { sequencer: LongestFirst },
  },
})
