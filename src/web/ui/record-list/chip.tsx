import { UnstyledButton } from '@mantine/core'
import IconX from 'icon:x'
import { useState, type ReactElement, type ReactNode } from 'react'
import textClasses from '../text.module.css'
import classes from './filter-bar.module.css'

type Props = {
  label: string
  /** The text after the label: "is New or Won". */
  words: string
  /** Absent while the filter has no value yet. */
  remove: (() => void) | undefined
  /** The editor below the chip; absent if the filter can only be removed. */
  editor?: ((chip: ReactElement, close: () => void) => ReactNode) | undefined
  /** In its place: opens a dialog. */
  openDialog?: () => void
  startsOpen?: boolean
  closed?: () => void
}

/** One filter as text: "Stage is New or Won". A click edits it, the cross removes it. */
export function Chip({ label, words, remove, editor, openDialog, startsOpen = false, closed }: Props) {
  const [open, setOpen] = useState(startsOpen)
  const text = `${label} ${words}`
  const chip = (
    <div className={classes.chip} role="group" aria-label={text}>
      {editor || openDialog ? (
        <UnstyledButton
          className={`${textClasses.cut} ${classes.words}`}
          title={text}
          {...(openDialog ? { 'aria-haspopup': 'dialog' as const } : { 'aria-expanded': open })}
          onClick={openDialog ?? (() => setOpen(true))}
        >
          <b>{label}</b> {words}
        </UnstyledButton>
      ) : (
        <span className={`${textClasses.cut} ${classes.words}`} title={text}>
          <b>{label}</b> {words}
        </span>
      )}
      {remove && (
        <UnstyledButton className={classes.remove} aria-label={`Remove filter ${label}`} onClick={remove}>
          <IconX size={14} />
        </UnstyledButton>
      )}
    </div>
  )
  if (!open || !editor) return chip
  return editor(chip, () => {
    setOpen(false)
    closed?.()
  })
}
