import { Button } from '@mantine/core'
import IconPlus from 'icon:plus'
import { useState } from 'react'
import type { Project } from '#domains/projects/contract.ts'
import { PROJECT_COLUMNS_MAX } from '#domains/projects/values.ts'
import { NameDialog } from '../../ui/seldom-dialogs.tsx'
import classes from './project-page.module.css'
import { projects } from '../../records/projects/store.ts'
import { columnKey } from '../../records/projects/store.ts'

export function AddColumn({ project }: { project: Project }) {
  const [asking, setAsking] = useState(false)
  const { columns } = project
  if (columns.length >= PROJECT_COLUMNS_MAX) return null
  return (
    <div className={classes.addColumn}>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconPlus size={16} />}
        onClick={() => setAsking(true)}
      >
        Add column
      </Button>
      {asking && (
        <NameDialog
          title="New column"
          about="Tasks moved here become Doing. You can change this in the column menu."
          verb="Add"
          missing="Enter a name"
          save={async name => {
            const column = { key: columnKey(name, columns), name, status: 'DOING' as const }
            await projects.change(project.id, { columns: [...columns, column] }, `Added column ${name}`)
          }}
          close={() => setAsking(false)}
        />
      )}
    </div>
  )
}
