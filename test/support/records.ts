import { newId } from '#platform/ids.ts'
import type { Person, TestApp } from './app.ts'
import type { Reply } from './client.ts'
import { colleagueOf } from './colleague.ts'
import { pathOf, type Operation } from './operations.ts'
import { isId, sampleOf, takes, type Schema } from './samples.ts'

/** What a team has, one record of each collection, made by the create operations of the OpenAPI document. */
export type Records = {
  person: Person
  /** Why a collection has no record; empty when everything could be made. */
  gaps: Map<string, string>
  /** The id that belongs in this field of this operation; undefined where the team has none of the kind. */
  idFor(operation: Operation, field: string): string | undefined
  /** A request that should succeed: own ids in the address and wherever the body has room for one. */
  request(operation: Operation): { path: string; body: unknown }
  /** Makes the record that the operation works on anew, for one that uses it up. */
  renew(operation: Operation): Promise<void>
  all(): string[]
}

/** Collections without a create operation get their record from here. */
const seeds: Record<string, (app: TestApp, person: Person) => Promise<string>> = {
  '/api/jobs/dead': async (app, { team_id }) => {
    const id = newId()
    await app.database.query(
      `insert into jobs (id, kind, team_id, run_at, attempts, state, last_error, failed_at)
       values ($1, 'test.broken', $2, now(), 10, 'dead', 'it broke', now())`,
      [id, team_id],
    )
    return id
  },
  '/api/auth/sessions': async (app, { user_id, team_id }) => {
    const id = newId()
    await app.database.query(
      `insert into sessions (id, user_id, team_id, created_at, last_seen_at, expires_at)
       values ($1, $2, $3, now(), now(), now() + interval '300 years')`,
      [id, user_id, team_id],
    )
    return id
  },
  '/api/crm/imports': async (_, { browser }) => {
    const reply = await browser.post('/api/crm/imports', fileFor('text/csv'))
    return reply.body.id as string
  },
  '/api/team/members': async (app, person) => (await colleagueOf(app, person, 'MEMBER')).user_id,
  '/api/oauth/grants': async (app, { user_id, team_id }) => {
    const [id, client_id] = [newId(), newId()]
    await app.database.query(
      `with client as (insert into oauth_clients (id, source, name, redirect_uris, scopes, created_at, updated_at)
         values ($2, 'operator', 'Zap', '{https://a.example/cb}', '{leads:read}', now(), now()))
       insert into oauth_grants (id, client_id, user_id, team_id, role, scopes, created_at, updated_at)
       select $1, $2, user_id, team_id, role, '{leads:read}', now(), now() from memberships
       where user_id = $3 and team_id = $4`,
      [id, client_id, user_id, team_id],
    )
    return id
  },
}

/** Bodies that a schema alone cannot say. */
const corrections: Record<string, (body: Record<string, unknown>) => Record<string, unknown>> = {
  // Either a change or a move to the trash, not both.
  'POST /api/crm/leads/bulk': ({ trashed: _, ...body }) => body,
  'POST /api/crm/leads/bulk-changes': ({ trashed: _, ...body }) => body,
  // A domain belongs to one account.
  'POST /api/crm/accounts': body => ({ ...body, domain: `d${newId()}.example.test` }),
  'PATCH /api/crm/accounts/{id}': body => ({ ...body, domain: `d${newId()}.example.test` }),
  // A project comes of a won deal, and of each only one.
  'POST /api/crm/projects': ({ opportunity_id: _, ...body }) => ({ ...body, columns: COLUMNS }),
  'PATCH /api/crm/projects/{id}': ({ opportunity_id: _, ...body }) => ({ ...body, columns: COLUMNS }),
  // What is overdue changes by itself.
  'POST /api/crm/tasks': body => ({ ...body, ...LATER, column: COLUMNS[0]!.key }),
  'PATCH /api/crm/tasks/{id}': body => ({ ...body, ...LATER, column: COLUMNS[0]!.key }),
  'POST /api/crm/tasks/{id}/move': body => ({ ...body, column: COLUMNS[0]!.key }),
  // The file has one column.
  'PATCH /api/crm/imports/{id}': body => ({ ...body, mapping: ['email'], duplicate_key: 'email' }),
  // An address is invited once.
  'POST /api/team/invitations': body => ({
    ...body,
    email: `invited${newId()}@example.test`,
    role: 'MEMBER',
  }),
  'PATCH /api/team/members/{id}': () => ({ role: 'VIEWER' }),
  'POST /api/oauth/clients': body => ({ ...body, redirect_uris: REDIRECT_URIS, confidential: true }),
  'PATCH /api/oauth/clients/{id}': body => ({ ...body, redirect_uris: REDIRECT_URIS }),
}

const LATER = { due_at: '2999-01-01T00:00:00Z', remind_at: '2999-01-01T00:00:00Z' }

const COLUMNS = [{ key: 'todo', name: 'To do', status: 'TODO' }]

const REDIRECT_URIS = ['https://app.example.test/callback']

/** Words in addresses that a schema alone cannot say. */
const words: Record<string, string> = { job: 'housekeeping' }

/** Fields that name a person of the team. */
const PEOPLE = new Set(['owner', 'user', 'assignee', 'member', 'created_by'])

export async function fillTeam(
  app: TestApp,
  operations: readonly Operation[],
  person: Person,
): Promise<Records> {
  const creators = new Map(operations.filter(creates).map(operation => [operation.path, operation]))
  const made = new Map<string, string>()
  const gaps = new Map<string, string>()
  const collections = [...Object.keys(seeds), ...creators.keys()].toSorted((a, b) => a.length - b.length)

  function collectionOf(path: string): string | undefined {
    return collections.filter(collection => path === collection || path.startsWith(`${collection}/`)).at(-1)
  }

  function collectionNamed(field: string): string | undefined {
    return collections.find(collection => singular(collection) === nounOf(field))
  }

  function idFor(operation: Operation, field: string): string | undefined {
    const noun = nounOf(field)
    if (PEOPLE.has(noun)) return person.user_id
    if (noun === 'team') return person.team_id
    const named = collectionNamed(field)
    const own = noun === 'id' || noun === 'ids' ? collectionOf(operation.path) : undefined
    return made.get(named ?? own ?? '')
  }

  function request(operation: Operation) {
    const ids = (field: string) => idFor(operation, field)
    const correct = corrections[operation.name] ?? (body => body)
    const wordFor = (name: string, schema: Schema) => words[name] ?? sampleOf(schema, ids, name)
    const params = Object.entries(operation.params).map(([name, schema]) => [name, wordFor(name, schema)])
    return {
      path: pathOf(operation, Object.fromEntries(params) as Record<string, string>),
      body: operation.upload
        ? fileFor(operation.upload)
        : operation.body && correct(sampleOf(operation.body, ids) as Record<string, unknown>),
    }
  }

  async function create(creator: Operation): Promise<Reply | string> {
    const { path, body } = request(creator)
    if (!takes(creator.body!, body))
      return `no body could be made for ${creator.name}: ${JSON.stringify(body)}`
    const reply = await person.browser.post(path, body)
    if (reply.status === 201) return reply
    // What it points at went to the trash meanwhile: with a new one in its place it can be made.
    const stale = faultsOf(reply).find(field => made.has(collectionNamed(field) ?? ''))
    if (!stale) return `${creator.name} answered ${reply.status} ${reply.text}`
    const gap = await make(collectionNamed(stale)!)
    return gap ?? create(creator)
  }

  async function make(collection: string): Promise<string | undefined> {
    const seed = seeds[collection]
    if (seed) return void made.set(collection, await seed(app, person))
    const creator = creators.get(collection)!
    const reply = await create(creator)
    if (typeof reply === 'string') return reply
    made.set(collection, reply.body.id as string)
    return undefined
  }

  // A record may need one of another collection first: go round until nothing more can be made.
  for (let before = -1; before < made.size;) {
    before = made.size
    for (const collection of collections) {
      if (made.has(collection)) continue
      const gap = await make(collection)
      if (gap) gaps.set(collection, gap)
      else gaps.delete(collection)
    }
  }

  return {
    person,
    gaps,
    idFor,
    request,
    async renew(operation) {
      const collection = collectionOf(operation.path)
      const gap = collection && (await make(collection))
      if (gap) throw new Error(gap)
    },
    all: () => [...made.values(), person.user_id, person.team_id],
  }
}

function fileFor(type: string): Blob {
  return new Blob(['email\nada@example.test\n'], { type })
}

/** An operation that makes a record which other operations can name. */
function creates({ method, path, success, body }: Operation): boolean {
  return (
    method === 'POST' &&
    success.status === 201 &&
    !path.includes('{') &&
    Boolean(body && answersId(success.schema))
  )
}

function answersId(schema: Schema | undefined): boolean {
  const id = schema?.properties?.id
  return id ? isId(id) : (schema?.allOf ?? []).some(answersId)
}

/** Fields of the body that were refused. */
function faultsOf({ status, body }: Reply): string[] {
  return status === 422 ? (body.errors ?? []).map(({ path }: { path: string }) => path) : []
}

function nounOf(field: string): string {
  return field.replace(/(_ids?|Ids?)$/, '')
}

function singular(collection: string): string {
  return collection.split('/').at(-1)!.replace(/ies$/, 'y').replace(/s$/, '')
}
