import { VisuallyHidden } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { Dotted } from '../stage.tsx'
import { count } from '../words.ts'
import type { Card, Column } from './places.ts'
import classes from './board.module.css'

type Props<C extends Card> = { column: Column<C>; noun: string; id: string }

/** Name, count and sum of a column. */
export function ColumnHead<C extends Card>({ column, noun, id }: Props<C>) {
  return (
    <header className={classes.head}>
      <div className={classes.line}>
        <h2 className={classes.name} id={id}>
          <Dotted tone={column.tone ?? 'slate'}>{column.name}</Dotted>
        </h2>
        <Count column={column} noun={noun} />
        {column.actions}
      </div>
      {column.about}
    </header>
  )
}

/** The count links to the list. */
function Count<C extends Card>({ column, noun }: { column: Column<C>; noun: string }) {
  const { history } = useRouter()
  const { list } = column
  const words = `${count(column.count)} ${noun}`
  if (!list) {
    return (
      <span className={classes.count}>
        <span aria-hidden>{count(column.count)}</span>
        <VisuallyHidden>{words}</VisuallyHidden>
      </span>
    )
  }
  function follow(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    history.push(list!)
  }
  return (
    <a
      className={classes.count}
      href={list}
      aria-label={`${words} in ${column.name}, as a list`}
      title="Show as list"
      onClick={follow}
    >
      {count(column.count)}
    </a>
  )
}
