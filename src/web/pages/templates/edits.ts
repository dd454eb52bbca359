import type { Template } from '#domains/templates/contract.ts'
import type { FieldFault } from '../../problem.ts'

export type Fields = Pick<Template, 'name' | 'subject' | 'body' | 'format'>

export function fieldsOf({ name, subject, body, format }: Template): Fields {
  return { name, subject, body, format }
}

/** An error in a placeholder, and its offset in the field. */
export type PlacedFault = { message: string; at: number | undefined; place: string | undefined }

const PLACE = /^((?:line (\d+), )?character (\d+)): (.+)$/s

/** "line 2, character 5: {{nmae}} is not a known placeholder" → the message, and where to put the caret. */
export function placedFaults(faults: readonly FieldFault[], path: string, text: string): PlacedFault[] {
  return faults
    .filter(fault => fault.path === path)
    .map(({ message }) => {
      const [, place, line = '1', character, words] = PLACE.exec(message) ?? []
      if (!words) return { message, at: undefined, place: undefined }
      const lines = text.split('\n').slice(0, Number(line) - 1)
      const before = lines.reduce((sum, each) => sum + each.length + 1, 0)
      return { message: words, at: before + Number(character) - 1, place }
    })
}
