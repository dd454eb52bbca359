import { Combobox, useCombobox } from '@mantine/core'
import IconCheck from 'icon:check'
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useBeginIn } from './begin-in.ts'
import classes from './picker.module.css'

export type Option = {
  value: string
  label: string
  node?: ReactNode
  /** A heading above the options of the same group, which follow each other. */
  group?: string
}

export type PickerProps = {
  /** What is being chosen, for screen readers. */
  label: string
  options: Option[]
  chosen: readonly string[]
  pick: (value: string) => void
  close: () => void
  /** Tab pressed on an option: choose it and continue. */
  tab?: (value: string | null, backwards: boolean) => void
  /** The element below which the list opens. */
  children: ReactNode
  footer?: ReactNode
  width?: number
  /** For external search: called with the text; options are then shown unfiltered. */
  search?: (text: string) => void
}

export function PickerList(props: PickerProps) {
  const { label, options, chosen, pick, close, tab, children, footer, width = 230, search: told } = props
  const [text, setText] = useState('')
  const listId = useId()
  const search = useRef<HTMLInputElement>(null)
  const combobox = useCombobox({ opened: true, onOpenedChange: opened => opened || close() })
  const shown = told
    ? options
    : options.filter(option => option.label.toLowerCase().includes(text.trim().toLowerCase()))

  useBeginIn(search, () => {
    if (combobox.selectActiveOption() === null) combobox.selectFirstOption()
  })
  const chooseFirst = useEffectEvent(() => combobox.selectFirstOption())

  useEffect(() => {
    if (text) chooseFirst()
  }, [text])

  function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation()
    if (event.key === 'Escape') {
      event.preventDefault()
      close()
    } else if (event.key === 'Tab' && tab) {
      event.preventDefault()
      tab(shown[combobox.getSelectedOptionIndex()]?.value ?? null, event.shiftKey)
    }
  }

  return (
    <Combobox
      store={combobox}
      onOptionSubmit={pick}
      width={width}
      position="bottom-start"
      shadow="md"
      transitionProps={{ duration: 0 }}
      withinPortal
    >
      <Combobox.DropdownTarget>{children}</Combobox.DropdownTarget>
      <Combobox.Dropdown>
        {/* The dropdown itself always has the role presentation. */}
        <div role="dialog" aria-label={label}>
          <Combobox.Search
            ref={search}
            role="combobox"
            aria-controls={listId}
            aria-expanded
            value={text}
            onChange={event => {
              setText(event.currentTarget.value)
              told?.(event.currentTarget.value)
            }}
            onKeyDown={onKeyDown}
            aria-label={label}
            placeholder={label}
          />
          <Combobox.Options id={listId} mah={280} className={classes.options} aria-label={label}>
            {[...Map.groupBy(shown, ({ group }) => group)].map(([group, own]) => {
              const rows = own.map(option => (
                <PickerOption key={option.value} option={option} isChosen={chosen.includes(option.value)} />
              ))
              return group ? (
                <Combobox.Group key={group} label={group}>
                  {rows}
                </Combobox.Group>
              ) : (
                rows
              )
            })}
            {shown.length === 0 && <Combobox.Empty>No matches</Combobox.Empty>}
          </Combobox.Options>
          {footer && <Combobox.Footer>{footer}</Combobox.Footer>}
        </div>
      </Combobox.Dropdown>
    </Combobox>
  )
}

function PickerOption({ option, isChosen }: { option: Option; isChosen: boolean }) {
  return (
    <Combobox.Option
      value={option.value}
      active={isChosen}
      aria-selected={isChosen}
      className={classes.option}
    >
      <span className={classes.node}>{option.node ?? option.label}</span>
      {isChosen && <IconCheck size={16} aria-hidden />}
    </Combobox.Option>
  )
}
