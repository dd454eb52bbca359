import { isEmail } from '#platform/contract.ts'
import type { Context } from '#platform/context.ts'
import { newSecret } from '#platform/ids.ts'
import { SigninRefused, type Attempt, type Profile, type SigninProvider } from '#platform/ports/signin.ts'
import { Problem } from '#platform/problem.ts'
import { seal, unseal } from '#platform/seal.ts'
import { cookie, cookieName, cookieValue, endedCookie } from './cookie.ts'
import { acceptAllFor } from './invitations.ts'
import { ensurePerson, getUser } from './people.ts'
import * as store from './store.ts'

const ATTEMPT_LIFE_MS = 10 * 60_000
const PURPOSE = 'sign-in attempt'
const NAME_LENGTH_MAX = 200

type Waiting = Attempt & { provider: string; return_to: string; until: string }

export function listProviders(ctx: Context) {
  return ctx.runtime.ports.signin.map(({ name, label }) => ({ name, label, url: `/api/auth/signin/${name}` }))
}

/** To the provider; the attempt waits in an encrypted cookie, so that only this browser can finish it. */
export async function beginSignIn(ctx: Context, name: string, return_to: string) {
  const provider = providerNamed(ctx, name)
  const { settings } = ctx.runtime
  const attempt: Attempt = {
    state: newSecret(),
    nonce: newSecret(),
    verifier: newSecret(),
    redirect_uri: `${settings.baseUrl}/api/auth/callback/${name}`,
  }
  const location = await provider.begin(attempt)
  const waiting: Waiting = { ...attempt, provider: name, return_to, until: ctx.in(ATTEMPT_LIFE_MS) }
  const sealed = seal(settings, PURPOSE, JSON.stringify(waiting)).replaceAll('=', '')
  return {
    location: location.href,
    cookie: cookie(settings, attemptCookie(ctx), sealed, ATTEMPT_LIFE_MS),
  }
}

/** Back from the provider: who it is, and where that person wanted to go. */
export async function finishSignIn(
  ctx: Context,
  name: string,
  query: URLSearchParams,
  cookies: string | undefined,
): Promise<{ user_id: string; return_to: string }> {
  const provider = providerNamed(ctx, name)
  const waiting = waitingAttempt(ctx, cookies)
  if (waiting?.provider !== name)
    throw new SigninRefused('invalid', 'This sign-in took too long or was started in another browser.')
  const callback = new URL(waiting.redirect_uri)
  callback.search = query.toString()
  const profile = await provider.finish(waiting, callback)
  const user = await personBehind(ctx, provider, profile)
  return { user_id: user.id, return_to: waiting.return_to }
}

/** An attempt is good for one answer. */
export function endedAttempt(ctx: Context): string {
  return endedCookie(ctx.runtime.settings, attemptCookie(ctx))
}

function providerNamed(ctx: Context, name: string): SigninProvider {
  const provider = ctx.runtime.ports.signin.find(candidate => candidate.name === name)
  if (!provider) throw new Problem('not_found', 'This sign-in method is not configured.')
  return provider
}

function attemptCookie(ctx: Context): string {
  return cookieName(ctx.runtime.settings, 'rapport_signin')
}

function waitingAttempt(ctx: Context, cookies: string | undefined): Waiting | undefined {
  const sealed = cookieValue(cookies, attemptCookie(ctx))
  const text = sealed && unseal(ctx.runtime.settings, PURPOSE, sealed)
  const waiting = text ? (JSON.parse(text) as Waiting) : undefined
  return waiting && waiting.until > ctx.now() ? waiting : undefined
}

/**
 * The user of the provider's subject. A new subject is linked to the user with the same address only if the
 * provider has verified it: otherwise anyone could enter someone else's address and get in.
 */
async function personBehind(
  ctx: Context,
  { name: provider, label }: SigninProvider,
  { subject, email, email_verified, name, image }: Profile,
): Promise<store.UserRow> {
  const known = await store.findIdentity(ctx, provider, subject)
  if (!known && !(email && email_verified && isEmail(email)))
    throw new SigninRefused('invalid', `${label} has not verified your email address.`)
  const user = known ? await getUser(ctx, known.user_id) : await newcomer(ctx, email!, name, image)
  // Somebody without a team joins those that wait for the address, before one is founded.
  if ((await store.listMemberships(ctx, user.id)).length === 0) await acceptAllFor(ctx, user)
  await ctx.transaction(async ctx => {
    const at = ctx.now()
    const seen = { email: email ?? known?.email ?? user.email, created_at: at, last_used_at: at }
    store.putIdentity(ctx, { provider, subject, user_id: user.id, ...seen })
    if (!user.image && isPicture(image)) store.updateImage(ctx, user.id, image)
  })
  return user
}

async function newcomer(ctx: Context, email: string, name: string | undefined, image: string | undefined) {
  const known = await store.findUserByEmail(ctx, email)
  if (known) return known
  const shown = name
    ?.replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, NAME_LENGTH_MAX)
  return ensurePerson(ctx, email, shown || undefined, isPicture(image) ? image : '')
}

function isPicture(image: string | undefined): image is string {
  return image !== undefined && image.length <= 2_000 && image.startsWith('https://') && URL.canParse(image)
}
