import { Menu } from '@mantine/core'
import type { ReactElement } from 'react'
import { STEPS_MAX, type StepType } from '#domains/sequences/values.ts'
import { menuProps } from '../../ui/menu-props.ts'
import { stepIcons } from './step-icons.ts'
import { stepWords } from '../../records/sequences/words.ts'
import textClasses from '../../ui/text.module.css'

const order: readonly StepType[] = ['email', 'sms', 'task', 'delay']

export type AddStepProps = { add: (type: StepType) => void; isFull: boolean; children: ReactElement }

/** Mounted already open. The focus moves on to the new step. */
export function AddStepMenu({ add, isFull, children }: AddStepProps) {
  return (
    <Menu position="bottom-start" width={270} returnFocus={false} defaultOpened {...menuProps}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {isFull && <Menu.Label>A sequence can have up to {STEPS_MAX} steps</Menu.Label>}
        {order.map(type => {
          const Shape = stepIcons[type]
          return (
            <Menu.Item
              key={type}
              disabled={isFull}
              leftSection={<Shape size={16} />}
              onClick={() => add(type)}
            >
              {stepWords[type].name}
              <span className={textClasses.under}>{stepWords[type].about}</span>
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
