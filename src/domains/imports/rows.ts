import { Problem, type Fault } from '#platform/problem.ts'
import { schemaCheck } from '#platform/schema-check.ts'
import { NewLead } from '#domains/leads/contract.ts'
import { cellReader, splitName, type Rules } from './cells.ts'
import type { Import, PreviewRow } from './contract.ts'

export type CellError = PreviewRow['errors'][number]
export type ReadRow = { input: NewLead; errors: CellError[] }
export type RowReader = {
  read(cells: readonly string[]): ReadRow
  /** Faults told by the fields of a lead become errors of the columns they came from. */
  placed(faults: readonly Fault[]): CellError[]
}

/** The same schema as the API's: nothing comes in by a file that would be refused there. */
const faultsOf = schemaCheck(NewLead)

/** How rows of this file become leads: made once for many rows. */
export function rowReader(
  { columns, mapping }: Pick<Import, 'columns' | 'mapping'>,
  rules: Rules,
): RowReader {
  const fields = mapping.flatMap((field, column) =>
    field === null ? [] : [{ field, column, readCell: cellReader(field, rules) }],
  )

  function read(cells: readonly string[]): ReadRow {
    if (cells.length > columns.length) return { input: {}, errors: [tooMany(cells.length, columns.length)] }
    const input: Record<string, unknown> = {}
    const errors: CellError[] = []
    let name = ''
    for (const { field, column, readCell } of fields) {
      const cell = cells[column]!.trim()
      if (cell === '') continue
      if (field === 'name') {
        name = cell
        continue
      }
      const reading = readCell(cell)
      if ('wrong' in reading) errors.push({ column, message: reading.wrong })
      else put(input, field, reading.value)
    }
    // First and last name of their own say it better.
    if (name) Object.assign(input, { ...splitName(name.replace(/\s+/g, ' ')), ...namesIn(input) })
    errors.push(...placed(faultsOf(input)))
    return { input, errors }
  }

  function placed(faults: readonly Fault[]): CellError[] {
    return faults.map(({ path, message }) => {
      const column = columnOf(path)
      const told = advice.get(path) ?? message
      return { column, message: column === null && path ? `${path} ${told}` : told }
    })
  }

  function columnOf(path: string): number | null {
    const own = mapping.indexOf(path === 'owner_id' ? 'owner' : path)
    if (own >= 0) return own
    const name = path === 'first_name' || path === 'last_name' ? mapping.indexOf('name') : -1
    return name >= 0 ? name : null
  }

  return { read, placed }
}

/** What is wrong by the rules of leads, or the result. */
export function judged<Result>(reader: RowReader, work: () => Result): Result | CellError[] {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem && error.errors) return reader.placed(error.errors)
    throw error
  }
}

function put(input: Record<string, unknown>, field: string, value: unknown): void {
  if (field.startsWith('custom.')) {
    const custom = (input.custom ??= {}) as Record<string, unknown>
    custom[field.slice(7)] = value
  } else input[field === 'owner' ? 'owner_id' : field] = value
}

function namesIn({ first_name, last_name }: Record<string, unknown>) {
  return { ...(first_name !== undefined && { first_name }), ...(last_name !== undefined && { last_name }) }
}

function tooMany(cells: number, columns: number): CellError {
  const message = `This row has ${cells} cells, but the header has ${columns}. Is a cell missing its quotes?`
  return { column: null, message }
}

/** A schema says what is wrong; these say what to do. */
const advice = new Map([
  ['email', 'is not a valid email address: correct it or leave the cell empty'],
  ['timezone', 'is not a time zone: write it like Europe/Berlin'],
])
