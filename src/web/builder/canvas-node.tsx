import IconAlertTriangle from 'icon:alert-triangle'
import { memo } from 'react'
import type { Box } from './layout.ts'
import type { Mark } from './overlay.ts'
import { KindIcon } from './kind-icon.tsx'
import textClasses from '../ui/text.module.css'
import classes from './canvas.module.css'

type Props = {
  stop: string
  box: Box
  /** Decides its color. */
  kind: string
  icon: string
  label: string
  title: string
  summary: string
  /** Everything in one sentence, for screen readers. */
  words: string
  isSelected: boolean
  isCurrent: boolean
  problem: string | undefined
  warning?: string | undefined
  /** What is still missing, while nothing has been set yet. */
  unready?: string | undefined
  mark: Mark | undefined
  timeOf: (at: string) => string
}

/** A node of the canvas: a button, so it can be reached by keyboard. */
export const CanvasNode = memo(function CanvasNode(props: Props) {
  const { stop, box, kind, icon, label, title, summary, words, isSelected, isCurrent, problem, warning } =
    props
  const told = problem ?? warning
  const isUnready = problem === undefined && props.unready !== undefined
  const mark = props.mark && markInWords(props.mark, props.timeOf)
  return (
    <button
      type="button"
      className={classes.node}
      style={{ transform: `translate(${box.x}px, ${box.y}px)`, width: box.width, height: box.height }}
      data-stop={stop}
      data-kind={kind}
      data-selected={isSelected || undefined}
      data-problem={problem !== undefined || undefined}
      data-outcome={props.mark?.outcome}
      tabIndex={isCurrent ? 0 : -1}
      aria-pressed={isSelected}
    >
      <span className={textClasses.hidden}>
        {[words, problem ? `error: ${problem}` : warning, isUnready && NOT_SET_UP, mark?.spoken]
          .filter(Boolean)
          .join(', ')}
      </span>
      <span className={classes.face} aria-hidden>
        <span className={classes.kind}>
          <KindIcon kind={icon} size={14} /> {label}
        </span>
        <span className={classes.nodeTitle}>{title}</span>
        <span className={classes.summary}>{isUnready ? upper(NOT_SET_UP) : summary}</span>
        {told !== undefined && (
          <span
            className={classes.problem}
            data-tone={problem === undefined ? 'warning' : undefined}
            title={told}
          >
            <IconAlertTriangle size={12} /> <span>{told}</span>
          </span>
        )}
        {mark && (
          <span className={classes.mark} data-outcome={props.mark?.outcome}>
            {mark.shown}
          </span>
        )}
      </span>
    </button>
  )
})

const NOT_SET_UP = 'not set up yet'

function upper(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function markInWords(mark: Mark, timeOf: (at: string) => string): { shown: string; spoken: string } {
  const times = mark.times > 1 ? ` ×${mark.times}` : ''
  const at = mark.at === undefined ? '' : timeOf(mark.at)
  const often = mark.times > 1 ? `${mark.times} times, ` : ''
  switch (mark.outcome) {
    case 'none':
      return { shown: 'not run', spoken: 'not run' }
    case 'done':
      return { shown: `✓ ${at}${times}`, spoken: `done ${often}${at}` }
    case 'yes':
    case 'no':
      return { shown: `✓ ${mark.word} ${at}${times}`, spoken: `${mark.word.toLowerCase()} ${often}${at}` }
    case 'waiting':
    case 'held':
      return { shown: `◷ until ${at}`, spoken: `waiting until ${at}` }
    case 'retrying':
      return { shown: `↻ retry ${at}`, spoken: `retry ${at}` }
    case 'failed':
      return { shown: `✕ failed ${at}`, spoken: `failed ${at}` }
    default:
      return { shown: `${mark.word} ${at}${times}`, spoken: `${mark.word.toLowerCase()} ${at}` }
  }
}
