import type { Mailbox, MailboxChange, MailServer, MailServers } from '#domains/mailboxes/contract.ts'
import {
  ANSWER_MIN_MAX,
  DAILY_LIMIT_MAX,
  IMPORT_DAYS_MAX,
  type MailboxVisibility,
} from '#domains/mailboxes/values.ts'
import { isEqual } from '../../ui/equal.ts'
import type { Range } from './availability-fields.ts'
import { hoursOf, minutesOf, weekOf } from './answer-fields.ts'

export type Protocol = 'imap' | 'smtp'
export type Security = MailServer['security']

/** A server as it is typed. */
export type ServerFields = { host: string; port: string; security: Security }

/** What signs in to a mailbox, as it is typed. */
export type LoginFields = { username: string; password: string; imap: ServerFields; smtp: ServerFields }

export type MailboxFields = LoginFields & {
  name: string
  visibility: MailboxVisibility
  is_default: boolean
  creates_leads: boolean
  /** Emails a day as typed; empty for no limit. */
  daily_limit: string
  agent_id: string | null
  agent_mode: Mailbox['agent_mode']
  answer: OwnAnswerFields
}

/** Answer times of its own, as typed; those that are empty are the team's. */
export type OwnAnswerFields = {
  isOwn: boolean
  first_answer_min: string
  next_answer_min: string
  /** Empty: the team's. */
  timezone: string
  /** Null: the team's. */
  week: Range[][] | null
}

export type Faults = Record<string, string>

/** Where the server reports errors about a login. */
export const loginPaths = [
  'username',
  'password',
  ...(['imap', 'smtp'] as const).flatMap(protocol => [
    `${protocol}.host`,
    `${protocol}.port`,
    `${protocol}.security`,
    protocol,
  ]),
]

const usualPorts: Record<Protocol, Record<Security, number>> = {
  imap: { tls: 993, starttls: 143, none: 143 },
  smtp: { tls: 465, starttls: 587, none: 25 },
}
const PORT_MAX = 65_535

export function emptyLogin(servers: Pick<MailServers, Protocol>): LoginFields {
  return {
    username: '',
    password: '',
    imap: serverFieldsOf('imap', servers.imap),
    smtp: serverFieldsOf('smtp', servers.smtp),
  }
}

/** The port follows, unless it is an unusual one that somebody typed. */
export function withSecurity(protocol: Protocol, server: ServerFields, security: Security): ServerFields {
  const isUsual = server.port === String(usualPorts[protocol][server.security])
  return { ...server, security, port: isUsual ? String(usualPorts[protocol][security]) : server.port }
}

export function serverOf({ host, port, security }: ServerFields): MailServer {
  return { host: host.trim(), port: Number(port), security }
}

/** Errors found without asking the server. */
export function loginFaults(login: LoginFields, needsPassword: boolean): Faults {
  const faults: Faults = {}
  if (needsPassword && !login.password) faults.password = 'Enter the password'
  for (const protocol of ['imap', 'smtp'] as const) {
    const { host, port } = login[protocol]
    if (!host.trim()) faults[`${protocol}.host`] = 'Enter the name of the server'
    if (!isWhole(port, 1, PORT_MAX)) faults[`${protocol}.port`] = `1 to ${PORT_MAX}`
  }
  return faults
}

/** Undefined if it is not a number of days that can be imported. */
export function importDaysOf(typed: string): number | undefined {
  return isWhole(typed, 0, IMPORT_DAYS_MAX) ? Number(typed) : undefined
}

export function mailboxFieldsOf(mailbox: Mailbox): MailboxFields {
  const { name, visibility, is_default, creates_leads, agent_id, agent_mode } = mailbox
  const { username, imap, smtp } = mailbox
  return {
    name: name ?? '',
    visibility,
    is_default,
    creates_leads,
    daily_limit: String(mailbox.daily_limit ?? ''),
    answer: answerFieldsOf(mailbox),
    agent_id,
    agent_mode,
    username,
    password: '',
    imap: serverFieldsOf('imap', imap),
    smtp: serverFieldsOf('smtp', smtp),
  }
}

/** Only what differs; undefined if nothing does. */
export function mailboxChangeOf(before: Mailbox, fields: MailboxFields): MailboxChange | undefined {
  const name = fields.name.trim() || null
  const username = fields.username.trim()
  const [imap, smtp] = [serverOf(fields.imap), serverOf(fields.smtp)]
  const change: MailboxChange = {
    ...(name !== before.name && { name }),
    ...(fields.visibility !== before.visibility && { visibility: fields.visibility }),
    ...(fields.is_default !== before.is_default && { is_default: fields.is_default }),
    ...(fields.creates_leads !== before.creates_leads && { creates_leads: fields.creates_leads }),
    ...(dailyLimitOf(fields.daily_limit) !== before.daily_limit && {
      daily_limit: dailyLimitOf(fields.daily_limit) ?? null,
    }),
    ...changedTargets(before, fields.answer),
    ...(fields.agent_id !== before.agent_id && { agent_id: fields.agent_id }),
    ...(fields.agent_mode !== before.agent_mode && { agent_mode: fields.agent_mode }),
    ...(username && username !== before.username && { username }),
    ...(fields.password && { password: fields.password }),
    ...(!isEqual(imap, before.imap) && { imap }),
    ...(!isEqual(smtp, before.smtp) && { smtp }),
  }
  return Object.keys(change).length > 0 ? change : undefined
}

/** Null: no limit. Undefined: not a number that can be one. */
export function dailyLimitOf(typed: string): number | null | undefined {
  const text = typed.trim()
  if (text === '') return null
  return isWhole(text, 1, DAILY_LIMIT_MAX) ? Number(text) : undefined
}

/** Errors of its answer times, found without asking the server. */
export function answerFaults({ isOwn, first_answer_min, next_answer_min, week }: OwnAnswerFields): Faults {
  const faults: Faults = {}
  if (!isOwn) return faults
  for (const [name, typed] of Object.entries({ first_answer_min, next_answer_min }))
    if (minutesOf(typed) === undefined) faults[name] = `A whole number from 1 to ${ANSWER_MIN_MAX}, or empty`
  week?.forEach((ranges, index) => {
    const isOpen = ranges.every(({ from, until }) => from && until && from < until)
    if (!isOpen) faults[`week.${index}`] = 'The end must be after the start'
  })
  return faults
}

function answerFieldsOf({ first_answer_min, next_answer_min, timezone, hours }: Mailbox): OwnAnswerFields {
  const own = [first_answer_min, next_answer_min, timezone, hours]
  return {
    isOwn: own.some(value => value !== null),
    first_answer_min: String(first_answer_min ?? ''),
    next_answer_min: String(next_answer_min ?? ''),
    timezone: timezone ?? '',
    week: hours && weekOf(hours),
  }
}

function changedTargets(
  before: Mailbox,
  { isOwn, first_answer_min, next_answer_min, timezone, week }: OwnAnswerFields,
): Partial<MailboxChange> {
  const targets = {
    first_answer_min: (isOwn && minutesOf(first_answer_min)) || null,
    next_answer_min: (isOwn && minutesOf(next_answer_min)) || null,
    timezone: (isOwn && timezone) || null,
    hours: isOwn && week ? hoursOf(week) : null,
  }
  const names = Object.keys(targets) as (keyof typeof targets)[]
  return Object.fromEntries(
    names.filter(name => !isEqual(targets[name], before[name])).map(name => [name, targets[name]]),
  )
}

/** Whether the server has to sign in again before it saves this. */
export function changesLogin(change: MailboxChange): boolean {
  return ['username', 'password', 'imap', 'smtp'].some(name => name in change)
}

/** What was typed stays; everything else becomes what somebody else has saved. */
export function rebased(fields: MailboxFields, before: Mailbox, theirs: Mailbox): MailboxFields {
  const [old, now] = [mailboxFieldsOf(before), mailboxFieldsOf(theirs)]
  const names = Object.keys(fields) as (keyof MailboxFields)[]
  const typed = names.filter(name => !isEqual(fields[name], old[name])).map(name => [name, fields[name]])
  return { ...now, ...(Object.fromEntries(typed) as Partial<MailboxFields>) }
}

function serverFieldsOf(protocol: Protocol, server: MailServer | null): ServerFields {
  if (!server) return { host: '', port: String(usualPorts[protocol].tls), security: 'tls' }
  return { ...server, port: String(server.port) }
}

function isWhole(typed: string, min: number, max: number): boolean {
  return /^\d{1,6}$/.test(typed.trim()) && Number(typed) >= min && Number(typed) <= max
}
