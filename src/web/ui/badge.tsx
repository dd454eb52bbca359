import { Dotted } from './stage.tsx'
import classes from './parts.module.css'

/** A state: the colour helps to scan, the word says it. */
export function Badge({ words: { tone, label } }: { words: { tone: string; label: string } }) {
  return (
    <span className={classes.badge}>
      <Dotted tone={tone}>{label}</Dotted>
    </span>
  )
}
