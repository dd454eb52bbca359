type Listed = {
  data: { pages: readonly unknown[] } | undefined
  hasNextPage: boolean
  isError: boolean
  error: unknown
}

/** A list as it is scrolled through, as far as asking for more of it goes. */
export type Paged<L extends Listed = Listed> = Pick<Listed, 'data' | 'hasNextPage'> & {
  isFetchingNextPage: boolean
  fetchNextPage: (options: { cancelRefetch: boolean }) => Promise<L>
}

/** Under a storm of news the list is at least as new as can be, and whoever scrolls on asks once more. */
const TRIES_MAX = 5

/**
 * The next page of a list, also while there are news of it. A page asked for in the middle of a refresh would end the
 * refresh, and a refresh ends the asking for a page: so what is on its way is waited for, and what was given up for it is
 * asked for again.
 */
export async function nextPage<L extends Listed>({ data, fetchNextPage }: Paged<L>): Promise<L> {
  let known = pagesOf(data)
  for (let tries = 1; ; tries++) {
    const list = await fetchNextPage({ cancelRefetch: false })
    const loaded = pagesOf(list.data)
    if (loaded > known || !list.hasNextPage || list.isError || tries === TRIES_MAX) return list
    known = loaded
  }
}

const pagesOf = (data: Listed['data']) => data?.pages.length ?? 0
