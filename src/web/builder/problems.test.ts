import { expect, test } from 'vitest'
import { faultAt, problemsNow } from './problems.ts'
import { insert, setFields, type Nodes } from './tree.ts'

const mail = { type: 'action', action: 'send_email', template: 'recap', delay: '2d' }
const call = { type: 'condition', field: 'durationSec', op: '>', value: 120, then: [mail], else: [] }

test('a problem moves along with its node, and goes when its field is changed', () => {
  const then: Nodes = [call, { type: 'action', action: 'send_email' }]
  const problems = [
    { path: 'nodes[1].template', message: 'is missing' },
    { path: 'trigger', message: 'is no trigger' },
  ]
  const moved = insert(then, { list: 'nodes', at: 0 }, [mail])
  expect(problemsNow(problems, then, moved).map(({ path }) => path)).toEqual(['nodes[2].template', 'trigger'])
  const mended = setFields(then, 'nodes[1]', { template: 'recap' })
  expect(problemsNow(problems, then, mended).map(({ path }) => path)).toEqual(['trigger'])
  const renamed = setFields(then, 'nodes[1]', { name: 'Recap' })
  expect(problemsNow(problems, then, renamed).map(({ path }) => path)).toEqual([
    'nodes[1].template',
    'trigger',
  ])
  expect(faultAt(problems, 'nodes[1].template')).toBe('Is missing.')
  expect(faultAt(problems, 'nodes[1].title')).toBeUndefined()
})
