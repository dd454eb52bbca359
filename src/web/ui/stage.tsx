import { inPlainWords } from './words.ts'
import toneClasses from './tone.module.css'
import textClasses from './text.module.css'
import classes from './stage.module.css'

/** A dot and a word: the colour is for scanning, the word for reading. */
export function Stage({ stage, stages }: { stage: string; stages: readonly string[] }) {
  return <Dotted tone={stageTone(stage, stages)}>{inPlainWords(stage)}</Dotted>
}

export function Dotted({ tone, children }: { tone: string; children: string }) {
  return (
    <span className={classes.dotted}>
      <span className={`${toneClasses.tone} ${classes.dot}`} data-tone={tone} aria-hidden />
      <span className={textClasses.cut}>{children}</span>
    </span>
  )
}

const STEPS = 5

/** A shade of the accent: later stages are stronger. Won and lost have their own colours. */
export function stageTone(stage: string, stages: readonly string[]): string {
  if (isWon(stage)) return 'green'
  if (isLost(stage)) return 'lost'
  const open = stages.filter(each => !isWon(each) && !isLost(each))
  const at = open.indexOf(stage)
  if (at < 0) return 'slate'
  return String(1 + Math.round((at * (STEPS - 1)) / Math.max(1, open.length - 1)))
}

const isWon = (stage: string) => /\b(won|customer)\b/i.test(stage)
const isLost = (stage: string) => /\b(lost|rejected|disqualified)\b/i.test(stage)
