import { ActionIcon, Menu } from '@mantine/core'
import IconArrowLeft from 'icon:arrow-left'
import IconArrowRight from 'icon:arrow-right'
import IconCheck from 'icon:check'
import IconDots from 'icon:dots'
import IconPencil from 'icon:pencil'
import IconTrash from 'icon:trash'
import { useState } from 'react'
import type { Column, Project } from '#domains/projects/contract.ts'
import { taskStatuses } from '#domains/projects/values.ts'
import { NameDialog } from '../../ui/seldom-dialogs.tsx'
import { moved } from '../../ui/moved.ts'
import { statusWords } from '../../records/projects/task-status.ts'
import { projects } from '../../records/projects/store.ts'

type Props = { project: Project; column: Column; isEmpty: boolean }

/** Actions of a project column. */
export function ColumnMenu({ project, column, isEmpty }: Props) {
  const [renaming, setRenaming] = useState(false)
  const { columns } = project
  const at = columns.findIndex(({ key }) => key === column.key)
  const set = (next: Column[], say: string) => void projects.change(project.id, { columns: next }, say)
  const put = (fields: Partial<Column>) =>
    columns.map(each => (each.key === column.key ? { ...each, ...fields } : each))
  return (
    <>
      <Menu position="bottom-end" width={210}>
        <Menu.Target>
          <ActionIcon size="sm" aria-label={`Column ${column.name}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setRenaming(true)}>
            Rename
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowLeft size={16} />}
            disabled={at === 0}
            onClick={() => set(moved(columns, at, at - 1), `Moved column ${column.name}`)}
          >
            Move left
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowRight size={16} />}
            disabled={at === columns.length - 1}
            onClick={() => set(moved(columns, at, at + 1), `Moved column ${column.name}`)}
          >
            Move right
          </Menu.Item>
          <Menu.Label>Tasks moved here become</Menu.Label>
          {taskStatuses.map(status => (
            <Menu.Item
              key={status}
              leftSection={<IconCheck size={16} opacity={status === column.status ? 1 : 0} />}
              aria-current={status === column.status ? 'true' : undefined}
              onClick={() => {
                if (status !== column.status)
                  set(put({ status }), `Tasks in ${column.name} are now ${statusWords[status].toLowerCase()}`)
              }}
            >
              {statusWords[status]}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconTrash size={16} />}
            disabled={!isEmpty || columns.length === 1}
            onClick={() => set(columns.toSpliced(at, 1), `Removed column ${column.name}`)}
          >
            {isEmpty ? 'Remove' : 'Remove (must be empty)'}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {renaming && (
        <NameDialog
          title={`Rename ${column.name}`}
          about="Its tasks stay in the column."
          verb="Rename"
          initial={column.name}
          missing="Enter a name"
          save={async name => {
            await projects.change(project.id, { columns: put({ name }) }, `Renamed ${column.name} to ${name}`)
          }}
          close={() => setRenaming(false)}
        />
      )}
    </>
  )
}
