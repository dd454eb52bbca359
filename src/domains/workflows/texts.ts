import type { Fault } from '#platform/problem.ts'
import {
  bound,
  mergeText,
  parseTemplate,
  placeholderFaults,
  type CompiledText,
} from '#domains/templates/merge.ts'
import { placeholderNames, type Values } from '#domains/templates/placeholders.ts'
import { valueAt, type Facts } from './fields.ts'

/** The fields of nodes that may contain placeholders. */
const TEXT_FIELDS = ['title', 'description', 'message', 'note', 'value'] as const
/** What a text may name besides the lead: what the event brought, and where a loop is. */
const OF_THE_RUN = /^(?:event|loop)\.\w{1,60}$/

/** What is wrong with the placeholders in a node's texts. */
export function textFaults(node: Record<string, unknown>, custom: readonly string[]): Fault[] {
  return TEXT_FIELDS.flatMap(path => {
    const text = node[path]
    const isText = typeof text === 'string' && (path !== 'value' || node.type === 'action')
    return isText ? placeholderFaults(text, custom, isOfTheRun).map(message => ({ path, message })) : []
  })
}

/** A text as it reads for this run. What is not there leaves nothing behind. */
export function fillText(text: string, facts: Facts, values: Values): string {
  if (!text.includes('{{')) return text
  const names = placeholderNames(Object.keys(facts.lead?.custom ?? {}))
  const compiled: CompiledText = parseTemplate(text).pieces.map(piece =>
    typeof piece === 'string'
      ? piece
      : isOfTheRun(piece.written)
        ? { ...piece, name: piece.written }
        : bound(piece, names),
  )
  const own = compiled.flatMap(piece =>
    typeof piece !== 'string' && isOfTheRun(piece.written) ? piece.written : [],
  )
  const found = Object.fromEntries(own.map(name => [name, said(valueAt(facts, name))]))
  return mergeText(compiled, { ...values, ...found }).text
}

function isOfTheRun(written: string): boolean {
  return OF_THE_RUN.test(written)
}

function said(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
