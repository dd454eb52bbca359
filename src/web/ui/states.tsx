import { Button, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { inWords, isProblem } from '../problem.ts'
import classes from './states.module.css'

type Props = {
  icon?: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
  compact?: boolean
  /** It is the whole page, so its title is the heading. */
  whole?: boolean
}

/** An empty state with one action. */
export function Empty({ icon, title, children, action, compact = false, whole = false }: Props) {
  return (
    <Stack className={classes.empty} data-compact={compact || undefined} align="center" gap="xs">
      {icon && (
        <span className={classes.icon} aria-hidden>
          {icon}
        </span>
      )}
      <Title order={whole ? 1 : 2} {...(whole && { tabIndex: -1 })}>
        {title}
      </Title>
      {children && (
        <Text c="dimmed" ta="center" maw={400}>
          {children}
        </Text>
      )}
      {action && <div className={classes.action}>{action}</div>}
    </Stack>
  )
}

export function Fault({
  error,
  retry,
  whole = false,
}: {
  error: unknown
  retry?: () => void
  whole?: boolean
}) {
  const requestId = isProblem(error) ? error.requestId : undefined
  return (
    <div role="alert">
      <Empty
        whole={whole}
        title={isProblem(error, 404) ? 'Not found' : "Couldn't load this"}
        action={
          retry && (
            <Button variant="default" onClick={retry}>
              Try again
            </Button>
          )
        }
      >
        {inWords(error)}
        {requestId && (
          <>
            <br />
            Share this request ID with an admin: <code>{requestId}</code>
          </>
        )}
      </Empty>
    </div>
  )
}

/** A skeleton bar as large as the text, so that nothing moves when it loads. */
export function Bar({ width, height = 12 }: { width: number | string; height?: number }) {
  return <span className={classes.bar} style={{ width, height }} aria-hidden />
}
