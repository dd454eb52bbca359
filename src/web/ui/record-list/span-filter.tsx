import { Group, Popover, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { isDay } from '../day.ts'
import { DayInput } from '../day-input.tsx'
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
          <DayInput label="From" day={absolute(after)} set={day => put(span(day, before))} />
          <DayInput label="Until" day={absolute(before)} set={day => put(span(after, day))} />
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}

function span(after: string | undefined, before: string | undefined): Span {
  return { ...(after && { after }), ...(before && { before }) }
}

/** A relative day such as `-7d` has no date to show. */
function absolute(day: string | undefined): string | undefined {
  return day && isDay(day) ? day : undefined
}
