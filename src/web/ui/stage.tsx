import { inPlainWords } from './words.ts'
import classes from './stage.module.css'

/** A dot and a word: colour helps to scan, the word says it. */
export function Stage({ stage, stages }: { stage: string; stages: readonly string[] }) {
  return <Dotted tone={stageTone(stage, stages)}>{inPlainWords(stage)}</Dotted>
}

export function Dotted({ tone, children }: { tone: string; children: string }) {
  return (
    <span className={classes.dotted}>
      <span className={classes.dot} data-tone={tone} aria-hidden />
      <span className={classes.word}>{children}</span>
    </span>
  )
}

const rising = ['slate', 'blue', 'violet', 'pink', 'amber', 'teal'] as const

export function stageTone(stage: string, stages: readonly string[]): string {
  const word = stage.toLowerCase()
  if (/\b(won|customer)\b/.test(word)) return 'green'
  if (/\b(lost|rejected|disqualified)\b/.test(word)) return 'red'
  const at = stages.indexOf(stage)
  return at < 0 ? 'slate' : (rising[at % rising.length] ?? 'slate')
}
