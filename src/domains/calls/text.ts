import { LINE_LENGTH_MAX } from './values.ts'

const TOOL_FIELDS_MAX = 50
const TOOL_BYTES_MAX = 16_000
const TOOL_TEXT_MAX = 2_000

/** What strangers say and providers tell, fit to be kept: bounded, and without characters that are none. */
export function kept(text: string, lengthMax = LINE_LENGTH_MAX): string {
  const cut = text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text
  return cut.toWellFormed().replace(CONTROLS, '').trim()
}
// Lines and tabs are part of what is said; the rest of them no screen can show.
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g

/** The same in one line, or nothing where nothing is left. */
export function keptLine(value: unknown, lengthMax: number): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  return (
    kept(
      String(value)
        .slice(0, lengthMax * 2)
        .replace(/\s+/g, ' '),
      lengthMax,
    ) || undefined
  )
}

/** What a model asks a tool with: an object, or its text. Names are data, whatever they are; too much is cut. */
export function keptArguments(value: unknown): Record<string, unknown> {
  const given = typeof value === 'string' ? parsed(value) : value
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return {}
  const fields = Object.entries(given)
    .slice(0, TOOL_FIELDS_MAX)
    .map(([name, part]) => [kept(name, 100), keptPart(part)] as const)
  const short = Object.fromEntries(fields)
  return Buffer.byteLength(JSON.stringify(short)) <= TOOL_BYTES_MAX ? short : {}
}

function keptPart(part: unknown): unknown {
  if (typeof part === 'string') return kept(part, TOOL_TEXT_MAX)
  if (typeof part !== 'object' || part === null) return part
  const text = JSON.stringify(part)
  return text.length > TOOL_TEXT_MAX ? null : (JSON.parse(kept(text, TOOL_TEXT_MAX)) as unknown)
}

function parsed(text: string): unknown {
  if (text.length > TOOL_BYTES_MAX) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
