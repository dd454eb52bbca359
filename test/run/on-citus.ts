/** Tests that cannot run on Citus, and why. `npm run test:citus` expects these to fail, and no others. */
export type Exception = {
  file: string
  /** The full names of its tests. Without any, the whole file cannot run. */
  tests?: string[]
  reason: string
}

export const exceptions: Exception[] = [
  {
    file: 'src/domains/leads/activity.test.ts',
    tests: ['activity and a change of the same lead are one update, and both hold'],
    reason: 'counts updates in the statistics of one server',
  },
  {
    file: 'src/domains/leads/states.test.ts',
    tests: ['the states of leads take the changes of status, stage and activity off every index of leads'],
    reason: 'counts updates in the statistics of one server',
  },
  {
    file: 'src/http/health.test.ts',
    tests: [
      'a database without room is a 503 that says when to come back, and no place for further requests',
    ],
    reason: 'a trigger fails in the words of a full disk, and shards take no triggers',
  },
  {
    file: 'src/platform/database/login.test.ts',
    tests: ['an owner that may not make roles works with its own login, and is told why'],
    reason: 'the owner of a cluster is a superuser, who may make roles',
  },
  {
    file: 'src/platform/database/partitions.test.ts',
    tests: [
      'a table that is kept by month has the months to come before anything is written for them',
      'a table that is kept by month keeps what finds no month, and moves it when its month is made',
    ],
    reason: 'reads in which month a row is, and shards of a month have names of their own',
  },
  {
    file: 'src/platform/database/row-security.test.ts',
    tests: [
      'every table but those of the installation itself is bound by row security, its owner included',
      'a team cannot write a row for another, nor move one to it',
      'the application role is no owner and no superuser, and cannot pass row security',
    ],
    reason:
      'shards bind all but their superuser, refuse another team in their own words, and let the role log in',
  },
  {
    file: 'src/platform/jobs/inline.test.ts',
    reason: 'compares the numbers of transactions on two tables, and each node counts its own',
  },
  {
    file: 'test/journeys/access.test.ts',
    tests: ['secrets none is in the log, in an answer, in a page or in a document, however requests fail'],
    reason: 'looks for the password of the database, and the nodes of a test trust each other without one',
  },
  {
    file: 'test/journeys/backup.test.ts',
    tests: ['what was restored backs up to the same rows, apart from the hold'],
    reason: 'restores without `rapport distribute`: test/journeys/citus.full.test.ts restores a cluster',
  },
]

/** What came of a file. One that breaks before its first test has no tests. */
export type Outcome = { file: string; isBroken: boolean; failed: string[]; message: (test: string) => string }

/** What failed and is not in the list, and what is in the list and did not fail. */
export function compare(outcomes: readonly Outcome[], known: readonly Exception[] = exceptions) {
  return outcomes.flatMap(({ file, isBroken, failed, message }) => {
    const own = known.filter(exception => exception.file === file)
    const listed = new Set(own.flatMap(({ tests = [] }) => tests))
    if (own.some(({ tests }) => !tests))
      return isBroken || failed.length > 0 ? [] : [{ name: file, message: STALE }]
    const unexpected = failed
      .filter(test => !listed.has(test))
      .map(test => ({ name: `${file} > ${test}`, message: message(test) }))
    const stale = [...listed]
      .filter(test => !failed.includes(test))
      .map(test => ({ name: `${file} > ${test}`, message: STALE }))
    const broken = isBroken && failed.length === 0 ? [{ name: file, message: message('') }] : []
    return [...broken, ...unexpected, ...stale]
  })
}

const STALE = 'is in test/run/on-citus.ts and did not fail: remove it there.'
