type Listed = {
  data: { pages: readonly unknown[] } | undefined
  hasNextPage: boolean
  isError: boolean
  error: unknown
}

/** The part of an infinite query needed to load more. */
export type Paged<L extends Listed = Listed> = Pick<Listed, 'data' | 'hasNextPage'> & {
  isFetchingNextPage: boolean
  fetchNextPage: (options: { cancelRefetch: boolean }) => Promise<L>
}

/** If the list keeps changing, give up: scrolling on tries again. */
const TRIES_MAX = 5

/**
 * Loads the next page of a list, even while it is being refreshed. A page request would cancel a refresh, and a refresh
 * cancels a page request: so wait for what is in flight, and retry what was cancelled.
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
