import type { InvitationMailStatus } from '#domains/identity/values.ts'

type Words = { text: string; about?: string; worrying?: true }

/** The state of an invitation email. */
export const mailWords: Record<InvitationMailStatus, Words> = {
  QUEUED: { text: 'Queued' },
  SENDING: { text: 'Sending …' },
  SENT: { text: 'Sent' },
  FAILED: {
    text: 'Sending failed, will retry',
    about: 'The mail server rejected it. Check the address.',
    worrying: true,
  },
  UNKNOWN: {
    text: 'May not have been delivered',
    about: 'The connection was lost while sending. Ask the person, or resend it.',
    worrying: true,
  },
}
