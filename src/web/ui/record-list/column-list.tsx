import { ActionIcon, Button, Checkbox, Popover } from '@mantine/core'
import IconArrowDown from 'icon:arrow-down'
import IconArrowUp from 'icon:arrow-up'
import IconMinus from 'icon:minus'
import IconPlus from 'icon:plus'
import { cloneElement, type ReactElement, type Ref } from 'react'
import type { View } from '#domains/views/contract.ts'
import { useComeOpen } from '../come-open.ts'
import { useKeepFocus } from '../keep-focus.ts'
import { dropDraft, move, resize, setColumns, type Column, type ColumnField, type Kind } from './columns.ts'
import classes from './column-menu.module.css'

export type ColumnMenuProps = {
  kind: Kind
  fields: readonly ColumnField[]
  columns: Column[]
  view: View | undefined
}

const RESIZE_STEP_PX = 20

type ButtonProps = { ref?: Ref<HTMLButtonElement>; onClick?: () => void }
type Props = ColumnMenuProps & { button: ReactElement<ButtonProps> }

/** The list with its button. Opens on mount, since it is loaded by opening it. */
export function ColumnList({ kind, fields, columns, view, button }: Props) {
  const keepFocus = useKeepFocus<HTMLDivElement>()
  const { target, opened, setOpened } = useComeOpen()
  const set = (next: Column[]) => setColumns(kind, view, next)
  const shown = columns.flatMap(column => fields.find(field => field.key === column.key) ?? [])
  const hidden = fields.filter(field => !columns.some(({ key }) => key === field.key))
  const width = (field: ColumnField) => columns.find(({ key }) => key === field.key)?.width ?? field.width
  return (
    <Popover position="bottom-end" width={330} trapFocus returnFocus opened={opened} onChange={setOpened}>
      <Popover.Target>
        {cloneElement(button, { ref: target, onClick: () => setOpened(!opened) })}
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Columns">
        <div className={classes.scroll} {...keepFocus}>
          <ul className={classes.list} aria-label="Shown columns">
            {shown.map((field, index) => (
              <li key={field.key}>
                <Checkbox
                  checked
                  data-focus={field.key}
                  label={field.label}
                  disabled={shown.length === 1}
                  onChange={() => set(columns.filter(({ key }) => key !== field.key))}
                />
                <span className={classes.tools}>
                  <ActionIcon
                    size="sm"
                    aria-label={`${field.label}: narrower`}
                    data-focus={`${field.key} narrower`}
                    onClick={() => set(resize(columns, field.key, width(field) - RESIZE_STEP_PX))}
                  >
                    <IconMinus size={14} />
                  </ActionIcon>
                  <ActionIcon
                    size="sm"
                    aria-label={`${field.label}: wider`}
                    data-focus={`${field.key} wider`}
                    onClick={() => set(resize(columns, field.key, width(field) + RESIZE_STEP_PX))}
                  >
                    <IconPlus size={14} />
                  </ActionIcon>
                  <ActionIcon
                    size="sm"
                    aria-label={`${field.label}: move up`}
                    data-focus={`${field.key} move up`}
                    disabled={index === 0}
                    onClick={() => set(move(columns, field.key, -1))}
                  >
                    <IconArrowUp size={14} />
                  </ActionIcon>
                  <ActionIcon
                    size="sm"
                    aria-label={`${field.label}: move down`}
                    data-focus={`${field.key} move down`}
                    disabled={index === shown.length - 1}
                    onClick={() => set(move(columns, field.key, 1))}
                  >
                    <IconArrowDown size={14} />
                  </ActionIcon>
                </span>
              </li>
            ))}
          </ul>
          {hidden.length > 0 && (
            <ul className={classes.list} aria-label="Hidden columns">
              {hidden.map(field => (
                <li key={field.key}>
                  <Checkbox
                    data-focus={field.key}
                    checked={false}
                    label={field.label}
                    onChange={() => set([...columns, { key: field.key }])}
                  />
                </li>
              ))}
            </ul>
          )}
        </div>
        <div className={classes.foot}>
          <Button size="xs" variant="subtle" color="gray" onClick={() => dropDraft(kind, view?.id)}>
            {view ? 'Reset to saved view' : 'Reset columns'}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
