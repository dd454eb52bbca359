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
      image: t.Optional(t.String({ description: 'The address of the avatar; absent without one' })),
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
  image: nullable(t.String({ description: 'The address of the avatar' })),
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
  400: { description: 'The sign-in page, with the reason', media: 'text/html' },
  503: { description: 'The sign-in page: the provider does not answer', media: 'text/html' },
}
const usedUp = {
  404: { description: 'A page: the link was used, expired or never valid', media: 'text/html' },
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
    summary: 'The ways to sign in that are configured',
    auth: 'public',
    output: t.Object({
      data: t.Array(t.Object({ name: oneOf(providerNames), label: t.String(), url: t.String() })),
    }),
  },
  beginSignIn: {
    method: 'GET',
    path: '/api/auth/signin/:provider',
    summary: 'Go to the provider; return_to says where to come back to',
    auth: 'public',
    params: ByProvider,
    query: t.Object({
      return_to: t.Optional(t.String({ description: 'Where to go after signing in: a path of this site' })),
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
    summary: 'Come back from the provider',
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
    summary: 'Who is signed in',
    auth: 'public',
    output: Session,
  },
  signOut: {
    method: 'POST',
    path: '/api/auth/signout',
    summary: 'End this session',
    auth: 'public',
  },
  showSigninLink: {
    method: 'GET',
    path: '/api/auth/link/:token',
    summary: 'The page behind a one-time sign-in link; a mail scanner that opens it uses nothing up',
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
    summary: 'Have a one-time sign-in link mailed to a member; the answer is the same for any address',
    auth: 'public',
    hourly: linkRequests,
    body: t.Object(
      {
        email: Email,
        return_to: t.Optional(t.String({ description: 'Where to go after signing in: a path of this site' })),
      },
      { additionalProperties: false },
    ),
    output: t.Object({ status: oneOf(['accepted']) }),
    status: 202,
  },
  askForLinkOnPage: {
    method: 'POST',
    path: '/signin',
    summary: 'The same from the sign-in page',
    auth: 'public',
    hourly: linkRequests,
    form: true,
    media: 'text/html',
    hidden: true,
  },
  listSessions: {
    method: 'GET',
    path: '/api/auth/sessions',
    summary: 'Where the signed-in person is signed in',
    auth: { role: 'VIEWER' },
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(SignedInBrowser),
  },
  endSession: {
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    summary: 'Sign out one of the person’s own sessions; its next request fails',
    auth: { role: 'VIEWER' },
    params: ById,
  },
  endOtherSessions: {
    method: 'POST',
    path: '/api/auth/sessions/end_others',
    summary: 'Sign out everywhere else',
    auth: { role: 'VIEWER' },
    output: t.Object({ ended: t.Integer() }),
  },
  listOwnTeams: {
    method: 'GET',
    path: '/api/auth/teams',
    summary: 'The teams the signed-in person belongs to',
    auth: { role: 'VIEWER' },
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(OwnTeam),
  },
  createTeam: {
    method: 'POST',
    path: '/api/auth/teams',
    summary: 'Found a further team; the founder is its SUPER_ADMIN',
    auth: { role: 'VIEWER' },
    body: t.Object({ name: Text }, { additionalProperties: false }),
    output: Team,
    status: 201,
  },
  readOwnTeam: {
    method: 'GET',
    path: '/api/auth/teams/:id',
    summary: 'One of the teams the signed-in person belongs to',
    auth: { role: 'VIEWER' },
    params: ById,
    output: Team,
  },
  switchTeam: {
    method: 'POST',
    path: '/api/auth/team',
    summary: 'Work in another of one’s teams, in this session',
    auth: { role: 'VIEWER' },
    body: t.Object({ teamId: Id }, { additionalProperties: false }),
    output: Session,
  },
  showInvitation: {
    method: 'GET',
    path: '/api/auth/invitation/:token',
    summary: 'The page behind a mailed invitation; looking at it accepts nothing',
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
    summary: 'Join the team and sign in as the invited address',
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
    summary: 'The active team',
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
    summary: 'Leave the team; the last SUPER_ADMIN cannot',
    auth: { role: 'VIEWER' },
  },
  listMembers: {
    method: 'GET',
    path: '/api/team/members',
    summary: 'The people of the team',
    auth: { role: 'VIEWER' },
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(Member),
  },
  changeMember: {
    method: 'PATCH',
    path: '/api/team/members/:id',
    summary: 'Give a member another role; it counts at the next request',
    auth: { role: 'ADMIN' },
    params: ById,
    body: t.Object({ role: oneOf(roles) }, { additionalProperties: false }),
    output: Member,
  },
  removeMember: {
    method: 'DELETE',
    path: '/api/team/members/:id',
    summary: 'Remove a member; sessions and connected apps of that person in this team end at once',
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
