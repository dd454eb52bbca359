import { useEffect, useState, type RefObject } from 'react'
import { count } from '../words.ts'
import type { Card, Column } from './places.ts'
import classes from './board.module.css'

type Props<C extends Card> = { columns: readonly Column<C>[]; strip: RefObject<HTMLElement | null> }

/** On phones one column fills the screen: buttons to the others. */
export function Switcher<C extends Card>({ columns, strip }: Props<C>) {
  const [at, setAt] = useState(0)
  useEffect(() => {
    const element = strip.current
    if (!element) return
    function look() {
      const first = element!.firstElementChild as HTMLElement | null
      if (first) setAt(Math.round(element!.scrollLeft / first.offsetWidth))
    }
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [strip])
  function show(index: number) {
    const column = strip.current?.children[index] as HTMLElement | undefined
    if (column && strip.current) strip.current.scrollLeft = column.offsetLeft - strip.current.offsetLeft
  }
  return (
    <nav className={classes.switcher} aria-label="Columns">
      {columns.map(({ key, name, count: number }, index) => (
        <button
          key={key}
          type="button"
          aria-current={index === at ? 'true' : undefined}
          ref={index === at ? keepInSight : undefined}
          onClick={() => show(index)}
        >
          {name} <span>{count(number)}</span>
        </button>
      ))}
    </nav>
  )
}

function keepInSight(button: HTMLElement | null): void {
  const row = button?.parentElement
  if (button && row) row.scrollLeft = button.offsetLeft - row.offsetLeft - 40
}
