import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Picker, type Option } from '../picker.tsx'
import type { Cell, ListColumn } from './list.ts'
import classes from './table.module.css'

const TEXT_LENGTH_MAX = 2_000

type Edit<T> = NonNullable<ListColumn<T>['edit']>

type Choice<T> = {
  options: Option[]
  chosen: (record: T) => string
  pick: (record: T, value: string) => void
  /** The cell below the open list. */
  show: (record: T) => ReactNode
}

/** A cell with a few known values. */
export function choiceCell<T>({ options, chosen, pick, show }: Choice<T>): Edit<T> {
  return (record, cell) => (
    <ChoiceEditor
      cell={cell}
      options={options}
      chosen={chosen(record)}
      pick={value => {
        if (value !== chosen(record)) pick(record, value)
      }}
    >
      {show(record)}
    </ChoiceEditor>
  )
}

export type Parsed<Value> = { value: Value } | { fault: string }

type Text<T, Value> = {
  /** The value as text to start from. */
  text: (record: T) => string
  parse: (text: string) => Parsed<Value>
  save: (record: T, value: Value) => void
  type?: 'text' | 'date'
  inputMode?: 'decimal'
}

/** A cell with typed text. */
export function textCell<T, Value>({ text, parse, save, ...input }: Text<T, Value>): Edit<T> {
  return (record, cell) => (
    <TextEditor
      cell={cell}
      start={text(record)}
      parse={parse}
      save={value => save(record, value)}
      {...input}
    />
  )
}

type ChoiceProps = {
  cell: Cell
  options: Option[]
  chosen: string
  pick: (value: string) => void
  children: ReactNode
}

function ChoiceEditor({ cell, options, chosen, pick, children }: ChoiceProps) {
  return (
    <Picker
      label={cell.label}
      options={options}
      chosen={[chosen]}
      pick={value => {
        cell.stop()
        pick(value)
      }}
      close={cell.stop}
      tab={(value, backwards) => {
        cell.step(backwards)
        if (value !== null) pick(value)
      }}
    >
      <div className={classes.choosing}>{children}</div>
    </Picker>
  )
}

type TextProps<Value> = {
  cell: Cell
  start: string
  parse: (text: string) => Parsed<Value>
  save: (value: Value) => void
  type?: 'text' | 'date'
  inputMode?: 'decimal'
}

/** Enter and Tab save, Escape cancels. */
function TextEditor<Value>({ cell, start, parse, save, type = 'text', inputMode }: TextProps<Value>) {
  const [text, setText] = useState(start)
  const [fault, setFault] = useState<string>()
  const done = useRef(false)

  function finish(): boolean {
    if (done.current) return true
    const parsed = parse(text)
    if ('fault' in parsed) {
      setFault(parsed.fault)
      return false
    }
    done.current = true
    if (text !== start) save(parsed.value)
    return true
  }

  function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation()
    if (event.key === 'Escape') {
      done.current = true
      cell.stop()
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      if (finish()) cell.stop()
    } else if (event.key === 'Tab') {
      event.preventDefault()
      if (finish()) cell.step(event.shiftKey)
    }
  }

  return (
    <>
      <input
        ref={useFocusAndSelect()}
        className={classes.editor}
        type={type}
        inputMode={inputMode}
        aria-label={cell.label}
        aria-invalid={fault !== undefined}
        value={text}
        maxLength={TEXT_LENGTH_MAX}
        onChange={event => {
          setText(event.currentTarget.value)
          setFault(undefined)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          // Leaving the cell saves a valid value and discards an invalid one.
          finish()
          done.current = true
          cell.stop()
        }}
      />
      {fault && (
        <span role="alert" className={classes.fault}>
          {fault}
        </span>
      )}
    </>
  )
}

export function useFocusAndSelect() {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus({ preventScroll: true })
    field.current?.select()
  }, [])
  return field
}
