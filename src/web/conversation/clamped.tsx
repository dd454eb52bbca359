import { Button } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import classes from './lead-conversation.module.css'

/** More than what is shown of it then: otherwise it would save too little. */
const LONG_PX = 420

/** Something long is cut off, so that what is below stays in reach. */
export function Clamped({ children }: { children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null)
  const [isLong, setIsLong] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  const isCut = isLong && !isOpen
  const open = () => setIsOpen(true)
  useEffect(() => {
    if (isOpen) return
    const watcher = new ResizeObserver(() => setIsLong((content.current?.offsetHeight ?? 0) > LONG_PX))
    if (content.current) watcher.observe(content.current)
    return () => watcher.disconnect()
  }, [isOpen])
  return (
    <div>
      <div
        className={classes.clamped}
        data-cut={isCut || undefined}
        // What is reached by keyboard must be in sight, and what is unfolded as well.
        onFocusCapture={({ target }) => isCut && target.matches(':focus-visible') && open()}
        onClickCapture={({ target }) => (target as Element).closest('[aria-expanded], summary') && open()}
      >
        <div ref={content}>{children}</div>
      </div>
      {isCut && (
        <Button className={classes.whole} size="compact-xs" variant="subtle" onClick={open}>
          Show whole message
        </Button>
      )}
    </div>
  )
}
