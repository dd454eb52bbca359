import { Group, Popover, TextInput, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './filter-bar.module.css'

export type Span = { after?: string; before?: string }

type Props = {
  /** Named ranges, such as "in the last 7 days". */
  spans: readonly (readonly [span: Span, label: string])[]
  now: Span
  put: (span: Span) => void
  close: () => void
  children: ReactNode
}

/** A date range: a named one, or from one day until another. */
export function SpanFilter({ spans, now, put, close, children }: Props) {
  const { after, before } = now
  return (
    <Popover opened onChange={opened => opened || close()} position="bottom-start" width={300} trapFocus>
      <Popover.Target>{children}</Popover.Target>
      <Popover.Dropdown>
        <div className={classes.spans}>
          {spans.map(([span, label]) => (
            <UnstyledButton
              key={label}
              className={classes.span}
              aria-pressed={after === span.after && before === span.before}
              onClick={() => {
                put(span)
                close()
              }}
            >
              {label.charAt(0).toUpperCase() + label.slice(1)}
            </UnstyledButton>
          ))}
        </div>
        <Group grow gap="sm">
          <TextInput
            type="date"
            label="From"
            value={isDay(after) ? after : ''}
            onChange={event => put(span(event.currentTarget.value, before))}
          />
          <TextInput
            type="date"
            label="Until"
            value={isDay(before) ? before : ''}
            onChange={event => put(span(after, event.currentTarget.value))}
          />
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}

function span(after: string | undefined, before: string | undefined): Span {
  return { ...(after && { after }), ...(before && { before }) }
}

function isDay(value: string | undefined): value is string {
  return value !== undefined && !value.endsWith('d')
}
