import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Compile } from 'typebox/compile'
import type { TSchema } from 'typebox'
import { afterAll, describe, expect, test } from 'vitest'
import { domains } from '#app'
import { openApiDocument, type OpenApi, type Operation } from '#http/openapi.ts'
import { allScopes, roles } from '#platform/scopes.ts'
import { expectNone, failuresOf } from '#test/attempts.ts'
import { startProgram } from '#test/command-line.ts'
import { at } from '#test/operations.ts'
import { full } from '#test/tier.ts'

// As others read it: after its way through JSON.
const PURCHASE = '/api/v1/agent/purchase/{agent_id}'
const document = JSON.parse(JSON.stringify(openApiDocument(domains, '/'))) as OpenApi
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method} ${path}`,
    path,
    method,
    operation,
  })),
)

describe('the OpenAPI document', () => {
  test('is of version 3.1 and has all a document needs', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.info).toMatchObject({
      title: 'Rapport',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    })
    expect(document.servers).toEqual([{ url: '/' }])
    expect(operations.length).toBeGreaterThan(20)
    expect(Object.keys(document).toSorted()).toEqual([
      'components',
      'info',
      'openapi',
      'paths',
      'servers',
      'tags',
    ])
  })

  test('has every reference it makes, and no schema with a name of its own inside another', () => {
    const references = everyObjectIn(document).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []))
    expect(references.length).toBeGreaterThan(operations.length)
    expect(references.filter(ref => at(document, ref) === undefined)).toEqual([])
    expect(everyObjectIn(document).filter(object => '$id' in object)).toEqual([])
  })

  test('names each operation once', () => {
    const names = operations.map(({ operation }) => operation.operationId)
    expect(names.filter((name, n) => names.indexOf(name) < n)).toEqual([])
    for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z]+$/)
  })

  test('has only schemas that can be compiled', () => {
    const schemas = operations.flatMap(({ operation }) => [
      ...(operation.parameters ?? []).map(({ schema }) => schema),
      ...mediaOf(operation.requestBody).map(({ schema }) => schema),
      ...Object.values(operation.responses).flatMap(response =>
        mediaOf(response).map(({ schema }) => schema),
      ),
    ])
    const given = [...schemas, ...Object.values(document.components.schemas)].filter(
      schema => schema !== undefined,
    )
    // Many operations name the same schema, and all of them the same problem.
    const different = [...new Map(given.map(schema => [JSON.stringify(schema), schema]))]
    expect(different.length).toBeGreaterThan(100)
    const broken = different.filter(([, schema]) => {
      try {
        return !Compile({ ...(schema as TSchema), components: document.components })
      } catch {
        return true
      }
    })
    expect(broken.map(([text]) => text)).toEqual([])
  })
})

describe('each operation of the OpenAPI document', () => {
  test('declares every part of its path, and no other', async () => {
    const wrong = await failuresOf(operations, async ({ path, operation }) => {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const declared = (operation.parameters ?? []).filter(({ in: place }) => place === 'path')
      expect(declared.map(({ name }) => name)).toEqual(inPath)
      expect(declared.every(({ required }) => required)).toBe(true)
      expect(path).not.toMatch(/[:*]/)
    })
    expectNone(wrong)
  })

  test('declares each parameter once, in a place that exists', async () => {
    const wrong = await failuresOf(operations, async ({ operation }) => {
      const parameters = operation.parameters ?? []
      const keys = parameters.map(({ name, in: place }) => `${place} ${name}`)
      expect(new Set(keys).size).toBe(keys.length)
      for (const { in: place, schema } of parameters) {
        expect(['path', 'query', 'header']).toContain(place)
        expect(schema).toBeTypeOf('object')
      }
    })
    expectNone(wrong)
  })

  test('says who may call it, by a scheme and a scope that exist', async () => {
    const schemes = Object.keys(document.components.securitySchemes)
    const wrong = await failuresOf(operations, async ({ operation }) => {
      expect(Array.isArray(operation.security)).toBe(true)
      for (const [scheme, scopes] of operation.security.flatMap(entry => Object.entries(entry))) {
        expect(schemes).toContain(scheme)
        for (const scope of scopes) expect(allScopes).toContain(scope)
      }
      if (operation['x-role']) expect(roles).toContain(operation['x-role'])
    })
    expectNone(wrong)
  })

  test('says what it does and what it requires, and has a tag that is described', async () => {
    const tags = new Map(document.tags.map(({ name, description }) => [name, description]))
    const wrong = await failuresOf(operations, async ({ method, operation }) => {
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/)
      expect(operation.description).toMatch(/^[A-Z].*\.$/)
      expect(operation.description).not.toBe(operation.summary)
      expect(tags.get(operation.tags[0]!)).toMatch(/^[A-Z].*\.$/)
      if (method === 'get') expect(operation.requestBody).toBeUndefined()
    })
    expectNone(wrong)
    expect(
      [...tags.keys()].filter(tag => !operations.some(({ operation }) => operation.tags[0] === tag)),
    ).toEqual([])
  })

  test('answers one success, and each problem that it is known for', async () => {
    const wrong = await failuresOf(operations, async ({ method, path, operation }) => {
      const { responses, parameters = [], requestBody, security } = operation
      const statuses = Object.keys(responses)
      expect(statuses[0]).toMatch(/^2\d\d$|^302$/)
      expect(statuses.filter(status => status.startsWith('2'))).toHaveLength(statuses[0] === '302' ? 0 : 1)
      expect(statuses.at(-1)).toBe('default')
      // Only buying is asked for and answered in another way: a 402 says what to pay.
      expect(statuses.includes('402')).toBe(path === PURCHASE)
      const oauth = JSON.stringify(responses).includes('OAuthError')
      const known = (status: string) => expect(statuses, status)
      known('429').toContain('429')
      if (security.length > 0) known('401').toContain('401')
      if (security.some(({ session }) => session)) known('403').toContain('403')
      if (parameters.some(({ in: place }) => place === 'path')) known('404').toContain('404')
      if (parameters.some(({ name }) => name === 'If-Match')) known('412').toContain('412')
      if (parameters.some(({ name }) => name === 'Idempotency-Key')) known('409').toContain('409')
      if (requestBody && !oauth) known('413 and 415').toEqual(expect.arrayContaining(['413', '415']))
      if (method === 'get') expect(statuses).not.toContain('415')
      for (const response of Object.values(responses)) {
        expect(
          '$ref' in (response as object) || (response as { description: string }).description,
        ).toBeTruthy()
      }
    })
    expectNone(wrong)
  })

  test('tells where it redirects to, and which answers are pages', () => {
    const { responses } = document.paths['/api/oauth/authorize']!.get!
    expect(responses).toMatchObject({
      200: { content: { 'text/html': {} } },
      302: { description: expect.stringContaining('redirect_uri'), headers: { Location: {} } },
      400: { content: { 'text/html': {} } },
    })
    expect(document.paths['/api/forms/{id}/submissions']!.post!.responses).toMatchObject({
      303: { headers: { Location: {} } },
      422: { content: { 'text/html': {}, 'application/problem+json': {} } },
    })
    const redirects = operations.filter(({ operation }) => operation.responses['302'])
    expect(redirects.map(({ name }) => name).toSorted()).toEqual([
      'get /api/auth/callback/{provider}',
      'get /api/auth/signin/{provider}',
      'get /api/mailboxes/connected',
      'get /api/mailboxes/providers/{provider}/connect',
      'get /api/oauth/authorize',
      'post /api/auth/invitation/{token}',
      'post /api/auth/link/{token}',
      'post /api/oauth/consent',
    ])
    for (const { operation } of redirects)
      expect(operation.responses['302']).toMatchObject({ headers: { Location: {} } })
  })

  test('that creates something says where that can be read', async () => {
    const readable = new Set(
      operations.filter(({ method }) => method === 'get').map(({ path }) => path.replace(/\{\w+\}/g, '{}')),
    )
    const creating = domains.flatMap(({ endpoints }) =>
      Object.entries(endpoints)
        .filter(([, { status, hidden }]) => status === 201 && !hidden)
        .map(([name, endpoint]) => ({ name, ...endpoint })),
    )
    expect(creating.length).toBeGreaterThan(25)
    const wrong = await failuresOf(creating, async ({ path, location = `${path}/{id}`, errors }) => {
      const { responses } = document.paths[path.replace(/:(\w+)/g, '{$1}')]!.post!
      // RFC 7591 gives an app that registers itself an id, and no address.
      expect('headers' in (responses['201'] as object)).toBe(errors !== 'oauth')
      if (errors !== 'oauth') expect(readable).toContain(location.replace(/:\w+|\{\w+\}/g, '{}'))
    })
    expectNone(wrong)
  })

  test('is left out only when it is a page outside /api', () => {
    const hidden = domains.flatMap(({ endpoints }) => Object.values(endpoints).filter(({ hidden }) => hidden))
    expect(hidden.length).toBeGreaterThan(5)
    expect(hidden.map(({ path }) => path).filter(path => path.startsWith('/api/'))).toEqual([])
  })
})

describe('scripts/openapi.ts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-openapi-'))
  const script = fileURLToPath(new URL('../scripts/openapi.ts', import.meta.url))
  afterAll(() => rmSync(folder, { recursive: true }))

  /** Each test has a file of its own, so that the script, which reads the whole product, runs for all at once. */
  const fileFor = (name: string, content?: string) => {
    const file = join(folder, `${name}.json`)
    if (content !== undefined) writeFileSync(file, content)
    return file
  }
  const run = async (...words: string[]): Promise<{ status: number; stderr: string }> => {
    const child = await startProgram(script, words, { stdio: ['ignore', 'ignore', 'pipe'] })
    const [stderr, [status]] = await Promise.all([text(child.stderr!), once(child, 'close')])
    return { status, stderr }
  }

  test.concurrent('writes what the contracts say', async ({ expect }) => {
    const file = fileFor('written')
    expect(await run(file)).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(document)
    // That the check agrees with what was written, every commit shows: `npm run check` asks it.
    if (full) expect(await run('--check', file)).toEqual({ status: 0, stderr: '' })
  })

  test.concurrent('tells by the name of the operation and schema what differs', async ({ expect }) => {
    const old = structuredClone(document)
    delete old.paths['/api/team']
    old.paths['/api/gone'] = { get: {} as Operation }
    old.paths['/api/keys']!.get!.summary = 'Another summary'
    delete old.components.schemas.Lead
    old.info.version = '0.0.0'
    const { status, stderr } = await run('--check', fileFor('old', JSON.stringify(old)))
    expect(status).toBe(1)
    for (const line of [
      '+ GET /api/team',
      '- GET /api/gone',
      '~ GET /api/keys: summary',
      '+ schema Lead',
      '~ info: version',
    ]) {
      expect(stderr).toContain(`  ${line}`)
    }
  })

  if (full)
    test('a missing or broken file differs too', async () => {
      const missing = await run('--check', fileFor('missing'))
      expect(missing).toEqual({ status: 1, stderr: expect.stringContaining('+ GET /api/team') })
      expect((await run('--check', fileFor('broken', '{'))).status).toBe(1)
    })
})

function everyObjectIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(everyObjectIn)
  if (typeof value !== 'object' || value === null) return []
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(everyObjectIn)]
}

function mediaOf(described: unknown): { schema?: unknown }[] {
  return Object.values(
    (described as { content?: Record<string, { schema?: unknown }> } | undefined)?.content ?? {},
  )
}
