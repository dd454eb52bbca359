import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconMailPlus from 'icon:mail-plus'
import { useState } from 'react'
import type { Invitation } from '#domains/identity/contract.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Section } from '../../ui/page-head.tsx'
import { Empty, Fault } from '../../ui/states.tsx'
import { InvitationRow } from './invitation-row.tsx'
import { revoke } from './invitation-writes.ts'
import { invitationsQuery } from './lists.ts'
import { RowsSkeleton } from '../../ui/person-rows-skeleton.tsx'
import classes from '../../ui/person-rows.module.css'
import rowsClasses from '../../ui/rows.module.css'

/** Invitations not accepted yet. */
export function Invitations({ invite }: { invite: () => void }) {
  const invitations = useQuery(invitationsQuery)
  const [revoking, setRevoking] = useState<Invitation | null>(null)
  return (
    <Section title="Pending invitations" about="People who have not joined yet.">
      {invitations.isPending && <RowsSkeleton rows={1} />}
      {invitations.isError && !invitations.data && (
        <Fault error={invitations.error} retry={() => void invitations.refetch()} />
      )}
      {invitations.data?.length === 0 && (
        <Empty
          icon={<IconMailPlus size={30} stroke={1.4} />}
          title="No pending invitations"
          action={
            <Button variant="default" onClick={invite}>
              Invite someone
            </Button>
          }
          compact
        >
          Teammates join with a link sent by email.
        </Empty>
      )}
      {invitations.data && invitations.data.length > 0 && (
        <ul
          className={`${rowsClasses.rows} ${classes.rows}`}
          data-columns="invitations"
          aria-label="Pending invitations"
        >
          {invitations.data.map(invitation => (
            <InvitationRow
              key={invitation.id}
              invitation={invitation}
              takeBack={() => setRevoking(invitation)}
            />
          ))}
        </ul>
      )}
      {revoking && (
        <Confirm
          title="Revoke this invitation?"
          verb="Revoke invitation"
          act={() => revoke(revoking)}
          close={() => setRevoking(null)}
        >
          {`The link sent to ${revoking.email} stops working. You can invite them again later.`}
        </Confirm>
      )}
    </Section>
  )
}
