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
import { providerNames } from '#platform/ports/signin.ts'
import { roles } from '#platform/scopes.ts'
import { invitationEndpoints } from './invitation-contract.ts'
import { keyEndpoints } from './key-contract.ts'
import { LINK_REQUESTS_PER_HOUR_MAX } from './values.ts'

/** Exactly the session the specification names: camelCase, `user: null` when nobody is signed in. */
export const Session = t.Object({
  user: nullable(
    t.Object({
      id: Id,
      name: t.String(),
      email: t.String(),
      image: t.Optional(t.String({ description: 'Avatar URL; absent if there is none' })),
      role: oneOf(roles),
      teamId: Id,
      teamRole: oneOf(roles),
    }),
  ),
  expires: t.Optional(Instant),
})
export type Session = Static<typeof Session>

export const Team = t.Object({ id: Id, name: t.String(), created_at: Instant, updated_at: Instant })
export type Team = Static<typeof Team>

export const Member = t.Object({
  id: Id,
  name: t.String(),
  email: t.String(),
  image: nullable(t.String({ description: 'Avatar URL' })),
  role: oneOf(roles),
  created_at: Instant,
})
export type Member = Static<typeof Member>

/** A team the signed-in person belongs to. */
export const OwnTeam = t.Object({
  id: Id,
  name: t.String(),
  role: oneOf(roles),
  active: t.Boolean(),
  /** When the person joined. */
  created_at: Instant,
})
export type OwnTeam = Static<typeof OwnTeam>

/** One browser in which the person is signed in. */
export const SignedInBrowser = t.Object({
  id: Id,
  team_id: Id,
  ip: nullable(t.String()),
  user_agent: nullable(t.String()),
  current: t.Boolean(),
  created_at: Instant,
  last_seen_at: Instant,
  expires_at: Instant,
})
export type SignedInBrowser = Static<typeof SignedInBrowser>

export type { Invitation } from './invitation-contract.ts'
export type { ApiKey } from './key-contract.ts'

const OneTime = t.Object({ token: t.String({ pattern: '^[A-Za-z0-9_-]{43}$' }) })
const ByProvider = t.Object({ provider: t.String({ pattern: '^[a-z]{1,20}$' }) })

const linkRequests = { name: 'link', quota: LINK_REQUESTS_PER_HOUR_MAX }

const refusedSignIn = {
  400: { description: 'The sign-in page with an error', media: 'text/html' },
  503: { description: 'The sign-in page: the provider is not responding', media: 'text/html' },
}
const usedUp = {
  404: { description: 'A page: the link is used, expired or invalid', media: 'text/html' },
}

export const endpoints = defineEndpoints({
  showSignIn: {
    method: 'GET',
    path: '/signin',
    summary: 'The sign-in page',
    auth: 'public',
    unchecked: true,
    media: 'text/html',
    hidden: true,
  },
  listProviders: {
    method: 'GET',
    path: '/api/auth/providers',
    summary: 'List the configured sign-in providers',
    auth: 'public',
    output: t.Object({
      data: t.Array(t.Object({ name: oneOf(providerNames), label: t.String(), url: t.String() })),
    }),
  },
  beginSignIn: {
    method: 'GET',
    path: '/api/auth/signin/:provider',
    summary: 'Redirect to the provider; return_to is the path to come back to',
    auth: 'public',
    params: ByProvider,
    query: t.Object({
      return_to: t.Optional(t.String({ description: 'Path on this site to go to after signing in' })),
    }),
    unchecked: true,
    status: 302,
    media: 'text/html',
    protocol: 'browser',
    besides: refusedSignIn,
  },
  finishSignIn: {
    method: 'GET',
    path: '/api/auth/callback/:provider',
    summary: 'Sign-in callback from the provider',
    auth: 'public',
    params: ByProvider,
    unchecked: true,
    status: 302,
    media: 'text/html',
    protocol: 'browser',
    besides: refusedSignIn,
  },
  readSession: {
    method: 'GET',
    path: '/api/auth/session',
    summary: 'Read the current session',
    auth: 'public',
    output: Session,
  },
  signOut: {
    method: 'POST',
    path: '/api/auth/signout',
    summary: 'Sign out of this session',
    auth: 'public',
  },
  showSigninLink: {
    method: 'GET',
    path: '/api/auth/link/:token',
    summary: 'Page of a one-time sign-in link; opening it does not use the link up',
    auth: 'public',
    params: OneTime,
    unchecked: true,
    media: 'text/html',
    protocol: 'browser',
    besides: usedUp,
  },
  redeemSigninLink: {
    method: 'POST',
    path: '/api/auth/link/:token',
    summary: 'Sign in with a one-time link',
    auth: 'public',
    params: OneTime,
    form: true,
    unchecked: true,
    status: 302,
    media: 'text/html',
    protocol: 'browser',
    besides: usedUp,
  },
  askForLink: {
    method: 'POST',
    path: '/api/auth/link',
    summary: 'Email a one-time sign-in link to a member; the response is the same for any address',
    auth: 'public',
    hourly: linkRequests,
    body: t.Object(
      {
        email: Email,
        return_to: t.Optional(t.String({ description: 'Path on this site to go to after signing in' })),
      },
      { additionalProperties: false },
    ),
    output: t.Object({ status: oneOf(['accepted']) }),
    status: 202,
  },
  askForLinkOnPage: {
    method: 'POST',
    path: '/signin',
    summary: 'Email a sign-in link, from the sign-in page',
    auth: 'public',
    hourly: linkRequests,
    form: true,
    media: 'text/html',
    hidden: true,
  },
  listSessions: {
    method: 'GET',
    path: '/api/auth/sessions',
    summary: 'List your active sessions',
    auth: { role: 'VIEWER' },
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(SignedInBrowser),
  },
  endSession: {
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    summary: 'Sign out one of your sessions; its next request fails',
    auth: { role: 'VIEWER' },
    params: ById,
  },
  endOtherSessions: {
    method: 'POST',
    path: '/api/auth/sessions/end_others',
    summary: 'Sign out all your other sessions',
    auth: { role: 'VIEWER' },
    output: t.Object({ ended: t.Integer() }),
  },
  listOwnTeams: {
    method: 'GET',
    path: '/api/auth/teams',
    summary: 'List your teams',
    auth: { role: 'VIEWER' },
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(OwnTeam),
  },
  createTeam: {
    method: 'POST',
    path: '/api/auth/teams',
    summary: 'Create another team, with you as SUPER_ADMIN',
    auth: { role: 'VIEWER' },
    body: t.Object({ name: Text }, { additionalProperties: false }),
    output: Team,
    status: 201,
  },
  readOwnTeam: {
    method: 'GET',
    path: '/api/auth/teams/:id',
    summary: 'Read one of your teams',
    auth: { role: 'VIEWER' },
    params: ById,
    output: Team,
  },
  switchTeam: {
    method: 'POST',
    path: '/api/auth/team',
    summary: 'Switch this session to another of your teams',
    auth: { role: 'VIEWER' },
    body: t.Object({ teamId: Id }, { additionalProperties: false }),
    output: Session,
  },
  showInvitation: {
    method: 'GET',
    path: '/api/auth/invitation/:token',
    summary: 'Page of an emailed invitation; opening it does not accept it',
    auth: 'public',
    params: OneTime,
    unchecked: true,
    media: 'text/html',
    protocol: 'browser',
    besides: usedUp,
  },
  acceptInvitation: {
    method: 'POST',
    path: '/api/auth/invitation/:token',
    summary: 'Accept an invitation and sign in with the invited address',
    auth: 'public',
    params: OneTime,
    form: true,
    unchecked: true,
    status: 302,
    media: 'text/html',
    protocol: 'browser',
  },
  readTeam: {
    method: 'GET',
    path: '/api/team',
    summary: 'Read the active team',
    auth: { role: 'VIEWER' },
    output: Team,
    etag: true,
  },
  changeTeam: {
    method: 'PATCH',
    path: '/api/team',
    summary: 'Rename the team',
    auth: { role: 'SUPER_ADMIN' },
    body: t.Object({ name: Text }, { additionalProperties: false }),
    output: Team,
    etag: true,
  },
  leaveTeam: {
    method: 'POST',
    path: '/api/team/leave',
    summary: 'Leave the team; not possible for the last SUPER_ADMIN',
    auth: { role: 'VIEWER' },
  },
  listMembers: {
    method: 'GET',
    path: '/api/team/members',
    summary: 'List team members',
    auth: { role: 'VIEWER' },
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(Member),
  },
  changeMember: {
    method: 'PATCH',
    path: '/api/team/members/:id',
    summary: "Change a member's role; takes effect with their next request",
    auth: { role: 'ADMIN' },
    params: ById,
    body: t.Object({ role: oneOf(roles) }, { additionalProperties: false }),
    output: Member,
  },
  removeMember: {
    method: 'DELETE',
    path: '/api/team/members/:id',
    summary: 'Remove a member; their sessions and connected apps in this team end immediately',
    auth: { role: 'ADMIN' },
    params: ById,
  },
  ...invitationEndpoints,
  ...keyEndpoints,
})

const Person = t.Object({ name: t.String(), email: t.String(), role: oneOf(roles) })
const Invited = t.Object({ email: t.String(), role: oneOf(roles) })

/** These can take access away, so open streams check again. */
const access = { live: 'access', bare: true } as const

export const signedIn = defineEvent('session.started', t.Object({ method: t.String() }))
export const signedOut = defineEvent('session.ended', t.Object({ sessions: t.Integer() }), access)
export const teamCreated = defineEvent('team.created', t.Object({ name: t.String() }))
export const teamChanged = defineEvent(
  'team.changed',
  t.Object({ before: t.Object({ name: t.String() }), after: t.Object({ name: t.String() }) }),
)
export const memberJoined = defineEvent('member.joined', Person)
export const memberLeft = defineEvent('member.left', Person, access)
export const memberRemoved = defineEvent('member.removed', Person, access)
export const memberRoleChanged = defineEvent(
  'member.role_changed',
  t.Object({ email: t.String(), before: oneOf(roles), after: oneOf(roles) }),
  access,
)
export const invitationCreated = defineEvent('invitation.created', Invited)
export const invitationResent = defineEvent('invitation.resent', Invited)
export const invitationRevoked = defineEvent('invitation.revoked', Invited)
