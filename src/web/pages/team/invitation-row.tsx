import { Button } from '@mantine/core'
import type { Invitation } from '#domains/identity/contract.ts'
import { atLeast } from '#platform/scopes.ts'
import { useUser } from '../../queries.ts'
import { Time, useNow } from '../../ui/time.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { usePeople } from '../../records/leads/people.ts'
import { resend } from './invitation-writes.ts'
import { mailWords } from './mail-words.ts'
import { roleNames } from '../../records/members/roles.ts'
import classes from '../../ui/person-rows.module.css'
import textClasses from '../../ui/text.module.css'

export function InvitationRow({ invitation, takeBack }: { invitation: Invitation; takeBack: () => void }) {
  const { email, role, created_at } = invitation
  const user = useUser()
  const inviter = usePeople().get(invitation.invited_by ?? '')?.name
  const { busy, submit } = useSubmit(() => resend(invitation))
  return (
    <li>
      <div className={classes.who}>
        <div className={classes.name}>{email}</div>
        <div className={textClasses.dim}>
          {roleNames[role]}, invited <Time at={created_at} />
          {inviter && ` by ${inviter}`}
        </div>
      </div>
      <div>
        <Mail of={invitation} />
        <Expiry of={invitation} />
      </div>
      {/* No one can act on an invitation to a role above their own. */}
      <div className={classes.acts}>
        {atLeast(user.teamRole, role) && (
          <>
            <Button
              size="xs"
              variant="default"
              loading={busy}
              onClick={submit}
              aria-label={`Resend invitation to ${email}`}
            >
              Resend
            </Button>
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              onClick={takeBack}
              aria-label={`Revoke invitation to ${email}`}
            >
              Revoke
            </Button>
          </>
        )}
      </div>
    </li>
  )
}

function Mail({ of: { mail_status } }: { of: Invitation }) {
  const { text, about, worrying } = mailWords[mail_status]
  return (
    <div className={worrying && textClasses.bad} title={about}>
      {text}
    </div>
  )
}

function Expiry({ of: { expires_at } }: { of: Invitation }) {
  const hasExpired = Date.parse(expires_at) <= useNow()
  if (hasExpired) {
    return (
      <div>
        <span className={classes.mark} data-tone="fault">
          Expired
        </span>{' '}
        <span className={textClasses.dim}>
          <Time at={expires_at} />
        </span>
      </div>
    )
  }
  return (
    <div className={textClasses.dim}>
      Expires <Time at={expires_at} ahead />
    </div>
  )
}
