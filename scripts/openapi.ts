// Writes openapi.json from the contracts. With --check it writes nothing: it says what differs from the committed file,
// and ends with 1 when something does. A file named as the last word takes the place of openapi.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { domains } from '#app'
import { openApiDocument, type OpenApi } from '#http/openapi.ts'

/** The same on every machine: each installation serves the document with its own address. */
const SERVER = '/'
const SHOWN_MAX = 40

const words = process.argv.slice(2)
const file =
  words.find(word => !word.startsWith('--')) ?? fileURLToPath(new URL('../openapi.json', import.meta.url))
const wanted = `${JSON.stringify(openApiDocument(domains, SERVER), null, 2)}\n`

if (words.includes('--check')) process.exitCode = check()
else writeFileSync(file, wanted)

function check(): number {
  const found = existsSync(file) ? readFileSync(file, 'utf8') : '{}'
  if (found === wanted) return 0
  const differences = compare(parse(found), JSON.parse(wanted) as OpenApi)
  console.error(
    'openapi.json is not what the contracts say. Run `npm run openapi` and look at what changes:\n',
  )
  for (const line of differences.slice(0, SHOWN_MAX)) console.error(`  ${line}`)
  if (differences.length > SHOWN_MAX) console.error(`  … and ${differences.length - SHOWN_MAX} more`)
  return 1
}

function parse(text: string): Partial<OpenApi> {
  try {
    return JSON.parse(text) as Partial<OpenApi>
  } catch {
    return {}
  }
}

/** By operation and schema, which is what a caller of the API thinks in; anything else by its place. */
function compare(found: Partial<OpenApi>, wanted: OpenApi): string[] {
  const told = { paths: undefined, components: undefined }
  const differences = [
    ...compareEntries(operationsOf(found), operationsOf(wanted)),
    ...compareEntries(found.components?.schemas ?? {}, wanted.components.schemas, 'schema '),
    ...compareEntries({ ...found, ...told }, { ...wanted, ...told }),
  ]
  return differences.length > 0 ? differences : ['the order or the spacing of the file']
}

function operationsOf({ paths = {} }: Partial<OpenApi>): Record<string, unknown> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
  )
  return Object.fromEntries(operations)
}

function compareEntries(found: object, wanted: object, prefix = ''): string[] {
  const [before, after] = [new Map(Object.entries(found)), new Map(Object.entries(wanted))]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap(name => {
    if (!before.has(name)) return [`+ ${prefix}${name}`]
    if (!after.has(name)) return [`- ${prefix}${name}`]
    const places = differingPlaces(before.get(name), after.get(name))
    return places.length > 0 ? [`~ ${prefix}${name}: ${places.join(', ')}`] : []
  })
}

/** The outermost places where the two differ, like `responses.200.description`. */
function differingPlaces(before: unknown, after: unknown, place = ''): string[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  if (!isObject(before) || !isObject(after)) return [place || 'all of it']
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap(name =>
    differingPlaces(before[name], after[name], place ? `${place}.${name}` : name),
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
