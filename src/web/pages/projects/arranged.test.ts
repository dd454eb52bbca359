import { expect, test } from 'vitest'
import type { ProjectBoard, Task } from '#domains/projects/contract.ts'
import { arranged, type Move } from './arranged.ts'

const project = {
  id: 'p',
  columns: [
    { key: 'todo', name: 'To do', status: 'TODO' },
    { key: 'done', name: 'Done', status: 'DONE' },
  ],
} as ProjectBoard['project']

function boardOf(...tasks: [id: string, column: string, position: string][]): ProjectBoard {
  return {
    project,
    tasks: tasks.map(
      ([id, column, position]) => ({ id, column, position, status: 'TODO', deleted_at: null }) as Task,
    ),
  }
}

function shown(board: ProjectBoard, ...moves: Omit<Move, 'project_id'>[]) {
  const columns = arranged(
    board,
    moves.map(move => ({ ...move, project_id: 'p' })),
  )
  return Object.fromEntries([...columns].map(([key, cards]) => [key, cards.map(({ id }) => id).join('')]))
}

const board = boardOf(['a', 'todo', 'a1'], ['b', 'todo', 'a2'], ['c', 'todo', 'Zz'], ['d', 'done', 'a0'])

test('cards stand in the order of bytes of their places, as in the database', () => {
  expect(shown(board)).toEqual({ todo: 'cab', done: 'd' })
})

test('a move that is on its way is shown at its place', () => {
  expect(shown(board, { id: 'b', column: 'todo', before: 'c' })).toEqual({ todo: 'bca', done: 'd' })
  expect(shown(board, { id: 'b', column: 'done', before: 'd' })).toEqual({ todo: 'ca', done: 'bd' })
  expect(shown(board, { id: 'b', column: 'done', before: null })).toEqual({ todo: 'ca', done: 'db' })
})

test('several moves hold one after the other, also before a card that is itself on its way', () => {
  const moves = [
    { id: 'a', column: 'done', before: 'd' },
    { id: 'b', column: 'done', before: 'a' },
    { id: 'a', column: 'todo', before: null },
  ]
  expect(shown(board, ...moves)).toEqual({ todo: 'ca', done: 'bd' })
})

test('a neighbour that went elsewhere means the end, and a card or column that is gone changes nothing', () => {
  expect(shown(board, { id: 'a', column: 'done', before: 'c' })).toEqual({ todo: 'cb', done: 'da' })
  expect(shown(board, { id: 'x', column: 'done', before: null })).toEqual(shown(board))
  expect(shown(board, { id: 'a', column: 'gone', before: null })).toEqual(shown(board))
})

test('a card that comes into a column is what the column makes of it', () => {
  const columns = arranged(board, [{ project_id: 'p', id: 'a', column: 'done', before: null }])
  expect(columns.get('done')?.at(-1)).toMatchObject({ id: 'a', status: 'DONE' })
})

test('a card that has gone to the trash stands nowhere', () => {
  const tasks = board.tasks.map(task =>
    task.id === 'a' ? { ...task, deleted_at: '2026-03-02T09:00:00.000Z' } : task,
  )
  expect(shown({ ...board, tasks })).toEqual({ todo: 'cb', done: 'd' })
})
