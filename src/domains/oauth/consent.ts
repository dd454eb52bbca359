import { page, type Answer } from '#platform/answer.ts'
import { contentPolicy } from '#platform/content-policy.ts'
import type { Context } from '#platform/context.ts'
import { scopesOfRole, type Scope } from '#platform/scopes.ts'
import { seal, unseal } from '#platform/seal.ts'
import type { OwnTeam } from '#domains/identity/contract.ts'
import { getUser } from '#domains/identity/people.ts'
import { signInPath } from '#domains/identity/return-to.ts'
import { getTeamName, listOwnTeams } from '#domains/identity/teams.ts'
import { TEAMS_PER_PERSON_MAX } from '#domains/identity/values.ts'
import { back } from './back.ts'
import { makeCode } from './code.ts'
import { allow } from './grants.ts'
import { consentPage, faultPage } from './pages.ts'
import { formTarget, hostOf, isRegistered } from './redirect-uri.ts'
import { pathOf, type AuthorizationRequest } from './request.ts'
import * as store from './store.ts'

const CONSENT_LIFE_MS = 10 * 60_000
const PURPOSE = 'oauth consent'

/** What the page was shown for, and to which user: it comes back encrypted with the answer. */
type Pending = { request: AuthorizationRequest; session_id: string; team_id: string; until: string }

/** Shows the page. What it asks is bound to this session: nobody else who sits down at this browser can answer it. */
export async function askForConsent(
  ctx: Context,
  client: store.ClientRow,
  request: AuthorizationRequest,
  team_id: string,
  fault?: string,
): Promise<Answer> {
  const { user_id, session_id } = ctx.requirePerson()
  const teams = await teamsOf(ctx)
  const team = teams.find(team => team.id === team_id)
  if (!team) return page(faultPage('You are no longer a member of this team.', 'the team'), 400)
  const grant = await store.findGrant(ctx, client.id, user_id, team_id)
  const allowed = new Set<Scope>(scopesOfRole(team.role))
  const pending: Pending = { request, session_id: session_id!, team_id, until: ctx.in(CONSENT_LIFE_MS) }
  const text = consentPage({
    app: client.name,
    vouched: await whoVouches(ctx, client),
    host: hostOf(request.redirect_uri),
    user: await getUser(ctx, user_id),
    elsewhere: signInPath(pathOf(request)),
    teams,
    team_id,
    scopes: request.scopes.map(name => ({
      name,
      possible: allowed.has(name),
      granted: grant?.scopes.includes(name) ?? false,
    })),
    pending: seal(ctx.runtime.settings, PURPOSE, JSON.stringify(pending)),
    ...(fault !== undefined && { fault }),
  })
  const policy = contentPolicy({ formTarget: formTarget(request.redirect_uri) })
  return page(text, fault === undefined ? 200 : 422, { 'content-security-policy': policy })
}

/** POST of that page: allow, deny, or the same question for another team. */
export async function decide(ctx: Context, form: Record<string, string> = {}): Promise<Answer> {
  const pending = pendingIn(ctx, form.pending ?? '')
  if (!pending) return page(faultPage('This page has been open for too long.', 'the answer'), 400)
  const { principal } = ctx
  if (!principal?.user_id || principal.session_id !== pending.session_id)
    return page(faultPage('You are signed out or signed in as someone else.', 'the session'), 400)
  const { request } = pending
  const client = await store.findClient(ctx, request.client_id)
  if (!client || !isRegistered(request.redirect_uri, client.redirect_uris))
    return page(faultPage('The app was deleted or changed in the meantime.', 'the app'), 400)
  if (form.decision === 'switch') return askForConsent(ctx, client, request, form.team ?? pending.team_id)
  if (form.decision !== 'allow')
    return back(ctx, request, { error: 'access_denied', error_description: 'The user denied access.' })

  const team = (await teamsOf(ctx)).find(team => team.id === pending.team_id)
  if (!team) return page(faultPage('You are no longer a member of this team.', 'the team'), 400)
  // A team chosen in the list without pressing Switch was not what the ticks were about.
  if (form.team !== undefined && form.team !== team.id)
    return askForConsent(
      ctx,
      client,
      request,
      form.team,
      'Please review again: this is for the team you selected.',
    )
  const may = new Set<Scope>(scopesOfRole(team.role))
  const chosen = request.scopes.filter(scope => may.has(scope) && form[`scope.${scope}`] === 'on')
  if (chosen.length === 0)
    return askForConsent(ctx, client, request, team.id, 'Select at least one permission, or choose Deny.')
  const asked = request.scopes.filter(scope => may.has(scope))
  const user_id = principal.user_id
  const code = await ctx.forTeam(team.id).transaction(async ctx => {
    const grant = await allow(ctx, client, { user_id, role: team.role }, { asked, chosen })
    return makeCode(ctx, request, { id: grant.id, scopes: chosen })
  })
  return back(ctx, request, { code })
}

async function teamsOf(ctx: Context): Promise<OwnTeam[]> {
  return (await listOwnTeams(ctx, { limit: TEAMS_PER_PERSON_MAX })).data
}

function pendingIn(ctx: Context, sealed: string): Pending | undefined {
  const text = unseal(ctx.runtime.settings, PURPOSE, sealed)
  const pending = text === undefined ? undefined : (JSON.parse(text) as Pending)
  return pending && pending.until > ctx.now() ? pending : undefined
}

/** How far the app's name can be believed. */
async function whoVouches(ctx: Context, { source, team_id, id }: store.ClientRow): Promise<string> {
  switch (source) {
    case 'operator':
      return 'Set up by the operator of this installation.'
    case 'team':
      return `Set up by ${await getTeamName(ctx, team_id!)}, a team of this installation.`
    case 'document':
      return `Self-described at ${new URL(id).host}. Not verified by this installation.`
    case 'registration':
      return 'Self-registered. Not verified by this installation.'
  }
}
