import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import type { ActionNode, Node } from './definition.ts'
import { advance } from './engine.ts'
import { definitionFaults } from './faults.ts'
import { actionNames } from './values.ts'
import { begin, compile, type Done, type Entry, type State, type Step } from './state.ts'

const START = Date.parse('2026-03-02T09:00:00.000Z')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

type World = {
  event?: Record<string, unknown>
  zone?: string
  draw?: string
  /** What comes of an action, by the path of its node and how often it was tried. */
  does?: (path: string, tries: number) => Done
}

const task = (title: string, more: object = {}): Node => ({
  type: 'action',
  action: 'create_task',
  title,
  ...more,
})
const when = (field: string, more: object = {}): Node => ({
  type: 'condition',
  field,
  op: '==',
  value: 'yes',
  ...more,
})

/** Runs it to its end on a clock that jumps to wherever something is to happen. */
function run(nodes: Node[], { event = {}, zone = 'UTC', draw = 'lead', does }: World = {}) {
  const program = compile(nodes)
  const tries = new Map<string, number>()
  const did: string[] = []
  const entries: Entry[] = []
  let state: State = begin()
  let done = new Map<number, Done>()
  let nowMs = START
  for (;;) {
    // As if each moment were another process: what is kept is plain data.
    const kept = JSON.parse(JSON.stringify(state)) as State
    const step: Step = advance(program, kept, { facts: { event, lead: null }, done, nowMs, zone, draw })
    entries.push(...step.entries)
    state = step.state
    if (step.ended) return { ended: step.ended, entries, did, tookMs: nowMs - START, state }
    done = new Map(
      step.wants.map(({ thread, path, node }) => {
        const count = (tries.get(path) ?? 0) + 1
        tries.set(path, count)
        const outcome = does?.(path, count) ?? { ok: true as const }
        if ('ok' in outcome && outcome.ok) did.push((node as ActionNode<'create_task'>).title ?? node.action)
        return [thread, outcome]
      }),
    )
    if (step.wants.length === 0) nowMs = step.wakeMs!
  }
}

const didBy = (nodes: Node[], world?: World) => run(nodes, world).did

describe('a condition', () => {
  const [yes, no] = [{ event: { answer: 'yes' } }, { event: { answer: 'no' } }]

  test('without branches gates what follows', () => {
    const nodes = [task('before'), when('answer'), task('after')]
    expect(didBy(nodes, yes)).toEqual(['before', 'after'])
    expect(didBy(nodes, no)).toEqual(['before'])
  })

  test('with an else only, what follows is for those for whom it holds', () => {
    const nodes = [when('answer', { else: [task('no')] }), task('after')]
    expect(didBy(nodes, yes)).toEqual(['after'])
    expect(didBy(nodes, no)).toEqual(['no'])
  })

  test('with both, what follows is done in either case', () => {
    const nodes = [when('answer', { then: [task('yes')], else: [task('no')] }), task('after')]
    expect(didBy(nodes, yes)).toEqual(['yes', 'after'])
    expect(didBy(nodes, no)).toEqual(['no', 'after'])
  })

  test('with a then only, what follows is done in either case', () => {
    const nodes = [when('answer', { then: [task('yes')] }), task('after')]
    expect(didBy(nodes, yes)).toEqual(['yes', 'after'])
    expect(didBy(nodes, no)).toEqual(['after'])
  })

  test('that gates within a branch ends that branch and nothing else', () => {
    const inner = [when('other'), task('inner')]
    const nodes = [when('answer', { then: inner, else: [] }), task('after')]
    expect(didBy(nodes, yes)).toEqual(['after'])
  })

  test('takes several comparisons: all of them, or any', () => {
    const also = [{ field: 'other', op: '>' as const, value: 3 }]
    expect(didBy([when('answer', { also }), task('x')], { event: { answer: 'yes', other: 4 } })).toEqual([
      'x',
    ])
    expect(didBy([when('answer', { also }), task('x')], { event: { answer: 'yes', other: 3 } })).toEqual([])
    expect(didBy([when('answer', { also, match: 'any' }), task('x')], { event: { other: 4 } })).toEqual(['x'])
  })

  test('says in the trace what it found', () => {
    const { entries } = run([when('answer')], no)
    expect(entries[0]).toMatchObject({ path: 'nodes[0]', outcome: 'no', note: 'answer is no: == yes' })
  })
})

describe('a delay', () => {
  test.for([
    ['30m', 0.5 * HOUR_MS],
    ['2h', 2 * HOUR_MS],
    ['3d', 3 * DAY_MS],
    ['1w', 7 * DAY_MS],
  ] as const)('of %s waits so long', ([delay, tookMs]) => {
    expect(run([{ type: 'delay', delay }, task('x')])).toMatchObject({ did: ['x'], tookMs })
  })

  test('of days keeps the time of day where clocks change meanwhile', () => {
    // On 29 March clocks go forward in Berlin: 28 days later at the same time is an hour less.
    expect(run([{ type: 'delay', delay: '28d' }], { zone: 'Europe/Berlin' }).tookMs).toBe(
      28 * DAY_MS - HOUR_MS,
    )
  })

  test('until a date waits for it, and not at all for one that is over or is none', () => {
    const nodes: Node[] = [{ type: 'delay', until_field: 'event.renewal' }, task('x')]
    expect(run(nodes, { event: { renewal: '2026-03-04T09:00:00Z' } }).tookMs).toBe(2 * DAY_MS)
    expect(run(nodes, { event: { renewal: '2026-03-04' } }).tookMs).toBe(2 * DAY_MS - 9 * HOUR_MS)
    expect(run(nodes, { event: { renewal: '2020-01-01' } }).tookMs).toBe(0)
    const none = run(nodes, { event: { renewal: 'soon' } })
    expect(none).toMatchObject({ did: ['x'], tookMs: 0 })
    expect(none.entries[0]).toMatchObject({ outcome: 'skipped', note: 'event.renewal is not a date.' })
  })

  test('until a window waits for the lead’s morning', () => {
    const window = { days: [1, 2, 3, 4, 5], from: '09:00', until: '17:00' }
    expect(run([{ type: 'delay', window }], { zone: 'UTC' }).tookMs).toBe(0)
    expect(run([{ type: 'delay', window }], { zone: 'America/New_York' }).tookMs).toBe(5 * HOUR_MS)
    expect(run([{ type: 'delay', window }], { zone: 'Pacific/Auckland' }).tookMs).toBe(11 * HOUR_MS)
  })

  test('of an action waits before it, whichever it is; a due date does not', () => {
    const mail: Node = { type: 'action', action: 'send_email', template: 'recap', delay: '1d' }
    expect(run([mail, task('x')])).toMatchObject({ did: ['send_email', 'x'], tookMs: DAY_MS })
    for (const action of actionNames) {
      const waits = run([{ type: 'action', action, delay: '2d' } as Node, task('y')])
      expect(waits).toMatchObject({ did: [action, 'y'], tookMs: 2 * DAY_MS })
    }
    expect(run([task('x', { due: '2d' }), task('y')])).toMatchObject({ did: ['x', 'y'], tookMs: 0 })
  })
})

describe('a split', () => {
  const paths = (...percents: (number | undefined)[]) => ({
    type: 'split' as const,
    paths: percents.map((percent, at) => ({
      name: `P${at}`,
      ...(percent !== undefined && { percent }),
      nodes: [{ type: 'delay', delay: `${at + 1}h` } as Node, task(`p${at}`)],
    })),
  })

  test('by percent sends each lead one way, the same each time, and about so many', () => {
    const nodes = [paths(20, 50, 30), task('after')]
    const ways = Array.from({ length: 2_000 }, (_, n) => didBy(nodes, { draw: `lead ${n}` })[0]!)
    expect(ways).toEqual(Array.from({ length: 2_000 }, (_, n) => didBy(nodes, { draw: `lead ${n}` })[0]!))
    const share = (name: string) => ways.filter(way => way === name).length / 20
    expect(share('p0')).toBeGreaterThan(16)
    expect(share('p0')).toBeLessThan(24)
    expect(share('p1')).toBeGreaterThan(45)
    expect(share('p1')).toBeLessThan(55)
    for (const way of new Set(ways)) expect(['p0', 'p1', 'p2']).toContain(way)
  })

  test('of less than a hundred percent sends the others past it', () => {
    const ways = Array.from({ length: 400 }, (_, n) => didBy([paths(10), task('after')], { draw: `${n}` }))
    expect(ways.some(way => way.length === 1)).toBe(true)
    expect(ways.every(way => way.at(-1) === 'after')).toBe(true)
  })

  test('without percent takes all paths at the same time, and waits for all of them', () => {
    const ended = run([paths(undefined, undefined, undefined), task('after')])
    expect(ended).toMatchObject({ did: ['p0', 'p1', 'p2', 'after'], tookMs: 3 * HOUR_MS })
  })

  test('with a merge of any goes on with the first, and the others still come to their end', () => {
    const nodes: Node[] = [paths(undefined, undefined), { type: 'merge', wait: 'any' }, task('after')]
    expect(run(nodes)).toMatchObject({
      did: ['p0', 'after', 'p1'],
      tookMs: 2 * HOUR_MS,
      ended: { as: 'DONE' },
    })
  })

  test('within a split keeps its threads apart', () => {
    const inner: Node = {
      type: 'split',
      paths: [
        { name: 'A', nodes: [task('a')] },
        { name: 'B', nodes: [task('b')] },
      ],
    }
    const outer: Node = {
      type: 'split',
      paths: [
        { name: '1', nodes: [inner, task('after inner')] },
        { name: '2', nodes: [{ type: 'delay', delay: '1h' }, task('two')] },
      ],
    }
    expect(didBy([outer, task('end')])).toEqual(['a', 'b', 'after inner', 'two', 'end'])
  })

  test('with a path that has nothing in it still comes together', () => {
    const nodes: Node[] = [
      {
        type: 'split',
        paths: [
          { name: 'A', nodes: [] },
          { name: 'B', nodes: [task('b')] },
        ],
      },
      { type: 'merge' },
      task('after'),
    ]
    expect(didBy(nodes)).toEqual(['b', 'after'])
  })
})

describe('a loop', () => {
  test('takes so many turns', () => {
    expect(didBy([{ type: 'loop', times: 3, nodes: [task('turn')] }, task('after')])).toEqual([
      'turn',
      'turn',
      'turn',
      'after',
    ])
  })

  test('goes through a list, and its conditions see each entry', () => {
    const nodes: Node[] = [
      {
        type: 'loop',
        over: 'event.items',
        nodes: [{ type: 'condition', field: 'loop.item.price', op: '>', value: 10 }, task('dear')],
      },
    ]
    expect(didBy(nodes, { event: { items: [{ price: 5 }, { price: 20 }, { price: 30 }] } })).toEqual([
      'dear',
      'dear',
    ])
  })

  test.for([undefined, null, 'text', {}, [], 7])('over %j takes no turn', over => {
    const { did, entries } = run([{ type: 'loop', over: 'items', nodes: [task('x')] }, task('after')], {
      event: { items: over },
    })
    expect(did).toEqual(['after'])
    expect(entries[0]!.outcome).toBe('skipped')
  })

  test('takes at most 100 turns: a longer list fails the run before the first', () => {
    const nodes: Node[] = [{ type: 'loop', over: 'items', nodes: [task('x')] }]
    expect(run(nodes, { event: { items: Array.from({ length: 100 }, () => 1) } }).did).toHaveLength(100)
    const failed = run(nodes, { event: { items: Array.from({ length: 101 }, () => 1) } })
    expect(failed.did).toEqual([])
    expect(failed.ended).toMatchObject({ as: 'FAILED', path: 'nodes[0]' })
  })

  test('ends at a break, and only the innermost', () => {
    const inner: Node = {
      type: 'loop',
      times: 5,
      nodes: [
        task('in'),
        { type: 'condition', field: 'loop.index', op: '==', value: 1, then: [{ type: 'break' }] },
      ],
    }
    expect(didBy([{ type: 'loop', times: 2, nodes: [inner, task('out')] }, task('end')])).toEqual([
      'in',
      'in',
      'out',
      'in',
      'in',
      'out',
      'end',
    ])
  })

  test('waits within its turns, and each says which turn it is', () => {
    const ended = run([{ type: 'loop', times: 2, nodes: [{ type: 'delay', delay: '1d' }, task('x')] }])
    expect(ended.tookMs).toBe(2 * DAY_MS)
    expect(ended.entries.filter(({ action }) => action).map(({ turn }) => turn)).toEqual([1, 2])
  })

  test('around paths at the same time knows its turn in each of them', () => {
    const nodes: Node[] = [
      {
        type: 'loop',
        over: 'items',
        nodes: [
          {
            type: 'split',
            paths: ['A', 'B'].map(name => ({
              name,
              nodes: [{ type: 'condition', field: 'loop.item', op: '==', value: name }, task(name)] as Node[],
            })),
          },
        ],
      },
    ]
    expect(didBy(nodes, { event: { items: ['A', 'B', 'A'] } })).toEqual(['A', 'B', 'A'])
  })
})

describe('an action that fails', () => {
  const fails = (times: number): World => ({
    does: (path, tries) =>
      path === 'nodes[0]' && tries <= times ? { ok: false, reason: 'away' } : { ok: true },
  })

  test('fails the run there, and what is under way elsewhere stops', () => {
    const failed = run([task('x'), task('y')], fails(1))
    expect(failed).toMatchObject({ did: [], ended: { as: 'FAILED', reason: 'away', path: 'nodes[0]' } })
    expect(failed.entries.at(-1)).toMatchObject({ outcome: 'failed', note: 'away' })
  })

  test('can be let go on from where it failed', () => {
    const nodes = [task('x'), task('y')]
    const { state } = run(nodes, fails(1))
    const program = compile(nodes)
    const input = { facts: { event: {}, lead: null }, nowMs: START, zone: 'UTC', draw: '' }
    const again = advance(program, state, { ...input, done: new Map() })
    expect(again.wants.map(({ path }) => path)).toEqual(['nodes[0]'])
    const on = advance(program, again.state, {
      ...input,
      done: new Map([[again.wants[0]!.thread, { ok: true }]]),
    })
    expect(on.wants.map(({ path }) => path)).toEqual(['nodes[1]'])
  })

  test('is tried again as often as it says, after waits that double', () => {
    const nodes = [task('x', { retry: { times: 3, wait: '1h' } }), task('y')]
    expect(run(nodes, fails(3))).toMatchObject({ did: ['x', 'y'], tookMs: 7 * HOUR_MS })
    expect(run(nodes, fails(4))).toMatchObject({ did: [], ended: { as: 'FAILED' } })
    const outcomes = run(nodes, fails(3)).entries.map(({ outcome }) => outcome)
    expect(outcomes).toEqual(['retrying', 'retrying', 'retrying', 'done', 'done'])
  })

  test('goes on where it is told to', () => {
    expect(didBy([task('x', { on_error: 'continue' }), task('y')], fails(1))).toEqual(['y'])
  })

  test('takes its own branch, and then goes on', () => {
    expect(didBy([task('x', { catch: [task('mend')] }), task('y')], fails(1))).toEqual(['mend', 'y'])
    expect(didBy([task('x', { catch: [task('mend')] }), task('y')], fails(0))).toEqual(['x', 'y'])
  })

  test('that is only put off is asked for again, and has not failed', () => {
    const does: World['does'] = (_, tries) =>
      tries === 1 ? { later: HOUR_MS, reason: 'at night' } : { ok: true }
    const ended = run([task('x')], { does })
    expect(ended).toMatchObject({ did: ['x'], tookMs: HOUR_MS, ended: { as: 'DONE' } })
    expect(ended.entries[0]).toMatchObject({ outcome: 'held', note: 'at night' })
  })
})

describe('whatever the tree', () => {
  test('a run takes at most 1,000 steps', () => {
    const deep = (depth: number): Node => ({
      type: 'loop',
      times: 100,
      nodes: depth === 0 ? [task('x')] : [deep(depth - 1)],
    })
    const failed = run([deep(2)])
    expect(failed.ended).toMatchObject({ as: 'FAILED', reason: 'The run exceeded 1000 steps.' })
    expect(failed.did.length).toBeLessThan(1_000)
    const steps = (count: number) => Array.from({ length: count }, () => task('x'))
    const loop: Node = { type: 'loop', times: 100, nodes: steps(9) }
    expect(run([loop, ...steps(99)]).ended).toEqual({ as: 'DONE' })
    expect(run([loop, ...steps(100)]).ended).toMatchObject({ as: 'FAILED' })
  })

  test('it comes to an end, does the same each time, and no thread is left behind', () => {
    fc.assert(
      fc.property(trees, fc.constantFrom('yes', 'no'), (nodes, answer) => {
        expect(
          definitionFaults({ trigger: 'lead.created', filters: [], nodes }, { lead: [], account: [] }),
        ).toEqual([])
        const world: World = {
          event: { answer, items: [1, 2] },
          does: path => (path.length % 7 === 0 ? { ok: false, reason: 'away' } : { ok: true }),
        }
        const first = run(nodes, world)
        expect(run(nodes, world)).toEqual(first)
        if (first.ended.as === 'DONE') expect(first.state.threads).toEqual([])
        // What is put together of many short moments is what one long moment would have done.
        for (const { path } of first.entries) expect(path).toMatch(/^nodes\[\d+\]/)
      }),
      { numRuns: 300 },
    )
  })
})

const leaf: fc.Arbitrary<Node> = fc.constantFrom<Node>(
  task('a'),
  task('b', { on_error: 'continue' }),
  task('c', { retry: { times: 2, wait: '5m' } }),
  { type: 'delay', delay: '1h' },
  when('answer'),
)
const { trees } = fc.letrec<{ node: Node; trees: Node[] }>(tie => ({
  trees: fc.array(tie('node'), { maxLength: 3 }),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true, maxDepth: 4 },
    leaf,
    fc.record({ then: tie('trees'), else: tie('trees') }).map(lists => when('answer', lists)),
    tie('trees').map((nodes): Node => ({ type: 'loop', times: 2, nodes })),
    tie('trees').map((nodes): Node => ({ type: 'loop', over: 'items', nodes })),
    fc
      .array(tie('trees'), { minLength: 1, maxLength: 3 })
      .map((lists): Node => ({ type: 'split', paths: lists.map((nodes, at) => ({ name: `${at}`, nodes })) })),
    tie('trees').map(nodes => task('d', { catch: nodes })),
  ),
}))
