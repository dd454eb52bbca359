import { page, redirect, type Answer } from '#platform/answer.ts'
import type { Parameters } from '#platform/contract.ts'
import type { Context } from '#platform/context.ts'
import { searchOf } from '#platform/query.ts'
import { scopesOfRole } from '#platform/scopes.ts'
import { isStorable } from '#platform/storable.ts'
import { RETURN_TO_LENGTH_MAX, signInPath } from '#domains/identity/return-to.ts'
import { back } from './back.ts'
import { isDocumentAddress, readDocumentClient } from './client-document.ts'
import { makeCode } from './code.ts'
import { askForConsent } from './consent.ts'
import { faultPage } from './pages.ts'
import { isRegistered } from './redirect-uri.ts'
import { firstFault, one, requestFrom, type AuthorizationRequest } from './request.ts'
import * as store from './store.ts'

/**
 * GET /api/oauth/authorize. The client and where it wants to be redirected come first: a fault there is shown to the
 * person and never redirects. Every other fault is the client's to know, and goes back to it.
 */
export async function authorize(ctx: Context, parameters: Parameters): Promise<Answer> {
  const broken = Object.keys(parameters).find(
    name => ![name, ...[parameters[name] ?? []].flat()].every(isStorable),
  )
  if (broken !== undefined) return fault('The app sent an invalid character.', broken)
  const client_id = one(parameters, 'client_id')
  if (client_id === undefined) return fault('The app did not send a client_id.', 'client_id')
  if (isDocumentAddress(client_id) && !ctx.principal?.session_id) return toSignIn(parameters)
  const client = await knownClient(ctx, client_id)
  if (typeof client === 'string') return fault(client, 'client_id')
  const redirect_uri = one(parameters, 'redirect_uri')
  if (redirect_uri === undefined || !isRegistered(redirect_uri, client.redirect_uris))
    return fault("The app's redirect URI is not registered.", 'redirect_uri')

  const { baseUrl } = ctx.runtime.settings
  const refusal = firstFault({ parameters, allowed: client.scopes, baseUrl })
  if (refusal) return back(ctx, { redirect_uri, state: one(parameters, 'state') }, refusal)
  return proceed(ctx, client, requestFrom(parameters), () => toSignIn(parameters))
}

async function proceed(
  ctx: Context,
  client: store.ClientRow,
  request: AuthorizationRequest,
  signInFirst: () => Answer,
): Promise<Answer> {
  const { principal } = ctx
  const silent = request.prompt === 'none'
  if (!principal?.session_id || !principal.user_id || !principal.role)
    return silent ? back(ctx, request, refusal('login_required', 'Nobody is signed in.')) : signInFirst()
  const grant = await store.findGrant(ctx, client.id, principal.user_id, principal.team_id)
  const allowed = new Set(scopesOfRole(principal.role))
  const grantable = request.scopes.filter(scope => allowed.has(scope))
  const granted = grantable.length > 0 && grantable.every(scope => grant?.scopes.includes(scope))
  if (grant && granted && request.prompt !== 'consent') {
    const code = await ctx.transaction(async ctx =>
      makeCode(ctx, request, { id: grant.id, scopes: grantable }),
    )
    return back(ctx, request, { code })
  }
  if (silent)
    return back(ctx, request, refusal('consent_required', 'The user has not authorized this app yet.'))
  return askForConsent(ctx, client, request, principal.team_id)
}

/** The client, or in words why it is none. */
async function knownClient(ctx: Context, id: string): Promise<store.ClientRow | string> {
  if (isDocumentAddress(id)) return readDocumentClient(ctx, id)
  return (await store.findClient(ctx, id)) ?? 'This app does not exist. It may have been deleted.'
}

function refusal(error: string, error_description: string) {
  return { error, error_description }
}

function toSignIn(parameters: Parameters): Answer {
  const path = `/api/oauth/authorize?${searchOf(parameters).toString()}`
  if (path.length > RETURN_TO_LENGTH_MAX) return fault('The app’s request is too long.', 'the address')
  return redirect(signInPath(path))
}

function fault(words: string, parameter: string): Answer {
  return page(faultPage(words, parameter), 400)
}
