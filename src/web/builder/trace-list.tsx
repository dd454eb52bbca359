import { UnstyledButton } from '@mantine/core'
import type { TraceEntry } from '#domains/workflows/contract.ts'
import { Dotted } from '../ui/stage.tsx'
import { exactly } from '../ui/time.tsx'
import { outcomeTones, outcomeWords } from './overlay.ts'
import { nodeAt, placeOf, type Nodes } from './tree.ts'
import { placeInWords, titleOf, type Names } from './words.ts'
import textClasses from '../ui/text.module.css'
import classes from './trace.module.css'

type Props = {
  label: string
  trace: readonly TraceEntry[]
  nodes: Nodes
  names: Names
  selected: string | undefined
  select: (path: string) => void
  /** Formats a time. */
  timeOf: (at: string) => string
}

/** The executed steps in order, each with its outcome and time and, on demand, its input and output. */
export function TraceList({ label, trace, nodes, names, selected, select, timeOf }: Props) {
  // A node may run many times, even at the same time: only the index identifies an entry.
  const placed = trace.map((entry, place) => ({ entry, place }))
  return (
    <ol aria-label={label}>
      {placed.map(({ entry, place }) => (
        <li key={place} className={classes.entry} data-selected={entry.path === selected || undefined}>
          <UnstyledButton className={classes.head} onClick={() => select(entry.path)}>
            <span className={classes.title}>{calledOf(entry, nodes, names)}</span>
            <span className={classes.place}>{placeInWords(nodes, placeOf(entry.path).list, names)}</span>
          </UnstyledButton>
          <span className={classes.outcome}>
            <Dotted tone={outcomeTones[entry.outcome]}>{outcomeWords[entry.outcome]}</Dotted>
            {entry.turn !== undefined && <span>{`iteration ${entry.turn}`}</span>}
            <Moment at={entry.at} timeOf={timeOf} />
          </span>
          {(entry.note || entry.until) && (
            <p className={classes.note}>
              {entry.note}
              {entry.until && (
                <>
                  {' '}
                  Until <Moment at={entry.until} timeOf={timeOf} />.
                </>
              )}
            </p>
          )}
          <Data name="Input" data={entry.input} />
          <Data name="Output" data={entry.result} />
        </li>
      ))}
    </ol>
  )
}

function Moment({ at, timeOf }: { at: string; timeOf: (at: string) => string }) {
  return (
    <time className={textClasses.dim} dateTime={at} title={exactly(at)}>
      {timeOf(at)}
    </time>
  )
}

function Data({ name, data }: { name: string; data: Record<string, unknown> | undefined }) {
  if (!data || Object.keys(data).length === 0) return null
  return (
    <details className={classes.data}>
      <summary>{name}</summary>
      <dl>
        {Object.entries(data).map(([key, value]) => (
          <div key={key}>
            <dt>{key.replaceAll('_', ' ')}</dt>
            <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** Its title in the definition or, if it is no longer there, in the trace. */
function calledOf({ path, type, action, name }: TraceEntry, nodes: Nodes, names: Names): string {
  const node = nodeAt(nodes, path) ?? { type, ...(action && { action }), ...(name && { name }) }
  return titleOf(node, names)
}
