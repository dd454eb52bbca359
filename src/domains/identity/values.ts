export const invitationMailStatuses = ['QUEUED', 'SENDING', 'SENT', 'FAILED', 'UNKNOWN'] as const
export type InvitationMailStatus = (typeof invitationMailStatuses)[number]

/** A forgotten key expires on its own. */
export const KEY_LIFE_DAYS = 365
export const KEY_LIFE_DAYS_MAX = 3_650
export const SERVICE_NAME_LENGTH_MAX = 100

/** A sign-in link in a mail, and how many are mailed to one person. */
export const MAILED_LINK_LIFE_MIN = 15
export const MAILED_LINKS_PER_HOUR_MAX = 5
/** How often one network may ask for such links. */
export const LINK_REQUESTS_PER_HOUR_MAX = 20

export const INVITATION_LIFE_DAYS = 7
/** Mails to strangers are not sent without end. */
export const INVITATIONS_PENDING_MAX = 200
/** A team stays a team. */
export const TEAMS_PER_PERSON_MAX = 1_000
