/**
 * What a spreadsheet would run as a formula, or read as something else than it is: also behind white space, behind what
 * nobody sees, and behind the semicolon that parts cells in half of the world.
 */
const FORMULA = /^[\s\p{Cf};]*(?:[=+\-@＝＋－＠]|\p{Cc})/u
/** Quotes keep a cell together, whichever sign parts cells where the file is opened. */
const TO_QUOTE = /[",;\t\r\n']/

/** What most cells are: nothing in them needs a second look. */
export const PLAIN = /^[\w\u00c0-\u02af](?:[\w\u00c0-\u02af .:@/()&+-]*[\w\u00c0-\u02af.:@/()&+-])?$/

/** One line of a CSV file (RFC 4180). A cell that a spreadsheet would take for a formula is made plain text. */
export function csvLine(cells: readonly (string | number | boolean | null | undefined)[]): string {
  let line = ''
  for (let at = 0; at < cells.length; at++) line += at === 0 ? csvCell(cells[at]) : `,${csvCell(cells[at])}`
  return `${line}\r\n`
}

/** The cell as it was before it was made plain text here: a file of ours can be read in again. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell
}

export function csvCell(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined) return ''
  // A number of ours is no formula, even with a minus.
  if (typeof value !== 'string') return String(value)
  if (PLAIN.test(value)) return value
  const inert = FORMULA.test(value) ? `'${value}` : value
  return TO_QUOTE.test(inert) || inert !== inert.trim() ? `"${inert.replaceAll('"', '""')}"` : inert
}

/** What a value is in a cell: what has parts is JSON, and what has none is empty. */
export function csvValue(value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'object') return Object.keys(value).length === 0 ? null : JSON.stringify(value)
  return value as string | number | boolean
}
