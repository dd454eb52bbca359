import { Button } from '@mantine/core'
import { inWords } from '../problem.ts'
import classes from './rest-missing.module.css'

type Props = {
  error: unknown
  busy: boolean
  retry: () => void
  /** Space below, for the bar that floats over the page. */
  room?: number
}

/** Shown when a part of a list could not be loaded: it does not retry automatically. */
export function RestMissing({ error, busy, retry, room = 0 }: Props) {
  return (
    <div role="alert" className={classes.missing} style={{ marginBottom: room }}>
      <span>Couldn't load more. {inWords(error)}</span>
      <Button size="xs" variant="default" loading={busy} onClick={retry}>
        Try again
      </Button>
    </div>
  )
}
