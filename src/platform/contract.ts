import type { Readable } from 'node:stream'
import Type, { type Static, type TSchema } from 'typebox'
import type { Role, Scope } from './scopes.ts'
import type { Context, Runtime } from './context.ts'
import type { Answer } from './answer.ts'
import type { SignedEndpoint } from './signature.ts'

/**
 * One definition per endpoint: it validates the request, types the handler and the web client, and becomes the
 * OpenAPI document. An endpoint without `auth` does not compile.
 */
export type Endpoint = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  path: `/${string}`
  summary: string
  /** What the summary cannot say; who may call is added to it in the OpenAPI document. */
  description?: string
  auth: Auth
  params?: TSchema
  query?: TSchema
  body?: TSchema
  /** The body is a form, as a page sends it, instead of JSON; or either of the two, as an OAuth client may choose. */
  form?: true | 'or_json'
  /** In a form a name may come several times: its values are a list then. */
  repeats?: true
  /** A form may also be sent as multipart, as email clients do (RFC 8058); its fields are then ignored. */
  multipart?: true
  /** Whole mail services come from a few addresses of theirs: the limit by address is a wider one. */
  crowd?: true
  /** What costs somebody else, such as a mail: at most so many requests an hour from one network, counted by this name. */
  hourly?: { name: string; quota: number }
  /**
   * The body is a file: the handler reads it as it comes in, and judges it itself. `application/octet-stream` stands for
   * any type, and the handler finds the one that was sent in the header.
   */
  upload?: 'text/csv' | 'application/octet-stream'
  /** The handler checks a signature over the body itself, and gets its text as it came. */
  signedBody?: { bytesMax: number }
  /** The handler judges query and body itself: OAuth has rules of its own for both. The schemas still document them. */
  unchecked?: true
  /** Failures are told as RFC 6749 does, instead of as a problem. */
  errors?: 'oauth'
  /** Follows the rules of this protocol rather than the conventions of the API. */
  protocol?: string
  /** What a success answers; absent: 204. */
  output?: TSchema
  /** What else it answers that is no problem, by its status. */
  besides?: Record<number, OtherAnswer>
  /** 200 by default, or 204 without an output; 201 for creating a record. */
  status?: number
  /** Where to read what was created, when that is not `<path>/{id}`. `{id}` is the answer's, `:id` the request's. */
  location?: string
  /** The record carries an ETag, and If-Match is honoured. */
  etag?: true
  /** Answers something else than JSON: a page, a redirect, a stream. */
  media?: string
  /** Leaves out the headers that only matter to what a browser shows, as JSON for known callers always does. */
  lean?: true
  /** Left out of the OpenAPI document: pages for people. */
  hidden?: true
}

/** A schema is that of JSON; a page says its media, and a redirect has neither. */
export type OtherAnswer = { description: string; schema?: TSchema; media?: string }

export type Auth =
  /** Anybody on our own pages. Rate limited by address. */
  | 'public'
  /** Anybody from anywhere, other sites' pages too: cookies do not count. Rate limited by address. */
  | 'open'
  /** A session, API key or token that holds the scope, or the other one that serves as well. */
  | { scope: Scope; or?: Scope }
  /** A signed-in person whose role in the team is at least this one. */
  | { role: Role }
  /** The operator's scheduler, with the CRON_SECRET. */
  | { cron: true }
  /** A provider, by its signature over the very bytes of the body: the handler gets these. */
  | { signature: SignedEndpoint }

export type Endpoints = Record<string, Endpoint>

export function defineEndpoints<const E extends Endpoints>(endpoints: E): E {
  return endpoints
}

export type Input<E extends Endpoint> = {
  params: E['params'] extends TSchema ? Static<E['params']> : Record<never, never>
  query: E['unchecked'] extends true
    ? Parameters
    : E['query'] extends TSchema
      ? Static<E['query']>
      : Record<never, never>
  body: E['upload'] extends string
    ? Readable
    : E extends { auth: { signature: SignedEndpoint } } | { signedBody: object }
      ? SignedBody
      : E['unchecked'] extends true
        ? unknown
        : E['body'] extends TSchema
          ? Static<E['body']>
          : E['form'] extends true
            ? Record<string, string> | undefined
            : undefined
  /** The `updated_at` that If-Match asks for. */
  ifMatch?: string
  headers: Record<string, string | undefined>
  /** HEAD goes with GET: who only looks is told apart by it. */
  method: string
  /** Aborts when the caller goes away. */
  signal: AbortSignal
  /** Whether the caller still has the same access: for responses that last long. */
  stillAdmitted(): Promise<boolean>
}

/** What a provider signed: its text as it came, and what that says. */
export type SignedBody = { text: string; json: unknown }

/** A query as it came: a name that is given twice has both values. */
export type Parameters = Record<string, string | string[] | undefined>

export type Output<E extends Endpoint> = E['output'] extends TSchema ? Static<E['output']> : void

export type Handler<E extends Endpoint> = {
  (ctx: Context, input: Input<E>): Promise<Output<E> | Answer> | Output<E> | Answer
  ready?: Ready
}

/** For what strangers ask for all the time: the answer, where it is made already and who proves nothing gets just that. */
export type Ready = (runtime: Runtime, params: Record<string, string>) => Answer | undefined

export type Handlers<E extends Endpoints> = { [K in keyof E]: Handler<E[K]> }

// The vocabulary every domain's schemas are written in.

export const t = Type
export type { Static, TSchema }

const ID_PATTERN = '^[0-9a-f]{24}$'
export const TEXT_LENGTH_MAX = 500
export const LONG_TEXT_LENGTH_MAX = 20_000
export const LIST_LIMIT_MAX = 200
export const LIST_LIMIT_DEFAULT = 50
export const FILTER_VALUES_MAX = 50

export const Id = t.String({ pattern: ID_PATTERN, description: 'An ID of 24 lower-case hex characters' })
export const Instant = t.String({ format: 'date-time', description: 'A UTC time in ISO 8601 format' })
/** A line of text: never empty, no control characters. */
export const Text = t.String({
  minLength: 1,
  maxLength: TEXT_LENGTH_MAX,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
})
export const LongText = t.String({ minLength: 1, maxLength: LONG_TEXT_LENGTH_MAX, pattern: '^[^\\u0000]*$' })
const EMAIL_LENGTH_MAX = 254
/** One address and nothing that could become a second header or recipient. */
const EMAIL_PATTERN =
  "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$"
export const Email = t.String({
  maxLength: EMAIL_LENGTH_MAX,
  pattern: EMAIL_PATTERN,
  description: 'An email address',
})

/** The same, for addresses that come by another way than a request of ours. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH_MAX && emailExpression.test(text)
}
const emailExpression = new RegExp(EMAIL_PATTERN)
export const Phone = t.String({
  pattern: '^\\+[1-9][0-9]{6,14}$',
  description: 'A phone number in E.164 format, like +4930123456',
})
export const WebAddress = t.String({
  maxLength: 2000,
  pattern: '^https?://[^\\s<>"\\u0000-\\u001f]+$',
  description: 'An http or https URL',
})

export const Day = t.String({ format: 'date', description: 'A date, like 2026-03-31' })
/** Exact, never a floating point number. */
export const Money = t.String({
  pattern: '^(?:0|[1-9]\\d{0,14})(?:\\.\\d{1,4})?$',
  description: 'A decimal amount as text, like 1250.50',
})
export const Currency = t.String({
  pattern: '^[A-Z]{3}$',
  description: 'An ISO 4217 currency code, like EUR',
})

export const RowNumber = t.Integer({
  description:
    'Row number as shown in a spreadsheet: the first line of the file is row 1, and empty rows count',
})
export const ById = t.Object({ id: Id })

export function oneOf<const Values extends readonly [string, ...string[]]>(
  values: Values,
  description?: string,
) {
  return t.Unsafe<Values[number]>(
    t.Enum([...values] as [string, ...string[]], description ? { description } : {}),
  )
}

export function nullable<S extends TSchema>(schema: S) {
  return t.Union([schema, t.Null()])
}

/** A page of a keyset list. */
export function listOf<S extends TSchema>(item: S) {
  return t.Object({ data: t.Array(item), next_cursor: nullable(t.String()) })
}

/** How long a list is and where each of its blocks begins, so that a table can jump anywhere by key and never by offset. */
export const Outline = t.Object({
  count: t.Integer(),
  count_is_capped: t.Boolean({ description: 'The search stopped counting at its limit' }),
  every: t.Integer(),
  from: t.Integer({ description: 'Row at which the first of these blocks begins' }),
  cursors: t.Array(nullable(t.String()), {
    description:
      'Cursor of each block of `every` rows from there on, at most 200 of them; null for the start',
  }),
})
export type Outline = Static<typeof Outline>

/** The query parameters every list shares. */
export const paging = {
  limit: t.Optional(t.Integer({ minimum: 1, maximum: LIST_LIMIT_MAX, default: LIST_LIMIT_DEFAULT })),
  cursor: t.Optional(t.String({ maxLength: 2000 })),
}

/** `?status=NEW&status=OPEN`: any of the values. */
export function anyOf<S extends TSchema>(value: S) {
  return t.Optional(t.Array(value, { minItems: 1, maxItems: FILTER_VALUES_MAX }))
}

/** `?sort=-created_at`: a leading minus sorts downwards. */
export function sortBy<const Fields extends readonly [string, ...string[]]>(fields: Fields) {
  type Sort = Fields[number] | `-${Fields[number]}`
  const values = fields.flatMap(field => [field, `-${field}`])
  return t.Optional(t.Unsafe<Sort>(t.Enum(values as [string, ...string[]])))
}
