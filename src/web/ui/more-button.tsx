import { Button } from '@mantine/core'
import { nextPage, type Paged } from './next-page.ts'

type Props = { list: Paged; label: 'Show more' | 'Show older'; size?: 'xs'; mt?: 'sm'; variant?: 'default' }

/** Stands below a list that goes on. */
export function MoreButton({ list, label, variant, ...place }: Props) {
  if (!list.hasNextPage) return null
  return (
    <Button
      {...place}
      {...(variant ? { variant } : { variant: 'subtle', color: 'gray' })}
      loading={list.isFetchingNextPage}
      onClick={() => void nextPage(list)}
    >
      {label}
    </Button>
  )
}
