import { isGate, pathLabel } from './layout.ts'
import { asRecord, branchesOf, nodeAt, ownerOf, pathsOf, placeOf, type Nodes, type TreeNode } from './tree.ts'

/** Titles from the catalog, and names of people. */
export type Names = {
  /** Of an action, or of a kind of logic. */
  title: (node: TreeNode) => string
  person: (id: string) => string
}

export const kindWords: Record<string, string> = {
  condition: 'Condition',
  action: 'Action',
  delay: 'Delay',
  split: 'Split',
  merge: 'Merge',
  loop: 'Loop',
  break: 'Break',
}

/** The title of a node on the canvas: its label, its comparison or its kind. */
export function titleOf(node: TreeNode, names: Names): string {
  if (typeof node.name === 'string' && node.name !== '') return node.name
  if (node.type === 'condition') return conditionInWords(node) || names.title(node)
  return names.title(node)
}

/** What it does, in one line. */
export function summaryOf(node: TreeNode, names: Names): string {
  switch (node.type) {
    case 'condition': {
      const kind = node.else === undefined && isGate(node) ? 'Continues only if met' : 'If / else'
      return node.name ? joined(conditionInWords(node), kind) : kind
    }
    case 'delay':
      return delayInWords(node)
    case 'split':
      return splitInWords(node)
    case 'merge':
      return node.wait === 'any' ? 'Continues with the first path' : 'Waits for all paths'
    case 'loop':
      return text(node.over) ? `For each item in ${text(node.over)}` : `${text(node.times) || '?'} times`
    case 'break':
      return 'Exits the loop'
    case 'action':
      return actionInWords(node, names)
    default:
      return 'Unknown step type'
  }
}

/** For screen readers: its title, what it does and where it is. */
export function nodeInWords(nodes: Nodes, path: string, names: Names): string {
  const node = nodeAt(nodes, path)
  if (!node) return ''
  const title = node.type === 'condition' ? `If ${titleOf(node, names)}` : titleOf(node, names)
  const summary = node.type === 'condition' ? '' : lower(summaryOf(node, names))
  return [title, summary, lower(placeInWords(nodes, placeOf(path).list, names))].filter(Boolean).join(', ')
}

/** "In the Yes branch of If durationSec > 120"; empty at the top level. */
export function placeInWords(nodes: Nodes, list: string, names: Names): string {
  const owner = ownerOf(list)
  const node = owner === undefined ? undefined : nodeAt(nodes, owner)
  if (!node) return ''
  const title = node.type === 'condition' ? `If ${titleOf(node, names)}` : titleOf(node, names)
  const of = list.slice(owner!.length + 1)
  if (of === 'then') return `In the Yes branch of ${title}`
  if (of === 'else') return `In the No branch of ${title}`
  if (of === 'catch') return `In the failure branch of ${title}`
  if (of === 'nodes') return `In each iteration of ${title}`
  const at = branchesOf(node, owner!).findIndex(branch => branch.list === list)
  const path = pathsOf(node)[at]
  return `In path ${pathLabel(path?.name, undefined)} of ${title}`
}

export function conditionInWords(node: TreeNode): string {
  const all = [node, ...(Array.isArray(node.also) ? node.also : [])].map(comparisonInWords).filter(Boolean)
  return all.join(node.match === 'any' ? ' or ' : ' and ')
}

export function comparisonInWords(value: unknown): string {
  const { field, op, value: wanted } = asRecord(value) ?? {}
  if (!text(field)) return ''
  if (op === 'exists') return `${text(field)} ${wanted === false ? 'does not exist' : 'exists'}`
  const words: Record<string, string> = { starts_with: 'starts with' }
  return `${text(field)} ${words[text(op)] ?? text(op)} ${valueInWords(wanted)}`.trim()
}

export function valueInWords(value: unknown): string {
  if (value === undefined) return ''
  if (value === null || value === '') return 'empty'
  if (value === true) return 'yes'
  if (value === false) return 'no'
  return Array.isArray(value) ? value.join(', ') : text(value)
}

const units: Record<string, string> = { s: 'second', m: 'minute', h: 'hour', d: 'day', w: 'week' }

/** `2d` → "2 days" */
export function durationInWords(value: unknown): string {
  const [, amount, unit] = /^(\d+)([smhdw])$/.exec(text(value)) ?? []
  if (amount === undefined || unit === undefined) return text(value)
  return `${amount} ${units[unit]}${amount === '1' ? '' : 's'}`
}

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** "Mon–Fri 09:00–17:00" */
export function windowInWords(value: unknown): string {
  const { days: given, from, until } = asRecord(value) ?? {}
  const chosen = (Array.isArray(given) ? given.map(Number) : []).toSorted((a, b) => a - b)
  const [first = 0, last = 0] = [chosen[0], chosen.at(-1)]
  const isRow = chosen.length > 2 && last - first === chosen.length - 1
  const named = isRow ? `${days[first - 1]}–${days[last - 1]}` : chosen.map(day => days[day - 1]).join(', ')
  return `${named} ${text(from)}–${text(until)}`
}

function delayInWords(node: TreeNode): string {
  if (node.delay !== undefined) return `Waits ${durationInWords(node.delay)}`
  if (node.until_field !== undefined) return `Until ${text(node.until_field) || '…'}`
  if (node.window !== undefined) return windowInWords(node.window)
  return 'Choose a duration'
}

function splitInWords(node: TreeNode): string {
  const paths = pathsOf(node)
  const isDrawn = paths.some(({ percent }) => percent !== undefined)
  return `${paths.length} ${paths.length === 1 ? 'path' : 'paths'}${isDrawn ? ', by percentage' : ' in parallel'}`
}

function actionInWords(node: TreeNode, names: Names): string {
  const [delay, due] = [text(node.delay), text(node.due)]
  const when = node.action === 'schedule_call' ? `call in ${due}` : `due in ${due}`
  return joined(delay && `after ${delay}`, due && when, about(node, names))
}

/** The details of an action, except when. */
function about(node: TreeNode, names: Names): string {
  switch (node.action) {
    case 'send_email':
      return text(node.template) && `template ${text(node.template)}`
    case 'send_sms':
      return text(node.template) ? `template ${text(node.template)}` : text(node.message)
    case 'create_task':
    case 'create_project':
      return text(node.title)
    case 'update_field':
      return text(node.field) && `${text(node.field)} = ${valueInWords(node.value)}`
    case 'assign_to_rep':
      return Array.isArray(node.members)
        ? `${node.members.length} people, round robin`
        : text(node.member) && `to ${names.person(text(node.member))}`
    case 'push_notification':
      return joined(`to ${recipientInWords(text(node.to), names)}`, text(node.title) || text(node.message))
    case 'generate_invoice':
      return `${text(node.amount)} ${text(node.currency)}`.trim()
    case 'call_webhook':
      return text(node.url).replace(/^https:\/\//, '')
    case 'schedule_call':
      return text(node.agent) || text(node.note)
    case 'reply':
      return text(node.message)
    case 'create_lead':
      return [node.first_name, node.last_name, node.email, node.phone].map(text).filter(Boolean).join(' ')
    case 'update_conversation':
      return conversationInWords(node, names)
    default:
      return ''
  }
}

const modes: Record<string, string> = { off: 'agent off', draft: 'agent drafts', auto: 'agent answers' }

function conversationInWords(node: TreeNode, names: Names): string {
  const [person, label, state, snooze] = [node.assignee_id, node.label, node.state, node.snooze].map(text)
  return joined(
    person ? `to ${names.person(person)}` : '',
    label ? `label ${label}` : '',
    state === 'CLOSED' ? 'close' : state === 'OPEN' ? 'reopen' : '',
    snooze ? `snooze for ${snooze}` : '',
    modes[text(node.agent_mode)] ?? (node.agent_id ? 'give to an agent' : ''),
  )
}

export function recipientInWords(to: string, names: Names): string {
  if (to === '' || to === 'owner') return 'the owner'
  if (to === 'admins') return 'the admins'
  return to === 'everybody' ? 'everyone' : names.person(to)
}

function joined(...parts: string[]): string {
  return parts.filter(Boolean).join(' · ')
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
}

function lower(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1)
}
