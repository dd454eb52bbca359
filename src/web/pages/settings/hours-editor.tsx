import { ActionIcon, Button, Checkbox, Tooltip } from '@mantine/core'
import IconCopy from 'icon:copy'
import IconPlus from 'icon:plus'
import IconX from 'icon:x'
import type { ReactNode } from 'react'
import { ButtonMenu } from '../../ui/menu.tsx'
import { nextRange, RANGES_MAX, readUntil, shownUntil, weekdays, type Range } from './availability-fields.ts'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'
import classes from './meeting-settings.module.css'

const WORKING_DAYS = 5

type WeekProps = {
  week: Range[][]
  set: (week: Range[][]) => void
  faultOf: (path: string) => string | undefined
  editable: boolean
}

/** Working hours, day by day. */
export function WeekEditor({ week, set, faultOf, editable }: WeekProps) {
  const put = (index: number, ranges: Range[]) => set(week.with(index, ranges))
  const copy = (from: number, days: number) =>
    set(week.map((ranges, index) => (index < days ? week[from]!.map(range => ({ ...range })) : ranges)))
  return (
    <ul className={rowsClasses.rows} aria-label="Working hours">
      {week.map((ranges, index) => {
        const name = weekdays[index]!
        return (
          <li key={name} className={classes.day}>
            <Checkbox
              className={classes.dayName}
              label={name}
              checked={ranges.length > 0}
              onChange={event => put(index, event.currentTarget.checked ? [nextRange([])] : [])}
            />
            <Ranges
              name={name}
              ranges={ranges}
              set={next => put(index, next)}
              fault={faultOf(`week.${index}`)}
            >
              {ranges.length === 0 && <span className={textClasses.dim}>Unavailable</span>}
            </Ranges>
            {editable && ranges.length > 0 && (
              <ButtonMenu
                button={
                  <ActionIcon aria-label={`Copy hours from ${name}`}>
                    <IconCopy size={16} />
                  </ActionIcon>
                }
                items={[
                  { label: 'To Monday–Friday', run: () => copy(index, WORKING_DAYS) },
                  { label: 'To all days', run: () => copy(index, weekdays.length) },
                ]}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

type RangesProps = {
  name: string
  ranges: Range[]
  set: (ranges: Range[]) => void
  fault: string | undefined
  children?: ReactNode
}

/** The time ranges of one day. */
export function Ranges({ name, ranges, set, fault, children }: RangesProps) {
  return (
    <div className={classes.ranges}>
      {children}
      {ranges.map((range, index) => {
        const which = ranges.length > 1 ? `${name}, ${index + 1}` : name
        return (
          // Two ranges can be equal while they are edited: only the index tells them apart.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index} className={classes.range}>
            <input
              type="time"
              aria-label={`From: ${which}`}
              aria-invalid={fault ? true : undefined}
              value={range.from}
              onChange={event => set(ranges.with(index, { ...range, from: event.currentTarget.value }))}
            />
            <span aria-hidden>–</span>
            <input
              type="time"
              aria-label={`Until: ${which}`}
              aria-invalid={fault ? true : undefined}
              value={shownUntil(range.until)}
              onChange={event =>
                set(ranges.with(index, { ...range, until: readUntil(event.currentTarget.value) }))
              }
            />
            {ranges.length > 1 && (
              <ActionIcon
                size="sm"
                aria-label={`Remove hours: ${which}`}
                onClick={() => set(ranges.toSpliced(index, 1))}
              >
                <IconX size={14} />
              </ActionIcon>
            )}
          </span>
        )
      })}
      {ranges.length > 0 && ranges.length < RANGES_MAX && (
        <Tooltip label="Add hours">
          <ActionIcon
            size="sm"
            aria-label={`Add hours: ${name}`}
            onClick={() => set([...ranges, nextRange(ranges)])}
          >
            <IconPlus size={14} />
          </ActionIcon>
        </Tooltip>
      )}
      {fault && (
        <span className={textClasses.bad} role="alert">
          {fault}
        </span>
      )}
    </div>
  )
}

export function AddButton({ children, add }: { children: string; add: () => void }) {
  return (
    <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
      {children}
    </Button>
  )
}
