import { createHash } from 'node:crypto'
import { redirect, type Answer } from '#platform/answer.ts'
import { isoAt } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { isEmail } from '#platform/contract.ts'
import { isId, newSecret } from '#platform/ids.ts'
import { MailboxRefused, type MailboxProvider, type MailTokens } from '#platform/ports/mailbox.ts'
import { invalid, Problem, type Fault } from '#platform/problem.ts'
import { seal, unseal } from '#platform/seal.ts'
import { cookie, cookieName, cookieValue, endedCookie } from '#domains/identity/cookie.ts'
import type { ConnectQuery } from './contract.ts'
import { MAILBOXES_PATH, noteWell } from './health.ts'
import { laterThan, providerOf, sealSecret, type Secret } from './login.ts'
import { waitForNext } from './reading.ts'
import { addMailbox, refuseFor, tried } from './service.ts'
import * as store from './store.ts'
import { freeWatch } from './watch-store.ts'
import { IMPORT_DAYS_DEFAULT, IMPORT_DAYS_MAX } from './values.ts'

const ATTEMPT_LIFE_MS = 15 * 60_000
const PURPOSE = 'mailbox connection'

/** Why it did not come to a mailbox, for the page that the person returns to. */
type Failure = 'denied' | 'refused' | 'exists' | 'unavailable' | 'expired'

type Wish = ConnectQuery
type Attempt = Wish & {
  provider: string
  state: string
  verifier: string
  user_id: string
  team_id: string
  until: string
}

/** The query of a page comes as text. */
export function wishIn(query: Record<string, unknown>): Wish {
  const { mailbox_id, address, import_days, visibility } = query
  const faults: Fault[] = []
  const days = import_days === undefined ? undefined : Number(import_days)
  if (days !== undefined && !(Number.isInteger(days) && days >= 0 && days <= IMPORT_DAYS_MAX))
    faults.push({ path: 'import_days', message: `must be a number from 0 to ${IMPORT_DAYS_MAX}` })
  if (mailbox_id !== undefined && !isId(mailbox_id))
    faults.push({ path: 'mailbox_id', message: 'is not an ID' })
  if (address !== undefined && !(typeof address === 'string' && isEmail(address)))
    faults.push({ path: 'address', message: 'is not an email address' })
  const shared = query.shared === 'true'
  if (visibility === 'owner' && shared)
    faults.push({ path: 'visibility', message: 'must be team for a shared mailbox' })
  if (faults.length > 0) throw invalid(faults)
  return {
    shared,
    creates_leads: shared && query.creates_leads === 'true',
    visibility: visibility === 'owner' ? 'owner' : 'team',
    ...(days !== undefined && { import_days: days }),
    ...(mailbox_id !== undefined && { mailbox_id: mailbox_id as string }),
    ...(address !== undefined && { address: address as string }),
  }
}

/** To the provider; the attempt waits in an encrypted cookie, so that only this browser can finish it. */
export async function beginConnecting(ctx: Context, name: string, wish: Wish): Promise<Answer> {
  const { user_id } = ctx.requirePerson()
  const provider = providerNamed(ctx, name)
  const before = wish.mailbox_id === undefined ? undefined : await store.findMailbox(ctx, wish.mailbox_id)
  if (wish.mailbox_id !== undefined && before?.kind !== name)
    throw new Problem('not_found', 'No such mailbox.')
  refuseFor(ctx, before ? before.owner_id : wish.shared ? null : user_id)
  const attempt: Attempt = {
    ...wish,
    provider: name,
    state: newSecret(),
    verifier: newSecret(),
    user_id,
    team_id: ctx.team_id,
    until: ctx.in(ATTEMPT_LIFE_MS),
  }
  const location = await provider.authorizeUrl({
    state: attempt.state,
    code_challenge: createHash('sha256').update(attempt.verifier).digest('base64url'),
    redirect_uri: returnAddress(ctx),
    login_hint: before?.address ?? wish.address ?? null,
  })
  const { settings } = ctx.runtime
  const sealed = seal(settings, PURPOSE, JSON.stringify(attempt)).replaceAll('=', '')
  return redirect(location, [cookie(settings, attemptCookie(ctx), sealed, ATTEMPT_LIFE_MS)])
}

type Returned = { state?: string; code?: string; error?: string }

/** Back from the provider. Whatever came of it, the person returns to the page they left. */
export async function finishConnecting(
  ctx: Context,
  { state, code, error }: Returned,
  cookies: string | undefined,
): Promise<Answer> {
  const ended = [endedCookie(ctx.runtime.settings, attemptCookie(ctx))]
  const attempt = attemptIn(ctx, cookies)
  const back = (query: string) => redirect(`${MAILBOXES_PATH}?${query}`, ended)
  if (!attempt || attempt.state !== state) return back(failed('expired'))
  if (error !== undefined || code === undefined)
    return back(failed(error === 'access_denied' ? 'denied' : 'refused'))
  try {
    return back(`connected=${await connected(ctx, attempt, code)}`)
  } catch (error) {
    const failure = failureOf(error)
    if (failure === 'unavailable') ctx.log.warn({ err: error }, 'a mailbox could not be connected')
    return back(failed(failure))
  }
}

async function connected(ctx: Context, attempt: Attempt, code: string): Promise<string> {
  const provider = providerNamed(ctx, attempt.provider)
  const tokens = await provider.exchange({
    code,
    code_verifier: attempt.verifier,
    redirect_uri: returnAddress(ctx),
  })
  const { address } = tokens
  const { imap, smtp } = provider
  const secret = { kind: 'token' as const, token: tokens.access_token }
  const found = await tried(ctx, { address, username: address, imap, smtp, secret })
  const sealed = sealSecret(ctx, secretFrom(tokens))
  if (attempt.mailbox_id !== undefined) return again(ctx, attempt.mailbox_id, address, sealed)
  const { id } = await addMailbox(ctx, {
    kind: provider.name,
    owner_id: attempt.shared ? null : attempt.user_id,
    visibility: attempt.visibility ?? 'team',
    address,
    name: null,
    signature: null,
    is_default: false,
    creates_leads: attempt.creates_leads ?? false,
    daily_limit: null,
    agent_id: null,
    agent_mode: 'off',
    username: address,
    imap,
    smtp,
    secret: sealed,
    import_days: attempt.import_days ?? IMPORT_DAYS_DEFAULT,
    sent_folder: found.sent_folder,
  })
  return id
}

/** The same mailbox, whose permission had ended. */
async function again(ctx: Context, id: string, address: string, secret: string): Promise<string> {
  return ctx.transaction(async ctx => {
    const row = await store.lockMailbox(ctx, id)
    if (!row) throw new Problem('not_found', 'No such mailbox.')
    if (row.address.toLowerCase() !== address.toLowerCase())
      throw new MailboxRefused(`This is ${address}, not ${row.address}.`)
    store.updateMailbox(ctx, id, { secret, updated_at: laterThan(ctx, row) })
    noteWell(ctx, row)
    freeWatch(ctx, id)
    waitForNext(ctx, id, 0)
    return id
  })
}

function secretFrom({ access_token, expires_at, refresh_token }: MailTokens): Secret {
  if (refresh_token === null)
    throw new MailboxRefused('The provider gave no lasting permission. Allow access again.')
  return { access_token, expires_at: isoAt(Date.parse(expires_at)), refresh_token }
}

function failureOf(error: unknown): Failure {
  if (error instanceof MailboxRefused) return 'refused'
  if (error instanceof Problem && error.code === 'address_taken') return 'exists'
  if (error instanceof Problem && error.code === 'mailbox_refused') return 'refused'
  return 'unavailable'
}

function failed(failure: Failure): string {
  return `failed=${failure}`
}

function providerNamed(ctx: Context, name: string): MailboxProvider {
  const provider = providerOf(ctx, name)
  if (provider) return provider
  throw new Problem('not_found', 'Mailboxes of this provider are not set up. Ask your administrator.')
}

function returnAddress(ctx: Context): string {
  return `${ctx.runtime.settings.baseUrl}/api/mailboxes/connected`
}

function attemptCookie(ctx: Context): string {
  return cookieName(ctx.runtime.settings, 'rapport_mailbox')
}

function attemptIn(ctx: Context, cookies: string | undefined): Attempt | undefined {
  const sealed = cookieValue(cookies, attemptCookie(ctx))
  const text = sealed && unseal(ctx.runtime.settings, PURPOSE, sealed)
  const attempt = text ? (JSON.parse(text) as Attempt) : undefined
  const isOwn = attempt?.user_id === ctx.principal?.user_id && attempt?.team_id === ctx.team_id
  return attempt && isOwn && attempt.until > ctx.now() ? attempt : undefined
}
