import { ActionIcon, Menu } from '@mantine/core'
import IconDots from 'icon:dots'
import IconGripVertical from 'icon:grip-vertical'
import type { KeyboardEvent } from 'react'
import type { DraftField } from './draft-content.ts'
import { typeIcons } from './field-icons.ts'
import { typeWords } from './field-kinds.ts'
import { useTargetName } from './targets.ts'
import { useRowDrag } from '../../ui/use-row-drag.ts'
import { menuProps } from '../../ui/menu-props.ts'
import textClasses from '../../ui/text.module.css'
import panesClasses from '../../ui/panes.module.css'
import classes from './builder.module.css'

export type ItemWays = {
  canWrite: boolean
  steps: readonly string[]
  select: (id: string) => void
  move: (field: DraftField, way: 'up' | 'down') => void
  moveToStep: (field: DraftField, step: number) => void
  copy: (field: DraftField) => void
  remove: (field: DraftField) => void
}

type Props = {
  field: DraftField
  isSelected: boolean
  hasProblem: boolean
  isFirst: boolean
  isLast: boolean
  ways: ItemWays
}

export function FieldItem({ field, isSelected, hasProblem, isFirst, isLast, ways }: Props) {
  const { ref, isDragged, edge } = useRowDrag(field.id, ways.canWrite)
  const targetName = useTargetName()
  const Shape = typeIcons[field.type]

  function onKeyDown(event: KeyboardEvent<HTMLButtonElement>) {
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault()
      const way = event.key === 'ArrowUp' ? 'up' : 'down'
      if (!event.altKey) focusBeside(event.currentTarget, way)
      else if (ways.canWrite) ways.move(field, way)
    } else if (event.key === 'Delete' && ways.canWrite) ways.remove(field)
  }

  return (
    <li
      ref={ref}
      className={classes.item}
      data-field={field.id}
      data-selected={isSelected || undefined}
      data-dragged={isDragged || undefined}
      data-edge={edge}
    >
      {ways.canWrite && (
        <span className={panesClasses.grip} aria-hidden>
          <IconGripVertical size={16} />
        </span>
      )}
      <button
        type="button"
        className={panesClasses.main}
        data-focus={field.id}
        data-item
        aria-current={isSelected || undefined}
        aria-keyshortcuts={ways.canWrite ? 'Alt+ArrowUp Alt+ArrowDown Delete' : undefined}
        data-problem={hasProblem || undefined}
        onClick={() => ways.select(field.id)}
        onKeyDown={onKeyDown}
      >
        <Shape size={16} role="img" aria-label={typeWords[field.type].name} />
        <span className={panesClasses.what}>
          <span className={textClasses.cut}>
            {field.label || 'No label'}
            {field.required && (
              <span className={textClasses.bad} title="Required">
                {' '}
                *
              </span>
            )}
          </span>
          <span className={`${textClasses.meta} ${textClasses.cut} ${classes.dim}`}>
            {hasProblem
              ? 'Needs attention'
              : field.target
                ? `Lead field: ${targetName(field.target)}`
                : field.key}
          </span>
        </span>
      </button>
      {ways.canWrite && <ItemMenu field={field} isFirst={isFirst} isLast={isLast} ways={ways} />}
    </li>
  )
}

function ItemMenu({ field, isFirst, isLast, ways }: Pick<Props, 'field' | 'isFirst' | 'isLast' | 'ways'>) {
  return (
    <Menu position="bottom-end" {...menuProps}>
      <Menu.Target>
        <ActionIcon size="sm" aria-label={`More actions for ${field.label}`} data-focus={`${field.id} menu`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item disabled={isFirst} onClick={() => ways.move(field, 'up')} rightSection={<kbd>Alt ↑</kbd>}>
          Move up
        </Menu.Item>
        <Menu.Item disabled={isLast} onClick={() => ways.move(field, 'down')} rightSection={<kbd>Alt ↓</kbd>}>
          Move down
        </Menu.Item>
        {ways.steps.map(
          (title, step) =>
            step !== field.step && (
              // oxlint-disable-next-line react/no-array-index-key
              <Menu.Item key={step} onClick={() => ways.moveToStep(field, step)}>
                Move to {title || `step ${step + 1}`}
              </Menu.Item>
            ),
        )}
        <Menu.Divider />
        <Menu.Item onClick={() => ways.copy(field)}>Duplicate</Menu.Item>
        <Menu.Item color="red" onClick={() => ways.remove(field)} rightSection={<kbd>Del</kbd>}>
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function focusBeside(from: HTMLElement, way: 'up' | 'down'): void {
  const all = [...document.querySelectorAll<HTMLElement>('[data-item]')]
  all[all.indexOf(from) + (way === 'up' ? -1 : 1)]?.focus()
}
