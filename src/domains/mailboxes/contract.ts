import {
  ById,
  defineEndpoints,
  Email,
  Id,
  Instant,
  listOf,
  nullable,
  oneOf,
  paging,
  t,
  Text,
  type Static,
} from '#platform/contract.ts'
import { defineEvent } from '#platform/events.ts'
import { mailSecurities } from '#platform/ports/mailbox.ts'
import { ownTargets } from './answer-targets-contract.ts'
import {
  DAILY_LIMIT_MAX,
  domainRecordKinds,
  domainRecordStates,
  HOST_LENGTH_MAX,
  IMPORT_DAYS_DEFAULT,
  IMPORT_DAYS_MAX,
  mailboxAgentModes,
  mailboxKinds,
  mailboxStates,
  mailboxVisibilities,
  PASSWORD_LENGTH_MAX,
  SIGNATURE_LENGTH_MAX,
} from './values.ts'

const Signature = t.String({ maxLength: SIGNATURE_LENGTH_MAX, pattern: '^[^\\u0000]*$' })

export const MailServer = t.Object(
  {
    host: t.String({ minLength: 1, maxLength: HOST_LENGTH_MAX, pattern: '^[A-Za-z0-9.:-]+$' }),
    port: t.Integer({ minimum: 1, maximum: 65_535 }),
    security: oneOf(mailSecurities),
  },
  { additionalProperties: false },
)
export type MailServer = Static<typeof MailServer>

export const Mailbox = t.Object(
  {
    id: Id,
    kind: oneOf(mailboxKinds),
    owner_id: nullable(t.String({ description: 'Whose personal mailbox it is; null if the team shares it' })),
    visibility: oneOf(mailboxVisibilities, 'Who can read what comes in: the team, or the owner alone'),
    address: t.String(),
    name: nullable(
      t.String({ description: "The sender's name; null for the name of the person who writes" }),
    ),
    signature: nullable(t.String()),
    is_default: t.Boolean({
      description: 'New conversations are sent from it, unless the writer has a mailbox',
    }),
    creates_leads: t.Boolean({
      description: 'Whether a person who is not a lead yet becomes one by writing to it',
    }),
    daily_limit: nullable(
      t.Integer({
        description: 'Emails a day, in its time zone; more wait for the next day. Null for no limit',
      }),
    ),
    ...ownTargets,
    agent_id: nullable(t.String({ description: 'The agent of conversations that begin by an email to it' })),
    agent_mode: oneOf(mailboxAgentModes, 'Whether that agent drafts for a person, or answers automatically'),
    username: t.String(),
    imap: MailServer,
    smtp: MailServer,
    import_days: t.Integer({ description: 'Days of earlier emails with known leads that were imported' }),
    health: t.Object({
      state: oneOf(mailboxStates),
      note: nullable(t.String({ description: 'Why it does not work' })),
      failing_since: nullable(Instant),
      checked_at: nullable(Instant),
    }),
    created_at: Instant,
    updated_at: Instant,
  },
  { $id: 'Mailbox' },
)
export type Mailbox = Static<typeof Mailbox>

const DailyLimit = nullable(t.Integer({ minimum: 1, maximum: DAILY_LIMIT_MAX }))

const choices = {
  daily_limit: t.Optional(DailyLimit),
  visibility: t.Optional(oneOf(mailboxVisibilities)),
  name: t.Optional(nullable(Text)),
  signature: t.Optional(nullable(Signature)),
  is_default: t.Optional(t.Boolean()),
  creates_leads: t.Optional(t.Boolean()),
  agent_id: t.Optional(nullable(Id)),
  agent_mode: t.Optional(oneOf(mailboxAgentModes)),
}
const Username = t.String({ minLength: 1, maxLength: 254, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })
const Password = t.String({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX, pattern: '^[^\\u0000\\r\\n]*$' })
const ImportDays = t.Integer({ minimum: 0, maximum: IMPORT_DAYS_MAX, default: IMPORT_DAYS_DEFAULT })

export const NewMailbox = t.Object(
  {
    shared: t.Boolean({ description: 'Of the team, which takes an ADMIN; otherwise your own' }),
    address: Email,
    username: t.Optional(Username),
    password: Password,
    imap: MailServer,
    smtp: MailServer,
    import_days: t.Optional(ImportDays),
    ...choices,
  },
  { additionalProperties: false },
)
export type NewMailbox = Static<typeof NewMailbox>

export const MailboxChange = t.Partial(
  t.Object({
    visibility: oneOf(mailboxVisibilities),
    name: nullable(Text),
    signature: nullable(Signature),
    is_default: t.Boolean(),
    creates_leads: t.Boolean(),
    daily_limit: DailyLimit,
    ...ownTargets,
    agent_id: nullable(Id),
    agent_mode: oneOf(mailboxAgentModes),
    username: Username,
    password: Password,
    imap: MailServer,
    smtp: MailServer,
  }),
  { additionalProperties: false, minProperties: 1 },
)
export type MailboxChange = Static<typeof MailboxChange>

const ConnectQuery = t.Object(
  {
    shared: t.Optional(t.Boolean()),
    mailbox_id: t.Optional(Id),
    address: t.Optional(Email),
    import_days: t.Optional(ImportDays),
    visibility: t.Optional(oneOf(mailboxVisibilities)),
    creates_leads: t.Optional(t.Boolean()),
  },
  { additionalProperties: false },
)
export type ConnectQuery = Static<typeof ConnectQuery>

/** How to reach the servers of an address, as far as that is known. */
export const MailServers = t.Object({
  kind: oneOf(mailboxKinds, 'google and microsoft connect by OAuth'),
  can_connect: t.Boolean({ description: 'Whether the operator has set up OAuth with this provider' }),
  imap: nullable(MailServer),
  smtp: nullable(MailServer),
  help: nullable(t.String({ description: 'What its provider needs beforehand, such as an app password' })),
})
export type MailServers = Static<typeof MailServers>

export const DomainRecord = t.Object({
  kind: oneOf(domainRecordKinds),
  state: oneOf(domainRecordStates, 'unknown: it could not be looked up or checked'),
  text: t.String({ description: 'What that means, in a sentence' }),
  host: t.String({ description: 'The DNS name of the record' }),
  found: nullable(t.String({ description: 'What is published' })),
  wanted: nullable(t.String({ description: 'What to publish instead, if that is known' })),
})
export type DomainRecord = Static<typeof DomainRecord>

export const MailboxDomain = t.Object({
  domain: t.String(),
  checked_at: Instant,
  records: t.Array(DomainRecord),
})
export type MailboxDomain = Static<typeof MailboxDomain>

const read = { scope: 'conversations:read' } as const

export const endpoints = defineEndpoints({
  listMailboxes: {
    method: 'GET',
    path: '/api/mailboxes',
    summary: 'List the mailboxes of the team and its members',
    auth: read,
    query: t.Object(paging, { additionalProperties: false }),
    output: listOf(Mailbox),
  },
  createMailbox: {
    method: 'POST',
    path: '/api/mailboxes',
    summary: 'Connect a mailbox by IMAP and SMTP',
    description: 'Both servers are tried first; what does not work is a 422 and is not kept.',
    auth: { role: 'MEMBER' },
    body: NewMailbox,
    output: Mailbox,
    status: 201,
    etag: true,
  },
  findMailServers: {
    method: 'GET',
    path: '/api/mailboxes/servers',
    summary: 'Find the mail servers of an address',
    auth: { role: 'MEMBER' },
    query: t.Object({ address: t.Optional(Email) }, { additionalProperties: false }),
    output: MailServers,
  },
  readMailbox: {
    method: 'GET',
    path: '/api/mailboxes/:id',
    summary: 'Read a mailbox and its health',
    auth: read,
    params: ById,
    output: Mailbox,
    etag: true,
  },
  changeMailbox: {
    method: 'PATCH',
    path: '/api/mailboxes/:id',
    summary: 'Change a mailbox; a new login is tried first',
    auth: { role: 'MEMBER' },
    params: ById,
    body: MailboxChange,
    output: Mailbox,
    etag: true,
  },
  deleteMailbox: {
    method: 'DELETE',
    path: '/api/mailboxes/:id',
    summary: 'Disconnect a mailbox; conversations keep what came from it',
    auth: { role: 'MEMBER' },
    params: ById,
    etag: true,
  },
  checkMailbox: {
    method: 'POST',
    path: '/api/mailboxes/:id/check',
    summary: 'Check both servers of a mailbox now, and read it',
    auth: { role: 'MEMBER' },
    params: ById,
    output: Mailbox,
    status: 200,
  },
  readMailboxDomain: {
    method: 'GET',
    path: '/api/mailboxes/:id/domain',
    summary: 'Check SPF, DKIM and DMARC of the domain that a mailbox sends from',
    description: 'They are looked up in the DNS, at most once in two minutes.',
    auth: read,
    params: ById,
    output: MailboxDomain,
  },
  connectMailbox: {
    method: 'GET',
    path: '/api/mailboxes/providers/:provider/connect',
    summary: 'Connect a mailbox at Google or Microsoft 365: redirects to the provider',
    auth: { role: 'MEMBER' },
    params: t.Object({ provider: oneOf(['google', 'microsoft']) }),
    query: ConnectQuery,
    unchecked: true,
    status: 302,
    media: 'text/html',
    protocol: 'browser',
  },
  finishConnecting: {
    method: 'GET',
    path: '/api/mailboxes/connected',
    summary: 'Where the provider sends the person back',
    auth: { role: 'MEMBER' },
    query: t.Object(
      {
        state: t.Optional(t.String({ maxLength: 4_000 })),
        code: t.Optional(t.String({ maxLength: 4_000 })),
        error: t.Optional(t.String({ maxLength: 500 })),
      },
      {},
    ),
    unchecked: true,
    status: 302,
    media: 'text/html',
    protocol: 'browser',
  },
})

const live = { live: 'conversations:read' } as const

export const mailboxEvents = {
  connected: defineEvent('mailbox.connected', t.Object({ address: t.String(), kind: t.String() }), live),
  changed: defineEvent(
    'mailbox.changed',
    t.Object({ before: t.Record(t.String(), t.Unknown()), after: t.Record(t.String(), t.Unknown()) }),
    live,
  ),
  disconnected: defineEvent('mailbox.disconnected', t.Object({ address: t.String() }), live),
  /** It cannot be read, or nothing can be sent from it. */
  failing: defineEvent('mailbox.failing', t.Object({ address: t.String(), note: t.String() }), live),
  recovered: defineEvent('mailbox.recovered', t.Object({ address: t.String() }), live),
}
