import { inStepOrder, type DraftContent, type DraftField, type DraftTexts } from './draft-content.ts'

/** Every edit of a form, as data: it can be applied, sent and undone. */
export type Operation =
  | { kind: 'set'; change: Partial<DraftTexts> }
  | { kind: 'add'; field: DraftField; at: number }
  | { kind: 'change'; id: string; change: Partial<Omit<DraftField, 'id' | 'step'>> }
  | { kind: 'move'; id: string; step: number; before: string | null }
  | { kind: 'remove'; id: string }
  | { kind: 'add_step'; title: string }
  | { kind: 'rename_step'; step: number; title: string }
  | { kind: 'remove_step'; step: number }
  | { kind: 'replace'; content: DraftContent }

/** The content after the edit; the same object if nothing changed. */
export function applied(content: DraftContent, operation: Operation): DraftContent {
  switch (operation.kind) {
    case 'set':
      return isSame(content, operation.change) ? content : { ...content, ...operation.change }
    case 'add':
      return added(content, operation.field, operation.at)
    case 'change':
      return changed(content, operation.id, operation.change)
    case 'move':
      return moved(content, operation.id, operation.step, operation.before)
    case 'remove': {
      const fields = content.fields.filter(({ id }) => id !== operation.id)
      return fields.length === content.fields.length ? content : { ...content, fields }
    }
    case 'add_step':
      return withStep(content, operation.title)
    case 'rename_step': {
      const { step, title } = operation
      if (content.steps[step] === undefined || content.steps[step] === title) return content
      return { ...content, steps: content.steps.with(step, title) }
    }
    case 'remove_step':
      return withoutStep(content, operation.step)
    case 'replace':
      return operation.content
  }
}

/** Where the arrow key moves a field: past its neighbour, or at the end of a step into the next one. */
export function nextPlace(content: DraftContent, id: string, way: 'up' | 'down'): Operation | undefined {
  const field = content.fields.find(each => each.id === id)
  if (!field) return undefined
  const own = content.fields.filter(({ step }) => step === field.step)
  const at = own.indexOf(field)
  if (way === 'up') {
    const above = own[at - 1]
    if (above) return { kind: 'move', id, step: field.step, before: above.id }
    return field.step > 0 ? { kind: 'move', id, step: field.step - 1, before: null } : undefined
  }
  if (at < own.length - 1) return { kind: 'move', id, step: field.step, before: own[at + 2]?.id ?? null }
  if (field.step >= content.steps.length - 1) return undefined
  const next = field.step + 1
  return {
    kind: 'move',
    id,
    step: next,
    before: content.fields.find(({ step }) => step === next)?.id ?? null,
  }
}

/** The place of an edit: consecutive typing in the same place is one edit. */
export function placeOf(operation: Operation): string | null {
  switch (operation.kind) {
    case 'set':
      return `form ${Object.keys(operation.change).join()}`
    case 'change':
      // Whether or not the key follows the label, it is the same typing.
      return `${operation.id} ${Object.keys(operation.change)[0]}`
    case 'rename_step':
      return `step ${operation.step}`
    default:
      return null
  }
}

function added(content: DraftContent, field: DraftField, at: number): DraftContent {
  // An undone removal is not added twice.
  if (content.fields.some(({ id, key }) => id === field.id || key === field.key)) return content
  return inStepOrder({ ...content, fields: content.fields.toSpliced(at, 0, field) })
}

function changed(content: DraftContent, id: string, change: Partial<DraftField>): DraftContent {
  const at = content.fields.findIndex(field => field.id === id)
  const field = content.fields[at]
  if (!field || isSame(field, change)) return content
  return { ...content, fields: content.fields.with(at, { ...field, ...change }) }
}

function moved(content: DraftContent, id: string, step: number, before: string | null): DraftContent {
  const field = content.fields.find(each => each.id === id)
  if (!field || before === id) return content
  const others = content.fields.filter(each => each !== field)
  const found = before === null ? -1 : others.findIndex(each => each.id === before)
  const at = found < 0 ? others.findLastIndex(each => each.step <= step) + 1 : found
  const fields = others.toSpliced(at, 0, { ...field, step })
  const isMoved = field.step !== step || fields.some((each, index) => each.id !== content.fields[index]?.id)
  return isMoved ? inStepOrder({ ...content, fields }) : content
}

/** Adding the first step makes two: one for the existing fields, and the new one. */
function withStep(content: DraftContent, title: string): DraftContent {
  const steps = content.steps.length === 0 ? ['Step 1', title] : [...content.steps, title]
  return { ...content, steps }
}

/** The fields of a removed step move to the one before. A single step is no step. */
function withoutStep(content: DraftContent, step: number): DraftContent {
  if (content.steps[step] === undefined) return content
  const left = content.steps.toSpliced(step, 1)
  const steps = left.length === 1 ? [] : left
  const fields = content.fields.map(field => {
    const goes = field.step > step || (field.step === step && step > 0)
    return steps.length === 0 ? { ...field, step: 0 } : goes ? { ...field, step: field.step - 1 } : field
  })
  return inStepOrder({ ...content, steps, fields })
}

function isSame<T extends object>(record: T, change: Partial<T>): boolean {
  return (Object.keys(change) as (keyof T)[]).every(
    key => JSON.stringify(change[key]) === JSON.stringify(record[key]),
  )
}
