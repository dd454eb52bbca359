import { createHash } from 'node:crypto'
import { nextWithin } from '#platform/zone.ts'
import type { ActionNode, DelayNode, LoopNode, Node, SplitNode } from './definition.ts'
import { after, durationMs } from './duration.ts'
import { holds, timeOf, valueAt, wordsFor, type Facts } from './fields.ts'
import {
  copyOf,
  type Entry,
  type Frame,
  type Input,
  type Program,
  type State,
  type Step,
  type Thread,
  type Want,
} from './state.ts'
import { STEPS_MAX, TURNS_MAX, type Outcome } from './values.ts'

/**
 * Advances a run until each of its threads waits: for a time, for other threads, or for the result of an
 * action. The caller performs the requested actions and calls again with their results. Nothing here has side
 * effects, and the same input gives the same output.
 */
export function advance(program: Program, before: State, input: Input): Step {
  return new Advance(program, copyOf(before), input).run()
}

const RETRY_WAIT_MS = 60_000
const RETRY_WAIT_MS_MAX = 86_400_000

class Advance {
  private readonly program: Program
  private readonly state: State
  private readonly input: Input
  private readonly entries: Entry[] = []
  private readonly wants: Want[] = []
  private readonly taken = new Set<number>()
  private failed: { reason: string; path: string } | undefined
  /** There are threads that can move and have not been looked at since: new ones, and who waited for others. */
  private stirred = false

  constructor(program: Program, state: State, input: Input) {
    this.program = program
    this.state = state
    this.input = input
  }

  run(): Step {
    const { state } = this
    for (this.stirred = true; this.stirred && !this.failed;) {
      this.stirred = false
      for (const thread of state.threads) while (!this.failed && this.move(thread));
    }
    if (this.failed)
      return { ...this.answer(), wants: [], wakeMs: null, ended: { as: 'FAILED', ...this.failed } }
    const sleepers = state.threads.flatMap(({ until }) => until ?? [])
    const wakeMs = sleepers.length > 0 ? Math.min(...sleepers) : null
    return {
      ...this.answer(),
      wants: this.wants,
      wakeMs,
      ended: state.threads.length === 0 ? { as: 'DONE' } : null,
    }
  }

  private answer() {
    return { state: this.state, entries: this.entries }
  }

  /** One move of a thread; false when it waits, or is no more. */
  private move(thread: Thread): boolean {
    if (thread.joins || !this.state.threads.includes(thread)) return false
    if (thread.until !== undefined) {
      if (thread.until > this.input.nowMs) return false
      delete thread.until
    }
    const frame = thread.frames.at(-1)!
    const node = this.program.lists.get(frame.list)?.[frame.at]
    if (!node) return this.leave(thread)
    const path = `${frame.list}[${frame.at}]`
    if (thread.doing) return this.settle(thread, node as ActionNode, path)
    if (!thread.waited && ++this.state.steps > STEPS_MAX) {
      return this.fail(path, `The run exceeded ${STEPS_MAX} steps.`)
    }
    return this.enter(thread, node, path)
  }

  private enter(thread: Thread, node: Node, path: string): boolean {
    switch (node.type) {
      case 'condition': {
        const all = [node, ...(node.also ?? [])]
        const facts = this.factsFor(thread)
        const met = all.map(comparison => holds(facts, comparison))
        const yes = node.match === 'any' ? met.some(Boolean) : met.every(Boolean)
        this.note(thread, node, path, yes ? 'yes' : 'no', all.map(one => wordsFor(facts, one)).join('; '))
        return this.branch(thread, path, yes ? node.then : node.else, { yes, has: node })
      }
      case 'delay':
        return this.wait(thread, node, path)
      case 'split':
        return this.split(thread, node, path)
      case 'merge':
        this.note(
          thread,
          node,
          path,
          'done',
          node.wait === 'any' ? 'The first path has ended.' : 'All paths have ended.',
        )
        return this.pass(thread)
      case 'loop':
        return this.loop(thread, node, path)
      case 'break':
        this.note(thread, node, path, 'done', 'The loop ends here.')
        return this.breakOut(thread)
      case 'action':
        return this.act(thread, node, path)
    }
  }

  /** Into a branch, or on, or to the end of the list: by which branches there are. */
  private branch(
    thread: Thread,
    path: string,
    taken: Node[] | undefined,
    { yes, has }: { yes: boolean; has: { then?: Node[]; else?: Node[] } },
  ): boolean {
    if (yes) return taken ? this.into(thread, `${path}.then`) : this.pass(thread)
    // Without a then, the following nodes are the "then" branch.
    if (!taken) return has.then ? this.pass(thread) : this.toEnd(thread)
    return this.into(thread, `${path}.else`, has.then ? undefined : true)
  }

  private wait(thread: Thread, node: DelayNode, path: string): boolean {
    if (thread.waited) {
      this.note(thread, node, path, 'done', 'The wait is over.')
      return this.pass(thread)
    }
    const { nowMs, zone } = this.input
    if (node.until_field !== undefined) {
      const until = timeOf(valueAt(this.factsFor(thread), node.until_field))
      if (until === undefined) {
        this.note(thread, node, path, 'skipped', `${node.until_field} is not a date.`)
        return this.pass(thread)
      }
      return this.sleep(thread, node, path, until)
    }
    const until = node.window ? nextWithin(nowMs, node.window, zone) : after(nowMs, node.delay, zone)
    return this.sleep(thread, node, path, until)
  }

  private sleep(thread: Thread, node: Node, path: string, until: number): boolean {
    thread.waited = true
    if (until <= this.input.nowMs) return true
    thread.until = until
    this.note(thread, node, path, 'waiting', null, { until: new Date(until).toISOString() })
    return false
  }

  private split(thread: Thread, node: SplitNode, path: string): boolean {
    if (node.paths.some(({ percent }) => percent !== undefined)) {
      const at = pathFor(node, `${this.input.draw} ${path}`)
      const chosen = node.paths[at]
      this.note(thread, node, path, 'done', chosen ? `Takes path ${chosen.name}.` : 'Takes no path.')
      return chosen ? this.into(thread, `${path}.paths[${at}].nodes`) : this.pass(thread)
    }
    const next = this.program.lists.get(thread.frames.at(-1)!.list)![thread.frames.at(-1)!.at + 1]
    const any = next?.type === 'merge' && next.wait === 'any'
    thread.joins = { left: node.paths.length, any }
    this.note(thread, node, path, 'done', `Runs ${node.paths.length} paths in parallel.`)
    for (const at of node.paths.keys()) {
      // What a loop around them knows, they know too.
      const around = thread.frames.filter(frame => frame.loop).slice(-1)
      const loop = around[0]?.loop
      const frame: Frame = { list: `${path}.paths[${at}].nodes`, at: 0 }
      this.state.threads.push({
        id: ++this.state.made,
        parent: thread.id,
        frames: [loop ? { ...frame, loop: { ...loop, of: loop.turn + 1 } } : frame],
      })
    }
    this.stirred = true
    return false
  }

  private loop(thread: Thread, node: LoopNode, path: string): boolean {
    const list = node.over === undefined ? undefined : valueAt(this.factsFor(thread), node.over)
    const of = node.over === undefined ? (node.times ?? 0) : Array.isArray(list) ? list.length : 0
    if (of > TURNS_MAX)
      return this.fail(path, `A loop can run at most ${TURNS_MAX} times; this one would run ${of} times.`)
    if (of === 0) {
      this.note(thread, node, path, 'skipped', `${node.over} is not a list with entries.`)
      return this.pass(thread)
    }
    this.note(thread, node, path, 'done', of === 1 ? 'Runs once.' : `Runs ${of} times.`)
    const loop = { turn: 0, of, ...(node.over !== undefined && { over: node.over }) }
    thread.frames.push({ list: `${path}.nodes`, at: 0, loop })
    return true
  }

  private breakOut(thread: Thread): boolean {
    while (!thread.frames.at(-1)!.loop) thread.frames.pop()
    thread.frames.pop()
    return this.pass(thread)
  }

  private act(thread: Thread, node: ActionNode, path: string): boolean {
    const { nowMs, zone } = this.input
    if (node.delay !== undefined && !thread.waited) {
      const until = after(nowMs, node.delay, zone)
      if (until > nowMs) return this.sleep(thread, node, path, until)
    }
    thread.doing = true
    thread.waited = true
    return this.settle(thread, node, path)
  }

  /** With what came of the action; without it, the action is wanted. */
  private settle(thread: Thread, node: ActionNode, path: string): boolean {
    const done = this.input.done.get(thread.id)
    if (this.wants.some(want => want.thread === thread.id)) return false
    if (!done || this.taken.has(thread.id)) {
      const turns = thread.frames.map(({ loop }) => loop?.turn ?? '').join('.')
      const key = `${path} ${turns}`
      this.wants.push({ thread: thread.id, path, key, node, facts: this.factsFor(thread) })
      return false
    }
    this.taken.add(thread.id)
    delete thread.doing
    const more = { ...(done.input && { input: done.input }) }
    if ('later' in done) {
      thread.until = this.input.nowMs + done.later
      this.note(thread, node, path, 'held', done.reason, {
        ...more,
        until: new Date(thread.until).toISOString(),
      })
      return false
    }
    if (done.ok) {
      const result = done.result && { result: done.result }
      this.note(thread, node, path, done.skipped ? 'skipped' : 'done', done.note ?? null, {
        ...more,
        ...result,
      })
      return this.pass(thread)
    }
    return this.failing(thread, node, path, done.reason, more)
  }

  private failing(
    thread: Thread,
    node: ActionNode,
    path: string,
    reason: string,
    more: Partial<Entry>,
  ): boolean {
    const tries = (thread.tries ?? 0) + 1
    if (node.retry && tries <= node.retry.times) {
      const first = node.retry.wait === undefined ? RETRY_WAIT_MS : durationMs(node.retry.wait)
      thread.tries = tries
      thread.until = this.input.nowMs + Math.min(first * 2 ** (tries - 1), RETRY_WAIT_MS_MAX)
      this.note(thread, node, path, 'retrying', reason, {
        ...more,
        until: new Date(thread.until).toISOString(),
      })
      return false
    }
    this.note(thread, node, path, 'failed', reason, more)
    delete thread.tries
    if (node.catch) {
      delete thread.waited
      return this.into(thread, `${path}.catch`)
    }
    return node.on_error === 'continue' ? this.pass(thread) : this.fail(path, reason, true)
  }

  private into(thread: Thread, list: string, last?: true): boolean {
    thread.frames.push({ list, at: 0, ...(last && { last }) })
    return true
  }

  /** On to what follows the node at hand. */
  private pass(thread: Thread): boolean {
    thread.frames.at(-1)!.at++
    delete thread.waited
    delete thread.tries
    return true
  }

  private toEnd(thread: Thread): boolean {
    const frame = thread.frames.at(-1)!
    frame.at = this.program.lists.get(frame.list)!.length
    return true
  }

  /** The list is at its end: the next turn of a loop, or what follows the node that it belongs to, or the thread's end. */
  private leave(thread: Thread): boolean {
    const frame = thread.frames.at(-1)!
    if (frame.loop && frame.loop.turn + 1 < frame.loop.of) {
      frame.loop.turn++
      frame.at = 0
      return true
    }
    if (thread.frames.length === 1) {
      this.end(thread)
      return false
    }
    thread.frames.pop()
    return frame.last ? this.toEnd(thread) : this.pass(thread)
  }

  private end(thread: Thread): void {
    this.state.threads = this.state.threads.filter(other => other !== thread)
    const parent = this.state.threads.find(({ id }) => id === thread.parent)
    if (!parent?.joins) return
    parent.joins.left--
    if (!parent.joins.any && parent.joins.left > 0) return
    delete parent.joins
    this.pass(parent)
    this.stirred = true
    // Other threads continue on their own; nothing waits for them any more.
    for (const other of this.state.threads) if (other.parent === parent.id) delete other.parent
  }

  /** The run stops where it is; once the cause is fixed, it can be retried from there. */
  private fail(path: string, reason: string, noted = false): boolean {
    if (!noted) {
      const node = this.nodeAt(path)
      this.entries.push({ path, ...described(node), outcome: 'failed', note: reason, at: this.at() })
    }
    this.failed = { reason, path }
    return false
  }

  private factsFor(thread: Thread): Facts {
    const frame = thread.frames.findLast(({ loop }) => loop)
    if (!frame?.loop) return this.input.facts
    const { turn, over } = frame.loop
    const list = over === undefined ? undefined : valueAt(this.input.facts, over)
    const item = Array.isArray(list) ? list[turn] : turn + 1
    return { ...this.input.facts, loop: { item, index: turn } }
  }

  private note(
    thread: Thread,
    node: Node,
    path: string,
    outcome: Outcome,
    note: string | null,
    more: Partial<Entry> = {},
  ): void {
    const loop = thread.frames.findLast(frame => frame.loop)?.loop
    const turn = loop && { turn: loop.turn + 1 }
    this.entries.push({ path, ...described(node), outcome, note, ...more, ...turn, at: this.at() })
  }

  private nodeAt(path: string): Node {
    const [, list, at] = /^(.*)\[(\d+)\]$/.exec(path)!
    return this.program.lists.get(list!)![Number(at)]!
  }

  private at(): string {
    return new Date(this.input.nowMs).toISOString()
  }
}

function described(node: Node): Pick<Entry, 'type' | 'action' | 'name'> {
  return {
    type: node.type,
    ...(node.type === 'action' && { action: node.action }),
    ...(node.name !== undefined && { name: node.name }),
  }
}

/** The path for this draw: the same draw, the same path. Beyond all percentages there is none. */
function pathFor({ paths }: SplitNode, draw: string): number {
  const spin = (createHash('sha256').update(draw).digest().readUInt32BE(0) / 2 ** 32) * 100
  let sum = 0
  for (const [at, { percent = 0 }] of paths.entries()) {
    sum += percent
    if (spin < sum) return at
  }
  return -1
}
