import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { nextPage } from './next-page.ts'

const queryKey = ['records']
const PAGES = 3
/** What was asked for, in order, and each as a door that the test opens. */
let asked: { page: number; open: (name: string) => void; fail: () => void }[]
let client: QueryClient
let stop: () => void
afterEach(() => stop())

/** A list of three pages whose first is loaded. */
async function begin() {
  asked = []
  client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
  const observer = new InfiniteQueryObserver(client, {
    queryKey,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      new Promise<{ name: string; page: number }>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('given up')))
        asked.push({
          page: pageParam,
          open: name => resolve({ name, page: pageParam }),
          fail: () => reject(new Error('no answer')),
        })
      }),
    getNextPageParam: ({ page }) => (page + 1 < PAGES ? page + 1 : undefined),
  })
  stop = observer.subscribe(() => {})
  await answer(0, 'first')
  await expect.poll(() => observer.getCurrentResult().isSuccess).toBe(true)
  return observer
}

async function answer(page: number, name: string) {
  await expect.poll(() => asked.at(-1)?.page).toBe(page)
  asked.at(-1)!.open(name)
}

const names = (list: { data: { pages: { name: string }[] } | undefined }) =>
  list.data?.pages.map(({ name }) => name)

test('the next page is added to those that are there', async () => {
  const observer = await begin()
  const loading = nextPage(observer.getCurrentResult())
  await answer(1, 'second')
  expect(names(await loading)).toEqual(['first', 'second'])
})

test('news that come while a page is on its way are heard, and the page comes all the same', async () => {
  const observer = await begin()
  const loading = nextPage(observer.getCurrentResult())
  await expect.poll(() => asked.at(-1)?.page).toBe(1)
  void client.invalidateQueries({ queryKey })
  await answer(0, 'first, changed')
  await answer(1, 'second')
  expect(names(await loading)).toEqual(['first, changed', 'second'])
})

test('a page that is asked for in the middle of a refresh comes after it, and the refresh is not lost', async () => {
  const observer = await begin()
  void client.invalidateQueries({ queryKey })
  await expect.poll(() => asked.length).toBe(2)
  const loading = nextPage(observer.getCurrentResult())
  await answer(0, 'first, changed')
  await answer(1, 'second')
  expect(names(await loading)).toEqual(['first, changed', 'second'])
})

test('asked for by two at once, a page comes once', async () => {
  const observer = await begin()
  const both = [nextPage(observer.getCurrentResult()), nextPage(observer.getCurrentResult())]
  await answer(1, 'second')
  for (const list of await Promise.all(both)) expect(names(list)).toEqual(['first', 'second'])
  expect(asked.map(({ page }) => page)).toEqual([0, 1])
})

test('what cannot be had is not asked for again and again', async () => {
  const observer = await begin()
  const loading = nextPage(observer.getCurrentResult())
  await expect.poll(() => asked.at(-1)?.page).toBe(1)
  asked.at(-1)!.fail()
  const list = await loading
  expect(list.isError).toBe(true)
  expect(names(list)).toEqual(['first'])
  expect(asked).toHaveLength(2)
})

test('where news never end, the asking does', async () => {
  const observer = await begin()
  let settled = false
  const loading = nextPage(observer.getCurrentResult()).finally(() => (settled = true))
  while (!settled) {
    const known = asked.length
    void client.invalidateQueries({ queryKey })
    await expect.poll(() => asked.length > known || settled).toBe(true)
    asked.at(-1)!.open('first')
    await new Promise(resolve => setImmediate(resolve))
  }
  expect(names(await loading)).toEqual(['first'])
  expect(asked.filter(({ page }) => page === 1)).toHaveLength(5)
})
