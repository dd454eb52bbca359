import { isoAt } from '#platform/clock.ts'
import type { Context } from '#platform/context.ts'
import { MailboxRefused, type MailboxProvider, type MailLogin } from '#platform/ports/mailbox.ts'
import { seal, unseal } from '#platform/seal.ts'
import { nextVersion } from '#platform/version.ts'
import * as store from './store.ts'
import type { MailboxRow } from './store.ts'

const PURPOSE = 'mailbox login'
/** A token that ends within this time is renewed before it is used. */
const RENEW_BEFORE_MS = 5 * 60_000

/** A password, or the tokens of a provider. */
export type Secret =
  | { password: string }
  | { refresh_token: string; access_token: string; expires_at: string }

export function sealSecret(ctx: Context, secret: Secret): string {
  return seal(ctx.runtime.settings, PURPOSE, JSON.stringify(secret))
}

/** What its servers want to see; a token that has ended is renewed on the way. */
export async function loginOf(ctx: Context, row: MailboxRow): Promise<MailLogin> {
  const { address, username, imap, smtp } = row
  const secret = secretOf(ctx, row)
  if ('password' in secret)
    return { address, username, imap, smtp, secret: { kind: 'password', password: secret.password } }
  const { access_token: token } = isFresh(ctx, secret) ? secret : await renewed(ctx, row)
  return { address, username, imap, smtp, secret: { kind: 'token', token } }
}

/** Changes with everything that a connection is opened with, but for a token: that is asked for each time. */
export function versionOfLogin({ updated_at, secret }: MailboxRow): string {
  return `${updated_at} ${secret.slice(0, 24)}`
}

export function providerOf(ctx: Context, kind: string): MailboxProvider | undefined {
  return ctx.runtime.ports.mailboxProviders.find(({ name }) => name === kind)
}

type Tokens = Extract<Secret, { refresh_token: string }>

function secretOf(ctx: Context, { secret }: MailboxRow): Secret {
  const text = unseal(ctx.runtime.settings, PURPOSE, secret)
  if (text === undefined)
    throw new MailboxRefused('The password can no longer be read. Connect the mailbox again.')
  return JSON.parse(text) as Secret
}

function isFresh(ctx: Context, { expires_at }: Tokens): boolean {
  return expires_at > ctx.in(RENEW_BEFORE_MS)
}

/** One at a time: some providers take a refresh token once. */
async function renewed(ctx: Context, { id, kind }: MailboxRow): Promise<Tokens> {
  const provider = providerOf(ctx, kind)
  if (!provider)
    throw new MailboxRefused('Sign-in with this provider is not set up any more. Ask your administrator.')
  return ctx.transaction(async ctx => {
    const row = await store.lockMailbox(ctx, id)
    if (!row) throw new MailboxRefused('The mailbox was disconnected.')
    const before = secretOf(ctx, row)
    if ('password' in before || isFresh(ctx, before)) return before as Tokens
    const { access_token, expires_at, refresh_token } = await provider.refresh(before.refresh_token)
    const tokens = {
      access_token,
      expires_at: isoAt(Date.parse(expires_at)),
      refresh_token: refresh_token ?? before.refresh_token,
    }
    store.updateMailbox(ctx, id, { secret: sealSecret(ctx, tokens) })
    return tokens
  })
}

/** The next version of a mailbox that is changed. */
export function laterThan(ctx: Context, { updated_at }: MailboxRow): string {
  return nextVersion(updated_at, ctx.now())
}
