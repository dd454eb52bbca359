import type { InvitationMailStatus } from '#domains/identity/values.ts'

type Words = { text: string; about?: string; worrying?: true }

/** How far the mail of an invitation has come. */
export const mailWords: Record<InvitationMailStatus, Words> = {
  QUEUED: { text: 'Waiting to be sent' },
  SENDING: { text: 'Being sent' },
  SENT: { text: 'Sent' },
  FAILED: {
    text: 'Could not be sent; tried again',
    about: 'The mail server refused it. Is the address right?',
    worrying: true,
  },
  UNKNOWN: {
    text: 'May not have arrived',
    about: 'The connection broke while it was sent. Ask, or send it again.',
    worrying: true,
  },
}
