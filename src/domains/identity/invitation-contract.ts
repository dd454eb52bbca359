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
  type Static,
} from '#platform/contract.ts'
import { roles } from '#platform/scopes.ts'
import { invitationMailStatuses } from './values.ts'

export const Invitation = t.Object({
  id: Id,
  email: t.String(),
  role: oneOf(roles),
  invited_by: nullable(Id),
  /** UNKNOWN: the email may or may not have been sent; it is not resent automatically. */
  mail_status: oneOf(invitationMailStatuses),
  expires_at: Instant,
  created_at: Instant,
  updated_at: Instant,
})
export type Invitation = Static<typeof Invitation>

export const invitationEndpoints = defineEndpoints({
  listInvitations: {
    method: 'GET',
    path: '/api/team/invitations',
    summary: 'List pending invitations',
    auth: { role: 'ADMIN' },
    query: t.Object({ ...paging }, { additionalProperties: false }),
    output: listOf(Invitation),
  },
  createInvitation: {
    method: 'POST',
    path: '/api/team/invitations',
    summary: 'Invite someone by email',
    auth: { role: 'ADMIN' },
    body: t.Object({ email: Email, role: oneOf(roles) }, { additionalProperties: false }),
    output: Invitation,
    status: 201,
  },
  readInvitation: {
    method: 'GET',
    path: '/api/team/invitations/:id',
    summary: 'Read a pending invitation',
    auth: { role: 'ADMIN' },
    params: ById,
    output: Invitation,
  },
  resendInvitation: {
    method: 'POST',
    path: '/api/team/invitations/:id/resend',
    summary: 'Resend an invitation with a new link, valid for another week',
    auth: { role: 'ADMIN' },
    params: ById,
    output: Invitation,
  },
  revokeInvitation: {
    method: 'DELETE',
    path: '/api/team/invitations/:id',
    summary: 'Revoke an invitation; its link stops working',
    auth: { role: 'ADMIN' },
    params: ById,
  },
})
