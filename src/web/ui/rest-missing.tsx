import { Button } from '@mantine/core'
import { inWords } from '../problem.ts'
import { nextPage, type Paged } from './next-page.ts'
import classes from './rest-missing.module.css'

type Props = {
  list: Paged & { error: unknown }
  /** Space below, for the bar that floats over the page. */
  room?: number
}

/** Shown when an infinite list could not load more: it does not retry automatically. */
export function RestMissing({ list, room = 0 }: Props) {
  return (
    <div role="alert" className={classes.missing} style={{ marginBottom: room }}>
      <span>Couldn't load more. {inWords(list.error)}</span>
      <Button
        size="xs"
        variant="default"
        loading={list.isFetchingNextPage}
        onClick={() => void nextPage(list)}
      >
        Try again
      </Button>
    </div>
  )
}
