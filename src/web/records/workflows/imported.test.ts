import { expect, test } from 'vitest'
import { asDraft, imported } from './imported.ts'

test('what the API answers about a workflow can be imported: what belongs to that one alone stays behind', () => {
  const told = { id: 'x', name: 'Calls', trigger: 'lead.created', status: 'ACTIVE', version: 3, nodes: [] }
  expect(imported(JSON.stringify(told))).toEqual({ name: 'Calls', trigger: 'lead.created', nodes: [] })
})

test.for([
  ['', 'Paste JSON or choose a file.'],
  ['[]', 'Must be a JSON object with a trigger and nodes.'],
  ['{"trigger":"lead.created"}', /list of “nodes” is missing/],
  ['{', /^Invalid JSON/],
] as const)('%s is no workflow, in words', ([text, words]) => {
  const said = imported(text)
  if (typeof words === 'string') expect(said).toBe(words)
  else expect(said).toMatch(words)
})

test('one without a name gets one', () => {
  expect(imported('{"trigger":"x","nodes":[],"name":"  "}')).toMatchObject({ name: 'Imported workflow' })
})

test('what is wrong is kept as a draft as far as a draft can hold it', () => {
  const found = imported('{"trigger":"x","nodes":[{"type":"dance"},7],"filters":"none"}')
  expect(asDraft(found as Exclude<typeof found, string>)).toEqual({
    name: 'Imported workflow',
    trigger: 'x',
    filters: [],
    once_per_lead: false,
    nodes: [{ type: 'dance' }],
  })
})
