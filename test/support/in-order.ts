import { beforeAll } from 'vitest'

type Ordered = { type: string; shuffle?: boolean; tasks?: Ordered[] }

/**
 * For a file that tells one story, in which each test goes on where the one before it ended, or in which all share a clock
 * that only goes forward: `npm run test:shake` shuffles the files, and leaves the order of these tests.
 */
export function inOrder(): void {
  // oxlint-disable-next-line no-empty-pattern -- Vitest wants this form of its fixtures, and we use none.
  beforeAll(({}, suite) => keepOrder(suite as unknown as Ordered))
}

function keepOrder(suite: Ordered): void {
  suite.shuffle = false
  for (const task of suite.tasks ?? []) if (task.type === 'suite') keepOrder(task)
}
