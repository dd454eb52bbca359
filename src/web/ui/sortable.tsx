import { ActionIcon } from '@mantine/core'
import IconArrowDown from 'icon:arrow-down'
import IconArrowUp from 'icon:arrow-up'
import IconGripVertical from 'icon:grip-vertical'
import { useState, type DragEvent, type ReactNode } from 'react'
import { useKeepFocus } from './keep-focus.ts'
import rowsClasses from './rows.module.css'
import panesClasses from './panes.module.css'
import classes from './sortable.module.css'

type Props<T> = {
  label: string
  items: readonly T[]
  nameOf: (item: T) => string
  keyOf: (item: T) => string
  move: (from: number, to: number) => void
  disabled?: boolean
  children: (item: T, index: number) => ReactNode
}

/** A list that can be reordered, by dragging or with the arrows of each item. */
export function Sortable<T>({ label, items, nameOf, keyOf, move, disabled = false, children }: Props<T>) {
  const keepFocus = useKeepFocus<HTMLOListElement>()
  const [dragged, setDragged] = useState<number | null>(null)
  const [over, setOver] = useState<number | null>(null)

  function drop(event: DragEvent, to: number) {
    event.preventDefault()
    if (dragged !== null && dragged !== to) move(dragged, to)
    setDragged(null)
    setOver(null)
  }

  return (
    <ol className={rowsClasses.rows} aria-label={label} {...keepFocus}>
      {items.map((item, index) => (
        <li
          key={keyOf(item)}
          className={classes.item}
          data-dragged={dragged === index || undefined}
          data-over={
            over === index && dragged !== null && dragged !== index
              ? dragged < index
                ? 'below'
                : 'above'
              : undefined
          }
          onDragOver={event => {
            if (dragged === null) return
            event.preventDefault()
            setOver(index)
          }}
          onDrop={event => drop(event, index)}
        >
          {!disabled && (
            <span
              className={panesClasses.grip}
              draggable
              aria-hidden
              onDragStart={event => {
                event.dataTransfer.effectAllowed = 'move'
                event.dataTransfer.setData('text/plain', nameOf(item))
                setDragged(index)
              }}
              onDragEnd={() => {
                setDragged(null)
                setOver(null)
              }}
            >
              <IconGripVertical size={16} />
            </span>
          )}
          <div className={classes.content}>{children(item, index)}</div>
          {!disabled && (
            <span className={classes.arrows}>
              <ActionIcon
                size="sm"
                aria-label={`Move ${nameOf(item)} up`}
                data-focus={`${keyOf(item)} up`}
                disabled={index === 0}
                onClick={() => move(index, index - 1)}
              >
                <IconArrowUp size={14} />
              </ActionIcon>
              <ActionIcon
                size="sm"
                aria-label={`Move ${nameOf(item)} down`}
                data-focus={`${keyOf(item)} down`}
                disabled={index === items.length - 1}
                onClick={() => move(index, index + 1)}
              >
                <IconArrowDown size={14} />
              </ActionIcon>
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}
