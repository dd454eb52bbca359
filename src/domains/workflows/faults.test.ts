import { describe, expect, test } from 'vitest'
import { definitionFaults } from './faults.ts'
import { DEPTH_MAX, FILTERS_MAX, NODES_MAX, PATHS_MAX, RETRIES_MAX } from './values.ts'

const faultsIn = (nodes: unknown, more: object = {}) =>
  definitionFaults(
    { trigger: 'lead.created', filters: [], nodes, ...more },
    { lead: ['plan'], account: ['tier'] },
  )
const pathsIn = (nodes: unknown, more?: object) => faultsIn(nodes, more).map(({ path }) => path)
const task = { type: 'action', action: 'create_task' }
const set = (field: string, record?: string) => ({
  type: 'action',
  action: 'update_field',
  field,
  value: 'x',
  ...(record !== undefined && { record }),
})

test('the example of the interface has no faults', () => {
  const nodes = [
    { type: 'condition', field: 'durationSec', op: '>', value: 120 },
    { type: 'action', action: 'create_task', delay: '2d' },
    { type: 'action', action: 'send_email', template: 'recap' },
    { type: 'action', action: 'update_field', field: 'pipeline_stage', value: 'Engage_Human' },
  ]
  expect(faultsIn(nodes, { trigger: 'webhook:call_ended' })).toEqual([])
})

describe('every fault is told by its path', () => {
  test.for<[string, unknown, string[]]>([
    [
      'an unknown action deep inside',
      [
        task,
        task,
        { type: 'condition', field: 'a', op: 'exists', else: [{ type: 'action', action: 'fly' }] },
      ],
      ['nodes[2].else[0].action'],
    ],
    [
      'a field to set that the record does not have',
      [
        set('pipeline_stagee'),
        set('id'),
        set('custom'),
        set('custom.nobody_made_it'),
        set('custom.plan.deep'),
        set('email.domain'),
        set('stage'),
        set('custom.plan', 'account'),
        set('first_name', 'account'),
      ],
      [0, 1, 2, 3, 4, 5, 6, 7, 8].map(at => `nodes[${at}].field`),
    ],
    [
      'none where it has the field',
      [
        set('email'),
        set('lead.email'),
        set('custom.plan'),
        set('lead.custom.plan'),
        set('stage', 'opportunity'),
        set('title', 'task'),
        set('custom.tier', 'account'),
      ],
      [],
    ],
    ['an unknown type', [{ type: 'code', code: 'process.exit()' }], ['nodes[0].type']],
    ['a node that is none', [null, 7, 'x', []], ['nodes[0]', 'nodes[1]', 'nodes[2]', 'nodes[3]']],
    ['no list', { length: 1 }, ['nodes']],
    ['a field that is not known', [{ ...task, surprise: 1 }], ['nodes[0].surprise']],
    ['a field of another kind', [{ type: 'delay', delay: '1d', template: 'x' }], ['nodes[0].template']],
    ['what is missing', [{ type: 'action', action: 'send_email' }], ['nodes[0].template']],
    [
      'a delay that is none',
      [
        { type: 'delay', delay: '2 days' },
        { ...task, delay: 'soon' },
      ],
      ['nodes[0].delay', 'nodes[1].delay'],
    ],
    ['a delay of more than a year', [{ type: 'delay', delay: '366d' }], ['nodes[0].delay']],
    ['a delay without a time', [{ type: 'delay' }], ['nodes[0].delay']],
    [
      'a delay of two kinds',
      [{ type: 'delay', delay: '1d', until_field: 'event.at' }],
      ['nodes[0].until_field'],
    ],
    [
      'a window that never opens',
      [{ type: 'delay', window: { days: [1], from: '17:00', until: '09:00' } }],
      ['nodes[0].window.until'],
    ],
    ['a condition without a value', [{ type: 'condition', field: 'a', op: '>' }], ['nodes[0].value']],
    ['an operator that is none', [{ type: 'condition', field: 'a', op: '=~', value: 1 }], ['nodes[0].op']],
    [
      'an expression for a field',
      [{ type: 'condition', field: 'a || process.env', op: '==', value: 1 }],
      ['nodes[0].field'],
    ],
    [
      'a list where there is none to be in',
      [{ type: 'condition', field: 'a', op: '>', value: [1] }],
      ['nodes[0].value'],
    ],
    [
      'percentages of some',
      [
        {
          type: 'split',
          paths: [
            { name: 'A', percent: 50, nodes: [] },
            { name: 'B', nodes: [] },
          ],
        },
      ],
      ['nodes[0].paths'],
    ],
    [
      'more than all',
      [
        {
          type: 'split',
          paths: [
            { name: 'A', percent: 60, nodes: [] },
            { name: 'B', percent: 41, nodes: [] },
          ],
        },
      ],
      ['nodes[0].paths'],
    ],
    ['a path without nodes', [{ type: 'split', paths: [{ name: 'A' }] }], ['nodes[0].paths[0].nodes']],
    ['a merge of nothing', [task, { type: 'merge' }], ['nodes[1]']],
    ['a break of nothing', [{ type: 'break' }], ['nodes[0]']],
    [
      'a break in one of several paths',
      [
        {
          type: 'loop',
          times: 2,
          nodes: [{ type: 'split', paths: [{ name: 'A', nodes: [{ type: 'break' }] }] }],
        },
      ],
      ['nodes[0].nodes[0].paths[0].nodes[0]'],
    ],
    ['a loop over nothing', [{ type: 'loop', nodes: [] }], ['nodes[0].over']],
    ['a loop of too many turns', [{ type: 'loop', times: 101, nodes: [] }], ['nodes[0].times']],
    ['no text message', [{ type: 'action', action: 'send_sms' }], ['nodes[0].message']],
    ['nobody to assign to', [{ type: 'action', action: 'assign_to_rep' }], ['nodes[0].member']],
    [
      'a webhook without https',
      [{ type: 'action', action: 'call_webhook', url: 'http://example.com' }],
      ['nodes[0].url'],
    ],
    ['a placeholder that is none', [{ ...task, title: 'Hi {{frstName}}' }], ['nodes[0].title']],
    [
      'a placeholder with code in it',
      [{ ...task, title: '{{constructor.constructor("x")()}}' }],
      ['nodes[0].title'],
    ],
    ['a list of nodes where none belongs', [{ ...task, then: [] }], ['nodes[0].then']],
  ])('%s', ([, nodes, paths]) => expect(pathsIn(nodes)).toEqual(paths))

  test('of the trigger and its filters too', () => {
    expect(pathsIn([], { trigger: 'lead.eaten' })).toEqual(['trigger'])
    expect(
      pathsIn([], {
        filters: [
          { field: 'a', op: '>' },
          { field: '', op: 'exists' },
        ],
      }),
    ).toEqual(['filters[0].value', 'filters[1].field'])
  })

  test('a break within a path by percent is one of the loop around it', () => {
    const split = { type: 'split', paths: [{ name: 'A', percent: 10, nodes: [{ type: 'break' }] }] }
    expect(faultsIn([{ type: 'loop', times: 2, nodes: [split] }])).toEqual([])
  })

  test('placeholders may name the lead’s own fields, what the event brought and the turn of a loop', () => {
    expect(
      faultsIn([{ ...task, title: '{{firstName}} {{custom.plan}} {{event.durationSec}} {{loop.index}}' }]),
    ).toEqual([])
  })
})

describe('limits', () => {
  const nested = (depth: number): unknown[] =>
    depth === 1 ? [task] : [{ type: 'loop', times: 1, nodes: nested(depth - 1) }]

  test(`${DEPTH_MAX} deep, and no deeper`, () => {
    expect(faultsIn(nested(DEPTH_MAX))).toEqual([])
    expect(faultsIn(nested(DEPTH_MAX + 1))).toHaveLength(1)
    expect(faultsIn(nested(1_000))).toHaveLength(1)
  })

  test(`${NODES_MAX} nodes, and no more, told once`, () => {
    expect(faultsIn(Array.from({ length: NODES_MAX }, () => task))).toEqual([])
    expect(pathsIn(Array.from({ length: NODES_MAX + 50 }, () => task))).toEqual([`nodes[${NODES_MAX}]`])
  })

  test(`${PATHS_MAX} paths, and no more`, () => {
    const split = (count: number) => [
      { type: 'split', paths: Array.from({ length: count }, (_, n) => ({ name: `P${n}`, nodes: [] })) },
    ]
    expect(faultsIn(split(PATHS_MAX))).toEqual([])
    expect(pathsIn(split(PATHS_MAX + 1))).toContain('nodes[0].paths')
  })

  test(`${FILTERS_MAX} filters, and no more`, () => {
    const filters = (count: number) => Array.from({ length: count }, () => ({ field: 'a', op: 'exists' }))
    expect(faultsIn([task], { filters: filters(FILTERS_MAX) })).toEqual([])
    expect(pathsIn([task], { filters: filters(FILTERS_MAX + 1) })).toEqual(['filters'])
  })

  test(`${RETRIES_MAX} tries more, and none beyond`, () => {
    expect(faultsIn([{ ...task, retry: { times: RETRIES_MAX } }])).toEqual([])
    expect(pathsIn([{ ...task, retry: { times: RETRIES_MAX + 1 } }])).toEqual(['nodes[0].retry.times'])
  })

  test('a definition of megabytes is refused before it is looked at', () => {
    expect(pathsIn([{ ...task, description: 'x'.repeat(5_001) }])).toEqual(['nodes[0].description'])
    expect(pathsIn(Array.from({ length: 100 }, () => ({ ...task, description: 'x'.repeat(5_000) })))).toEqual(
      ['nodes'],
    )
  })
})

describe('names of prototypes', () => {
  test.for(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])(
    '%s is a name like any other',
    name => {
      expect(pathsIn([{ type: name }])).toEqual(['nodes[0].type'])
      expect(pathsIn([{ type: 'action', action: name }])).toEqual(['nodes[0].action'])
      expect(pathsIn(JSON.parse(`[{"type":"action","action":"create_task","${name}":{"x":1}}]`))).toEqual([
        `nodes[0].${name}`,
      ])
    },
  )
})
