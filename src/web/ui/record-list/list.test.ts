import { expect, test } from 'vitest'
import { queryClient } from '../../query-client.ts'
import { release, reserve } from '../../writes/pending.ts'
import { patchListed, putListed } from './list-cache.ts'
import { listQuery, type Listed, type Page } from './list.ts'

type Account = Listed & { name: string; industry: string }

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()

/** A list that is being asked for: what the server answered is on its way until it is let in. */
function asked(key: readonly string[]) {
  const answer = Promise.withResolvers<Page<Account>>()
  const query = listQuery<Account>(key, '', () => answer.promise)
  const shown = queryClient.fetchInfiniteQuery(query).then(({ pages }) => pages[0]!.data)
  return {
    async letIn(account: Account): Promise<Account[]> {
      answer.resolve({ data: [account], next_cursor: null })
      return shown
    },
  }
}

const accountAt = (id: string, second: number): Account => ({
  id,
  name: 'Acme',
  industry: 'Steel',
  updated_at: at(second),
  deleted_at: null,
})

test('a list that was asked for before a change and comes after it takes nothing back', async () => {
  const list = asked(['accounts', 'late'])
  putListed<Account>(['accounts', 'late'], { ...accountAt('late', 2), industry: 'Rockets' })
  expect(await list.letIn(accountAt('late', 1))).toMatchObject([{ industry: 'Rockets', updated_at: at(2) }])
})

test('what somebody changed since is shown', async () => {
  const list = asked(['accounts', 'theirs'])
  putListed<Account>(['accounts', 'theirs'], { ...accountAt('theirs', 2), industry: 'Rockets' })
  expect(await list.letIn(accountAt('theirs', 3))).toMatchObject([{ industry: 'Steel' }])
})

test('what is being saved stays, field by field, until it is', async () => {
  const key = ['accounts', 'saving']
  await asked(key).letIn(accountAt('saving', 1))
  reserve('saving', ['industry'])
  patchListed<Account>(key, 'saving', { industry: 'Rockets' })
  await queryClient.invalidateQueries({ queryKey: key })
  const answer = { ...accountAt('saving', 2), name: 'Acme Ltd' }
  expect(await asked(key).letIn(answer)).toMatchObject([{ name: 'Acme Ltd', industry: 'Rockets' }])

  release('saving', ['industry'])
  await queryClient.invalidateQueries({ queryKey: key })
  expect(await asked(key).letIn(answer)).toMatchObject([{ industry: 'Steel' }])
})

test('the answer to one change does not take back another that is being saved', async () => {
  const key = ['accounts', 'two']
  await asked(key).letIn(accountAt('two', 1))
  reserve('two', ['industry'])
  patchListed<Account>(key, 'two', { industry: 'Rockets' })
  putListed<Account>(key, { ...accountAt('two', 2), name: 'Acme Ltd' })
  const [list] = queryClient.getQueriesData<{ pages: Page<Account>[] }>({ queryKey: key })
  expect(list![1]!.pages[0]!.data).toMatchObject([{ name: 'Acme Ltd', industry: 'Rockets' }])
  release('two', ['industry'])
})
