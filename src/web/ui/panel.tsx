import { Button } from '@mantine/core'
import IconPlus from 'icon:plus'
import { useId, type ReactNode } from 'react'
import { Bar } from './states.tsx'
import textClasses from './text.module.css'
import classes from './panel.module.css'

type Props = {
  title: string
  /** Count or sum. */
  beside?: ReactNode
  action?: ReactNode
  children: ReactNode
}

/** A short list that belongs to a record, with a heading. */
export function Panel({ title, beside, action, children }: Props) {
  const id = useId()
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id}>{title}</h2>
        <span className={`${textClasses.dim} ${textClasses.cut} ${classes.beside}`}>{beside}</span>
        {action}
      </div>
      {children}
    </section>
  )
}

type RecordsProps<T> = {
  /** What they are: "invoices". */
  what: string
  records: readonly T[] | undefined
  isError: boolean
  /** Instead of an empty list. */
  none?: ReactNode
  /** Number of skeleton lines. */
  waiting?: number
  /** A `PanelLine`. */
  children: (record: T) => ReactNode
}

/** The records of a panel, with loading, error and empty states. */
export function PanelRecords<T>(props: RecordsProps<T>) {
  const { what, records, isError, none = 'None yet.', waiting, children } = props
  if (!records && isError) return <PanelNote>{`Couldn't load ${what}.`}</PanelNote>
  if (!records) return <PanelWaiting lines={waiting} />
  if (records.length === 0) return none && <PanelNote>{none}</PanelNote>
  return <ul className={classes.list}>{records.map(record => children(record))}</ul>
}

type AddProps = { label?: string; run: () => void; children?: string }

/** Creates another record of the panel. */
export function PanelAdd({ label, run, children = 'New' }: AddProps) {
  return (
    <Button
      size="xs"
      variant="subtle"
      color="gray"
      leftSection={<IconPlus size={14} />}
      aria-label={label}
      onClick={run}
    >
      {children}
    </Button>
  )
}

type LineProps = { before?: ReactNode; children: ReactNode; about?: ReactNode; mark?: ReactNode }

/** One line: name, details, and a mark at the end. */
export function PanelLine({ before, children, about, mark }: LineProps) {
  return (
    <li className={classes.line}>
      {before}
      <span className={classes.what}>
        {children}
        {about && (
          <span
            className={`${textClasses.dim} ${textClasses.cut} ${classes.about}`}
            title={typeof about === 'string' ? about : undefined}
          >
            {about}
          </span>
        )}
      </span>
      {mark && <span className={classes.mark}>{mark}</span>}
    </li>
  )
}

export function PanelNote({ children }: { children: ReactNode }) {
  return <p className={classes.note}>{children}</p>
}

export function PanelWaiting({ lines = 2 }: { lines?: number | undefined }) {
  return (
    <div className={classes.waiting} aria-busy>
      {Array.from({ length: lines }, (_, line) => (
        <Bar key={line} width={`${70 - line * 18}%`} />
      ))}
    </div>
  )
}
