import type { OpenApi, Operation as Described } from '#http/openapi.ts'
import type { Schema } from './samples.ts'

/** One operation of the OpenAPI document, with every reference in its schemas followed. */
export type Operation = {
  name: string
  method: string
  path: string
  /** Who may call it, as the document says. */
  access: { scope: string; or?: string } | { role: string } | 'cron' | 'public'
  /** Follows another protocol's rules instead of our own conventions: its own tests judge it. */
  protocol: string | undefined
  params: Record<string, Schema>
  query: Record<string, Schema>
  /** Request headers with a meaning of their own, like If-Match. */
  headers: string[]
  body: Schema | undefined
  /** It takes a file of this type instead of JSON. */
  upload: string | undefined
  success: { status: number; media: string | undefined; schema: Schema | undefined }
}

/** Everything the running product says it can do by our own conventions: tests that walk this list cover later domains without naming them. */
export async function readOperations(url: string): Promise<Operation[]> {
  return (await readAllOperations(url)).filter(({ protocol }) => protocol === undefined)
}

export async function readAllOperations(url: string): Promise<Operation[]> {
  const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as OpenApi
  const known = new Map<string, unknown>()
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) =>
      operation(path, method.toUpperCase(), follow(described, document, known) as Described),
    ),
  )
}

export function pathOf({ path }: Pick<Operation, 'path'>, values: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? `{${name}}`))
}

/** Leaving a team uses up whoever calls, and is not for the last SUPER_ADMIN: the identity tests look at it. */
export function isRepeatable({ name }: Operation): boolean {
  return name !== 'POST /api/team/leave'
}

type Content = { content?: Record<string, { schema?: Schema }> }

function operation(path: string, method: string, resolved: Described): Operation {
  const place = (where: string) =>
    Object.fromEntries(
      (resolved.parameters ?? [])
        .filter(({ in: at }) => at === where)
        .map(({ name, schema }) => [name, schema as Schema]),
    )
  const [status] = Object.keys(resolved.responses).filter(status => status !== 'default')
  const [media, answer] = Object.entries((resolved.responses[status!] as Content).content ?? {})[0] ?? []
  const [sent, content] =
    Object.entries((resolved.requestBody as Content | undefined)?.content ?? {})[0] ?? []
  const upload = (content?.schema as Schema | undefined)?.format === 'binary' ? sent : undefined
  return {
    name: `${method} ${path}`,
    method,
    path,
    access: accessOf(resolved),
    protocol: resolved['x-protocol'],
    params: place('path'),
    query: place('query'),
    headers: Object.keys(place('header')),
    body: upload ? undefined : content?.schema,
    upload,
    success: { status: Number(status), media, schema: answer?.schema },
  }
}

function accessOf({ security, 'x-role': role }: Described): Operation['access'] {
  if (role) return { role }
  const [scope, or] = security.flatMap(entry => entry.oauth ?? [])
  if (scope) return or ? { scope, or } : { scope }
  return security.some(entry => entry.cronSecret) ? 'cron' : 'public'
}

/** A schema that many operations name is one object for all of them: whoever compiles it does so once. */
function follow(value: unknown, document: OpenApi, known: Map<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map(item => follow(item, document, known))
  if (typeof value !== 'object' || value === null) return value
  const { $ref } = value as { $ref?: string }
  if (!$ref)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, follow(item, document, known)]),
    )
  if (!known.has($ref)) known.set($ref, follow(at(document, $ref), document, known))
  return known.get($ref)
}

export function at(document: unknown, ref: string): unknown {
  return ref
    .slice(2)
    .split('/')
    .reduce((value, step) => (value as Record<string, unknown> | undefined)?.[step], document)
}
