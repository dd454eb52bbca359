import type { Context } from '#platform/context.ts'
import { LIST_LIMIT_DEFAULT } from '#platform/contract.ts'
import { decodeInstantCursor, pageOf } from '#platform/cursor.ts'
import { record } from '#platform/events.ts'
import {
  MailboxRefused,
  MailboxUnavailable,
  type MailLogin,
  type MailServer,
} from '#platform/ports/mailbox.ts'
import { invalid, Problem, type Fault } from '#platform/problem.ts'
import { difference } from '#platform/records.ts'
import { atLeast } from '#platform/scopes.ts'
import { unchangedSince } from '#platform/version.ts'
import type { OwnTargets } from './answer-targets-contract.ts'
import { mailboxEvents, type Mailbox, type MailboxChange, type NewMailbox } from './contract.ts'
import { hoursFaults } from './answer-targets.ts'
import { chosenAgentFaults } from '#domains/agents/references.ts'
import { aboutMailbox, noteFailing, noteWell } from './health.ts'
import { laterThan, loginOf, sealSecret } from './login.ts'
import { waitForNext } from './reading.ts'
import * as store from './store.ts'
import type { MailboxRow } from './store.ts'
import { deleteWatch, freeWatch, insertWatch } from './watch-store.ts'
import { IMPORT_DAYS_DEFAULT, MAILBOXES_MAX } from './values.ts'

type Paging = { limit?: number; cursor?: string }

export async function listMailboxes(ctx: Context, { limit = LIST_LIMIT_DEFAULT, cursor }: Paging) {
  const after = cursor === undefined ? undefined : decodeInstantCursor(cursor)
  const { data, next_cursor } = pageOf(await store.listMailboxes(ctx, after, limit + 1), limit)
  return { data: data.map(shown), next_cursor }
}

export async function getMailbox(ctx: Context, id: string): Promise<Mailbox> {
  return shown(existing(await store.findMailbox(ctx, id)))
}

/** It is tried first: what does not work is not kept. */
export async function createMailbox(ctx: Context, input: NewMailbox): Promise<Mailbox> {
  const { shared, address, password, imap, smtp } = input
  const owner_id = shared ? null : ctx.requirePerson().user_id
  refuseFor(ctx, owner_id)
  await checkNew(ctx, { ...input, owner_id })
  const username = input.username ?? address
  const found = await tried(ctx, { address, username, imap, smtp, secret: { kind: 'password', password } })
  return addMailbox(ctx, {
    kind: 'imap',
    owner_id,
    visibility: input.visibility ?? 'team',
    address,
    name: input.name ?? null,
    signature: input.signature ?? null,
    is_default: input.is_default ?? false,
    creates_leads: input.creates_leads ?? false,
    daily_limit: input.daily_limit ?? null,
    agent_id: input.agent_id ?? null,
    agent_mode: input.agent_mode ?? 'off',
    username,
    imap,
    smtp,
    secret: sealSecret(ctx, { password }),
    import_days: input.import_days ?? IMPORT_DAYS_DEFAULT,
    sent_folder: found.sent_folder,
  })
}

type Connected = Omit<
  MailboxRow,
  | keyof OwnTargets
  | 'id'
  | 'state'
  | 'note'
  | 'failing_since'
  | 'told'
  | 'checked_at'
  | 'wait_id'
  | 'created_at'
  | 'updated_at'
>

const AS_THE_TEAM: OwnTargets = {
  first_answer_min: null,
  next_answer_min: null,
  timezone: null,
  hours: null,
}

/** One that was tried. Reading begins at once. */
export async function addMailbox(ctx: Context, connected: Connected): Promise<Mailbox> {
  return ctx.transaction(async ctx => {
    const now = ctx.now()
    const id = ctx.newId()
    const row: MailboxRow = {
      id,
      ...connected,
      ...AS_THE_TEAM,
      state: 'NEW',
      note: null,
      failing_since: null,
      told: false,
      checked_at: now,
      wait_id: null,
      created_at: now,
      updated_at: now,
    }
    if (await store.isFull(ctx, MAILBOXES_MAX))
      throw new Problem('conflict', `A team can have ${MAILBOXES_MAX} mailboxes.`, {
        code: 'too_many_mailboxes',
      })
    if (row.is_default) store.unsetDefault(ctx, id)
    if (!(await store.insertMailbox(ctx, row))) throw taken(row.address)
    insertWatch(ctx, id)
    waitForNext(ctx, id, 0)
    const { address, kind } = row
    record(ctx, mailboxEvents.connected, aboutMailbox(row), { address, kind })
    return shown(row)
  })
}

export async function changeMailbox(
  ctx: Context,
  id: string,
  { password, ...change }: MailboxChange,
  ifMatch?: string,
): Promise<Mailbox> {
  const before = existing(await store.findMailbox(ctx, id))
  refuseFor(ctx, before.owner_id)
  checkChange(ctx, before, { password, ...change })
  await checkAgent(ctx, before, change)
  const found =
    password !== undefined ? await tried(ctx, await newLogin(ctx, before, { password, ...change })) : {}
  return ctx.transaction(async ctx => {
    const row = unchangedSince(existing(await store.lockMailbox(ctx, id)), ifMatch)
    const changes = difference(row, change as Partial<MailboxRow>)
    if (!changes && password === undefined) return shown(row)
    const fields: Partial<MailboxRow> = {
      ...changes?.after,
      ...found,
      ...(password !== undefined && { secret: sealSecret(ctx, { password }) }),
      updated_at: laterThan(ctx, row),
    }
    if (change.is_default) store.unsetDefault(ctx, id)
    store.updateMailbox(ctx, id, fields)
    if (changes) record(ctx, mailboxEvents.changed, aboutMailbox(row), changes)
    if ('sent_folder' in found) {
      noteWell(ctx, row)
      freeWatch(ctx, id)
      waitForNext(ctx, id, 0)
    }
    return shown({
      ...row,
      ...fields,
      ...('sent_folder' in found && { state: 'OK', note: null, failing_since: null }),
    })
  })
}

/** Conversations keep what came from it. */
export async function disconnectMailbox(ctx: Context, id: string, ifMatch?: string): Promise<void> {
  await ctx.transaction(async ctx => {
    const row = unchangedSince(existing(await store.lockMailbox(ctx, id)), ifMatch)
    refuseFor(ctx, row.owner_id)
    deleteWatch(ctx, id)
    await store.deleteMailbox(ctx, id)
    record(ctx, mailboxEvents.disconnected, aboutMailbox(row), { address: row.address })
  })
}

/** Both servers, now; what is new is read right after. */
export async function checkMailbox(ctx: Context, id: string): Promise<Mailbox> {
  const row = existing(await store.findMailbox(ctx, id))
  refuseFor(ctx, row.owner_id)
  const result = await checkNow(ctx, row)
  return ctx.transaction(async ctx => {
    const held = existing(await store.lockMailbox(ctx, id))
    if (result instanceof Error) await noteFailing(ctx, held, result)
    else {
      noteWell(ctx, held)
      store.updateMailbox(ctx, id, result)
      freeWatch(ctx, id)
      waitForNext(ctx, id, 0)
    }
    return shown(existing(await store.findMailbox(ctx, id)))
  })
}

/** The login and all that is a secret of it stays where it is. */
export function shown(row: MailboxRow): Mailbox {
  const { state, note, failing_since, checked_at } = row
  return {
    id: row.id,
    kind: row.kind,
    owner_id: row.owner_id,
    visibility: row.visibility,
    address: row.address,
    name: row.name,
    signature: row.signature,
    is_default: row.is_default,
    creates_leads: row.creates_leads,
    daily_limit: row.daily_limit,
    first_answer_min: row.first_answer_min,
    next_answer_min: row.next_answer_min,
    timezone: row.timezone,
    hours: row.hours,
    agent_id: row.agent_id,
    agent_mode: row.agent_mode,
    username: row.username,
    imap: row.imap,
    smtp: row.smtp,
    import_days: row.import_days,
    health: { state, note, failing_since, checked_at },
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

/** A personal mailbox is its owner's business, and an admin's; a shared one the admins'. */
export function refuseFor(ctx: Context, owner_id: string | null): void {
  const { role, user_id } = ctx.requirePerson()
  if (role && atLeast(role, 'ADMIN')) return
  if (owner_id !== null && owner_id === user_id) return
  const detail =
    owner_id === null
      ? 'Only an admin can set up shared mailboxes.'
      : 'Only its owner or an admin can change this mailbox.'
  throw new Problem('forbidden', detail, { code: 'insufficient_role' })
}

type Checked = Pick<
  NewMailbox,
  'address' | 'visibility' | 'is_default' | 'creates_leads' | 'agent_id' | 'agent_mode'
> & {
  owner_id: string | null
}

/** What can be said before anybody is asked. */
export async function checkNew(
  ctx: Context,
  { address, owner_id, visibility, is_default, creates_leads, agent_id, agent_mode }: Checked,
): Promise<void> {
  const faults: Fault[] = []
  if (owner_id === null && visibility === 'owner')
    faults.push({ path: 'visibility', message: 'must be team for a shared mailbox' })
  if (owner_id !== null && is_default)
    faults.push({ path: 'is_default', message: 'is only for shared mailboxes' })
  if (owner_id !== null && creates_leads)
    faults.push({ path: 'creates_leads', message: 'is only for shared mailboxes' })
  if (faults.length > 0) throw invalid(faults)
  if (await store.findByAddress(ctx, address)) throw taken(address)
  await checkAgent(ctx, { owner_id, agent_id: null, agent_mode: 'off' }, { agent_id, agent_mode })
}

/** A person's own correspondence is theirs. */
async function checkAgent(
  ctx: Context,
  before: Pick<MailboxRow, 'owner_id' | 'agent_id' | 'agent_mode'>,
  { agent_id, agent_mode }: Pick<MailboxChange, 'agent_id' | 'agent_mode'>,
): Promise<void> {
  const faults =
    before.owner_id !== null && agent_id
      ? [{ path: 'agent_id', message: 'is only for shared mailboxes' }]
      : await chosenAgentFaults(ctx, before, {
          ...(agent_id !== undefined && { agent_id }),
          ...(agent_mode !== undefined && { agent_mode }),
        })
  if (faults.length > 0) throw invalid(faults)
}

/** Both servers are asked; what is wrong with them is told of the field that it is about. */
export async function tried(ctx: Context, login: MailLogin): Promise<{ sent_folder: string | null }> {
  try {
    return await ctx.runtime.ports.mailboxServers.find(login)
  } catch (error) {
    if (!(error instanceof MailboxRefused || error instanceof MailboxUnavailable)) throw error
    const code = error instanceof MailboxRefused ? 'mailbox_refused' : 'mailbox_unavailable'
    const path = error.server ? `${error.server}.host` : 'password'
    throw new Problem('invalid', error.message, {
      code,
      errors: [{ path: error instanceof MailboxRefused ? 'password' : path, message: error.message }],
      cause: error,
    })
  }
}

async function checkNow(
  ctx: Context,
  row: MailboxRow,
): Promise<{ sent_folder: string | null } | MailboxRefused | MailboxUnavailable> {
  try {
    return await ctx.runtime.ports.mailboxServers.find(await loginOf(ctx, row))
  } catch (error) {
    if (error instanceof MailboxRefused || error instanceof MailboxUnavailable) return error
    throw error
  }
}

function checkChange(ctx: Context, row: MailboxRow, change: MailboxChange): void {
  const faults: Fault[] = []
  // What is stored was given for these servers, and goes to no others.
  if (row.kind === 'imap' && change.password === undefined && hasNewLogin(row, change))
    faults.push({ path: 'password', message: 'is needed when the user name or a server changes' })
  if (
    change.visibility !== undefined &&
    change.visibility !== row.visibility &&
    row.owner_id !== ctx.principal?.user_id
  )
    faults.push({ path: 'visibility', message: 'can only be changed by its owner' })
  if (row.kind !== 'imap')
    for (const path of ['username', 'password', 'imap', 'smtp'] as const)
      if (change[path] !== undefined)
        faults.push({ path, message: 'comes from the provider: connect the mailbox again' })
  if (row.owner_id === null && change.visibility === 'owner')
    faults.push({ path: 'visibility', message: 'must be team for a shared mailbox' })
  if (row.owner_id !== null && change.is_default)
    faults.push({ path: 'is_default', message: 'is only for shared mailboxes' })
  if (row.owner_id !== null && change.creates_leads)
    faults.push({ path: 'creates_leads', message: 'is only for shared mailboxes' })
  faults.push(...hoursFaults(change.hours ?? []))
  if (faults.length > 0) throw invalid(faults)
}

function hasNewLogin(row: MailboxRow, { username, imap, smtp }: MailboxChange): boolean {
  const isOther = (a: MailServer, b: MailServer | undefined) =>
    b !== undefined && (a.host !== b.host || a.port !== b.port || a.security !== b.security)
  return (
    (username !== undefined && username !== row.username) ||
    isOther(row.imap, imap) ||
    isOther(row.smtp, smtp)
  )
}

async function newLogin(
  ctx: Context,
  row: MailboxRow,
  { username, password, imap, smtp }: MailboxChange,
): Promise<MailLogin> {
  const login = await loginOf(ctx, row)
  return {
    ...login,
    username: username ?? login.username,
    imap: imap ?? login.imap,
    smtp: smtp ?? login.smtp,
    ...(password !== undefined && { secret: { kind: 'password', password } }),
  }
}

function existing(row: MailboxRow | undefined): MailboxRow {
  if (!row) throw new Problem('not_found', 'No such mailbox.')
  return row
}

function taken(address: string): Problem {
  return new Problem('conflict', `${address} is already connected.`, {
    code: 'address_taken',
    errors: [{ path: 'address', message: 'is already connected' }],
  })
}
