import { Button } from '@mantine/core'
import { nextPage, type Paged } from './next-page.ts'
import { toastFault } from './toast.ts'

type Props = { list: Paged; label: 'Show more' | 'Show older'; size?: 'xs'; mt?: 'sm'; variant?: 'default' }

/** Loads the next page of a list. */
export function MoreButton({ list, label, variant, ...place }: Props) {
  if (!list.hasNextPage) return null
  async function more() {
    const { isError, error } = await nextPage(list)
    if (isError) toastFault(error)
  }
  return (
    <Button
      {...place}
      {...(variant ? { variant } : { variant: 'subtle', color: 'gray' })}
      loading={list.isFetchingNextPage}
      onClick={() => void more()}
    >
      {label}
    </Button>
  )
}
