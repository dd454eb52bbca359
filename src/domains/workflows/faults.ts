import type { TSchema } from 'typebox'
import { t } from '#platform/contract.ts'
import type { Fault } from '#platform/problem.ts'
import { FAULTS_MAX, schemaCheck, type FaultsOf } from '#platform/schema-check.ts'
import { parseDuration } from './duration.ts'
import { actionFields, Comparison } from './nodes/kind.ts'
import { logic } from './nodes/logic.ts'
import { fieldFault, fieldName, recordSchemas, type OwnKeys, type RecordKind } from './nodes/record-fields.ts'
import { shapes } from './nodes/shapes.ts'
import { textFaults } from './texts.ts'
import {
  actionNames,
  DEFINITION_LENGTH_MAX,
  DEPTH_MAX,
  FILTERS_MAX,
  NODES_MAX,
  nodeTypes,
  PATHS_MAX,
  type ActionName,
  type NodeType,
} from './values.ts'
import { triggerOf } from './triggers.ts'

/** As it came: nothing of it is believed yet. */
type Raw = Record<string, unknown>
type Place = { path: string; depth: number; loop: boolean; before: Raw | undefined }

/** Every fault of a definition, by the path of each; nothing where it can run. */
export function definitionFaults(
  definition: { trigger: string; filters: unknown; nodes: unknown },
  own: OwnKeys,
): Fault[] {
  const { trigger, filters, nodes } = definition
  const faults: Fault[] = []
  if (!triggerOf(trigger))
    faults.push({ path: 'trigger', message: 'is not a known trigger; see /api/crm/workflows/catalog' })
  faults.push(...filterFaults(filters))
  if (JSON.stringify(nodes)?.length > DEFINITION_LENGTH_MAX) {
    return [
      ...faults,
      { path: 'nodes', message: `can have at most ${DEFINITION_LENGTH_MAX} characters in total` },
    ]
  }
  const walker = new Walker(own)
  walker.list(nodes, { path: 'nodes', depth: 1, loop: false, before: undefined })
  return firstOfEach([...faults, ...walker.faults])
}

/** Of several faults in one place the first says enough. */
function firstOfEach(faults: readonly Fault[]): Fault[] {
  return [...new Map(faults.toReversed().map(fault => [fault.path, fault])).values()].toReversed()
}

const comparisonFaults = schemaCheck(Comparison)

function filterFaults(filters: unknown): Fault[] {
  if (!Array.isArray(filters)) return [{ path: 'filters', message: 'must be a list' }]
  if (filters.length > FILTERS_MAX)
    return [{ path: 'filters', message: `can have at most ${FILTERS_MAX} entries` }]
  return filters.flatMap((filter, at) => {
    const own = comparisonFaults(filter)
    return below(`filters[${at}]`, own.length > 0 ? own : valueFaults(filter as Raw))
  })
}

class Walker {
  readonly faults: Fault[] = []
  private readonly own: OwnKeys
  private nodes = 0

  constructor(own: OwnKeys) {
    this.own = own
  }

  list(nodes: unknown, place: Place): void {
    if (!Array.isArray(nodes)) return this.fault(place.path, 'must be a list of nodes')
    if (place.depth > DEPTH_MAX)
      return this.fault(place.path, `must not be nested more than ${DEPTH_MAX} levels deep`)
    for (const [at, node] of nodes.entries()) {
      // Too many nodes are reported once.
      if (++this.nodes === NODES_MAX + 1)
        this.fault(`${place.path}[${at}]`, `exceeds the limit of ${NODES_MAX} nodes per workflow`)
      if (this.nodes > NODES_MAX) return
      const before = at > 0 ? asRecord(nodes[at - 1]) : undefined
      this.node(node, { ...place, path: `${place.path}[${at}]`, before })
    }
  }

  private node(value: unknown, place: Place): void {
    const node = asRecord(value)
    if (!node) return this.fault(place.path, 'must be a node')
    const check = checkOf(node)
    if (typeof check === 'string') {
      const key = node.type === 'action' ? 'action' : 'type'
      return this.fault(`${place.path}.${key}`, check)
    }
    const own = ownFields(node)
    this.add(place.path, check(own))
    this.add(place.path, ruleFaults(node, place))
    this.add(place.path, recordFaults(node, this.own))
    if (this.faults.length < FAULTS_MAX) this.add(place.path, textFaults(own, this.own.lead))
    this.below(node, place)
  }

  private below(node: Raw, { path, depth, loop }: Place): void {
    const next = { depth: depth + 1, before: undefined }
    switch (node.type) {
      case 'condition':
        for (const key of ['then', 'else'])
          if (node[key] !== undefined) this.list(node[key], { ...next, path: `${path}.${key}`, loop })
        return
      case 'action':
        if (node.catch !== undefined) this.list(node.catch, { ...next, path: `${path}.catch`, loop })
        return
      case 'loop':
        return this.list(node.nodes, { ...next, path: `${path}.nodes`, loop: true })
      case 'split':
        for (const [at, value] of listOf(node.paths).slice(0, PATHS_MAX).entries()) {
          const isParallel = asRecord(value)?.percent === undefined
          // A loop around paths that run at the same time cannot be ended by one of them.
          this.list(asRecord(value)?.nodes, {
            ...next,
            path: `${path}.paths[${at}].nodes`,
            loop: loop && !isParallel,
          })
        }
    }
  }

  private add(path: string, faults: Fault[]): void {
    this.faults.push(...below(path, faults))
  }

  private fault(path: string, message: string): void {
    this.faults.push({ path, message })
  }
}

const logicChecks = Object.fromEntries(
  Object.values(logic).map(({ type, fields }) => [type, checkFor({ type: t.Literal(type), ...fields })]),
) as Record<NodeType, FaultsOf>

const actionChecks = Object.fromEntries(
  Object.values(shapes).map(({ action, fields }) => [
    action,
    checkFor({ type: t.Literal('action'), action: t.Literal(action), ...actionFields, ...fields }),
  ]),
) as Record<ActionName, FaultsOf>

function checkFor(fields: Record<string, TSchema>): FaultsOf {
  return schemaCheck(t.Object(fields, { additionalProperties: false }))
}

/** The check of its kind, or what is wrong with the kind itself. */
function checkOf(node: Raw): FaultsOf | string {
  if (node.type !== 'action') {
    const known = typeof node.type === 'string' && Object.hasOwn(logicChecks, node.type)
    return known ? logicChecks[node.type as NodeType] : `must be one of ${nodeTypes.join(', ')}`
  }
  const known = typeof node.action === 'string' && Object.hasOwn(actionChecks, node.action)
  return known ? actionChecks[node.action as ActionName] : `must be one of ${actionNames.join(', ')}`
}

/** Without the lists of nodes in it: these are looked at one by one. */
function ownFields(node: Raw): Raw {
  const { then: _then, else: _else, catch: _catch, ...own } = node
  if (node.type === 'condition') return own
  if (node.type === 'action') return { ...own, ...pick(node, ['then', 'else']) }
  if (node.type === 'loop') return without({ ...own, ...pick(node, ['then', 'else', 'catch']) }, 'nodes')
  if (node.type === 'split') {
    const paths = Array.isArray(node.paths)
      ? node.paths.map(path => (asRecord(path) ? without(path as Raw, 'nodes') : path))
      : node.paths
    return { ...own, paths, ...pick(node, ['then', 'else', 'catch']) }
  }
  return { ...node }
}

function ruleFaults(node: Raw, place: Place): Fault[] {
  switch (node.type) {
    case 'condition':
      return [
        ...valueFaults(node),
        ...listOf(node.also).flatMap((also, at) => below(`also[${at}]`, valueFaults(asRecord(also) ?? {}))),
      ]
    case 'delay':
      return [
        ...exactlyOne(node, ['delay', 'until_field', 'window']),
        ...durationFaults(node, ['delay']),
        ...windowFaults(node.window),
      ]
    case 'split':
      return splitFaults(listOf(node.paths).map(path => asRecord(path) ?? {}))
    case 'merge':
      return place.before?.type === 'split' ? [] : [{ path: '', message: 'must come right after a split' }]
    case 'loop':
      return exactlyOne(node, ['over', 'times'])
    case 'break':
      return place.loop ? [] : [{ path: '', message: 'must be inside a loop, and not in parallel paths' }]
    default:
      return actionFaults(node)
  }
}

function actionFaults(node: Raw): Fault[] {
  const wait = asRecord(node.retry) ?? {}
  return [
    ...durationFaults(node, ['delay', 'due', 'snooze']),
    ...below('retry', durationFaults(wait, ['wait'])),
    ...(node.action === 'send_sms' ? exactlyOne(node, ['message', 'template']) : []),
    ...(node.action === 'assign_to_rep' ? exactlyOne(node, ['member', 'members']) : []),
    ...(node.action === 'update_conversation' ? conversationFaults(node) : []),
  ]
}

function conversationFaults(node: Raw): Fault[] {
  const keys = ['assignee_id', 'label', 'state', 'snooze', 'agent_id', 'agent_mode']
  const isGiven = (key: string) => node[key] !== undefined && node[key] !== 'KEEP'
  if (!keys.some(isGiven)) return [{ path: keys[0]!, message: `needs at least one of ${keys.join(', ')}` }]
  const isBoth = isGiven('state') && isGiven('snooze')
  return isBoth ? [{ path: 'snooze', message: 'cannot be combined with state' }] : []
}

/** A field that is not there would fail in every run. */
function recordFaults({ action, record = 'lead', field }: Raw, own: OwnKeys): Fault[] {
  if (action !== 'update_field' || typeof field !== 'string' || !Object.hasOwn(recordSchemas, String(record)))
    return []
  const kind = record as RecordKind
  const message = fieldFault(kind, fieldName(kind, field), own)
  return message === undefined ? [] : [{ path: 'field', message }]
}

/** What can be compared with what. */
function valueFaults({ op, value }: Raw): Fault[] {
  const wrong = (message: string) => [{ path: 'value', message }]
  if (op === 'exists')
    return value === undefined || typeof value === 'boolean' ? [] : wrong('must be true, false or absent')
  if (value === undefined) return wrong('is missing')
  if (op === 'in')
    return Array.isArray(value) || typeof value === 'string'
      ? []
      : wrong('must be a list or comma-separated text')
  if (Array.isArray(value)) return wrong('can be a list only if op is in')
  const isOrder = op === '>' || op === '>=' || op === '<' || op === '<='
  return isOrder && typeof value !== 'number' && typeof value !== 'string'
    ? wrong('must be a number or a date')
    : []
}

function splitFaults(paths: Raw[]): Fault[] {
  const given = paths.filter(({ percent }) => percent !== undefined)
  if (given.length === 0) return []
  if (given.length < paths.length) return [{ path: 'paths', message: 'must all have a percentage, or none' }]
  const sum = paths.reduce((sum, { percent }) => sum + (Number(percent) || 0), 0)
  return sum > 100
    ? [{ path: 'paths', message: `must not add up to more than 100 percent; they add up to ${sum}` }]
    : []
}

function windowFaults(value: unknown): Fault[] {
  const window = asRecord(value)
  return window && String(window.from) >= String(window.until)
    ? [{ path: 'window.until', message: 'must be later than from' }]
    : []
}

function durationFaults(node: Raw, keys: string[]): Fault[] {
  return keys.flatMap(key => {
    const value = node[key]
    return typeof value === 'string' && !parseDuration(value)
      ? [{ path: key, message: 'must be a time like 30m, 2h, 3d or 1w, at most a year' }]
      : []
  })
}

function exactlyOne(node: Raw, keys: string[]): Fault[] {
  const given = keys.filter(key => node[key] !== undefined)
  if (given.length === 1) return []
  const message =
    given.length === 0 ? `needs one of ${keys.join(', ')}` : `allows only one of ${keys.join(', ')}`
  return [{ path: given[1] ?? keys[0]!, message }]
}

function below(place: string, faults: Fault[]): Fault[] {
  return faults.map(({ path, message }) => ({
    path: path === '' ? place : path.startsWith('[') ? `${place}${path}` : `${place}.${path}`,
    message,
  }))
}

function asRecord(value: unknown): Raw | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Raw) : undefined
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function pick(node: Raw, keys: string[]): Raw {
  return Object.fromEntries(keys.filter(key => Object.hasOwn(node, key)).map(key => [key, node[key]]))
}

function without(node: Raw, key: string): Raw {
  return Object.fromEntries(Object.entries(node).filter(([name]) => name !== key))
}
