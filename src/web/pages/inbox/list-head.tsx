import { ActionIcon, Title } from '@mantine/core'
import IconDots from 'icon:dots'
import IconPencilPlus from 'icon:pencil-plus'
import { lazy, Suspense } from 'react'
import { openNewMessage } from '../../records/conversations/open-new-message.ts'
import { ButtonMenu } from '../../ui/menu.tsx'
import { AnswerTimesLink } from './answer-times-link.tsx'
import type { Selection } from './use-selection.ts'
import type { Bulk } from './use-selection-keys.ts'
import classes from './list.module.css'

const SelectionBar = lazy(() =>
  import('./selection-bar.tsx').then(({ SelectionBar }) => ({ default: SelectionBar })),
)

type Props = {
  level: 1 | 2
  canWrite: boolean
  isEmpty: boolean
  selection: Selection
  bulk: Bulk
}

/** The title of the list; while something is selected, what can be done with it. */
export function ListHead({ level, canWrite, isEmpty, selection, bulk }: Props) {
  const { isOn } = selection
  return (
    <header className={classes.head}>
      <Title
        order={level}
        tabIndex={-1}
        className={classes.title}
        data-inbox-title
        data-hidden={isOn || undefined}
      >
        Inbox
      </Title>
      {isOn && (
        <Suspense fallback={null}>
          <SelectionBar selection={selection} bulk={bulk} />
        </Suspense>
      )}
      {!isOn && (
        <span className={classes.headActions}>
          <AnswerTimesLink />
          {canWrite && !isEmpty && (
            <ButtonMenu
              button={
                <ActionIcon aria-label="List actions" title="List actions">
                  <IconDots size={18} />
                </ActionIcon>
              }
              items={[
                { label: 'Select', run: selection.begin },
                { label: 'Select all', run: selection.selectAll },
              ]}
            />
          )}
          {canWrite && (
            <ActionIcon
              aria-label="New message"
              title="New message (C)"
              aria-keyshortcuts="c"
              onClick={() => openNewMessage()}
            >
              <IconPencilPlus size={18} />
            </ActionIcon>
          )}
        </span>
      )}
    </header>
  )
}
