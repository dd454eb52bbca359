import { useCallback, useMemo } from 'react'
import type { ProjectBoard as BoardData, Task } from '#domains/projects/contract.ts'
import { useCan } from '../../queries.ts'
import { Board } from '../../ui/board/board.tsx'
import { placeNow, type Column, type Place } from '../../ui/board/places.ts'
import { usePeople } from '../../records/leads/people.ts'
import { AddColumn } from './add-column.tsx'
import { AddTask } from './add-task.tsx'
import { ColumnMenu } from './column-menu.tsx'
import { arranged } from './arranged.ts'
import { moves, moveTask } from './moves.ts'
import { TaskFace, taskHeight } from './task-face.tsx'

const tones = { TODO: 'slate', DOING: 'blue', DONE: 'green' } as const

export function ProjectBoard({ board, open }: { board: BoardData; open: (task: Task) => void }) {
  const { project } = board
  const canWrite = useCan('projects:write')
  const people = usePeople()
  const underWay = moves.use(now => now)
  const cards = useMemo(() => arranged(board, underWay), [board, underWay])
  const columns = useMemo(
    () =>
      project.columns.map((column): Column<Task> => {
        const own = cards.get(column.key) ?? []
        return {
          key: column.key,
          name: column.name,
          tone: tones[column.status],
          count: own.length,
          cards: own,
          empty: canWrite ? 'No tasks. Drag one here or add one below.' : 'No tasks',
          ...(canWrite && {
            actions: <ColumnMenu project={project} column={column} isEmpty={own.length === 0} />,
            foot: <AddTask project={project} column={column} />,
          }),
        }
      }),
    [project, cards, canWrite],
  )
  const face = useCallback((task: Task) => <TaskFace task={task} people={people} />, [people])
  function move(task: Task, place: Place) {
    const from = columns.find(({ key }) => key === task.column)
    if (from) void moveTask(board, task, place, placeNow(from, task.id))
  }
  return (
    <Board
      label={`Board of ${project.name}`}
      noun="tasks"
      columns={columns}
      nameOf={titleOf}
      face={face}
      heightOf={taskHeight}
      open={open}
      canMove={canWrite}
      ordered
      move={move}
      after={canWrite && <AddColumn project={project} />}
    />
  )
}

function titleOf({ title }: Task): string {
  return title
}
