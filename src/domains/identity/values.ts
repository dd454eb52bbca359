export const invitationMailStatuses = ['QUEUED', 'SENDING', 'SENT', 'FAILED', 'UNKNOWN'] as const
export type InvitationMailStatus = (typeof invitationMailStatuses)[number]

export const INVITATION_LIFE_DAYS = 7
/** Mails to strangers are not sent without end. */
export const INVITATIONS_PENDING_MAX = 200
/** A team stays a team. */
export const TEAMS_PER_PERSON_MAX = 1_000
