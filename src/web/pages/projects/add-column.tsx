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
        Add a column
      </Button>
      {asking && (
        <NameDialog
          title="New column"
          about="A task that comes into it is being done, until you say otherwise in the menu of the column."
          verb="Add"
          missing="A column needs a name"
          save={async name => {
            const column = { key: columnKey(name, columns), name, status: 'DOING' as const }
            await projects.change(project.id, { columns: [...columns, column] }, `Added the column ${name}`)
          }}
          close={() => setAsking(false)}
        />
      )}
    </div>
  )
}
