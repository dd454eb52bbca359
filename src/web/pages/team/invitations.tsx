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

/** Who was invited and has not joined yet. */
export function Invitations({ invite }: { invite: () => void }) {
  const invitations = useQuery(invitationsQuery)
  const [revoking, setRevoking] = useState<Invitation | null>(null)
  return (
    <Section title="Open invitations" about="Who was invited and has not joined yet.">
      {invitations.isPending && <RowsSkeleton rows={1} />}
      {invitations.isError && !invitations.data && (
        <Fault error={invitations.error} retry={() => void invitations.refetch()} />
      )}
      {invitations.data?.length === 0 && (
        <Empty
          icon={<IconMailPlus size={30} stroke={1.4} />}
          title="Nobody is invited"
          action={
            <Button variant="default" onClick={invite}>
              Invite somebody
            </Button>
          }
          compact
        >
          Colleagues join by a link that is mailed to them.
        </Empty>
      )}
      {invitations.data && invitations.data.length > 0 && (
        <ul
          className={`${rowsClasses.rows} ${classes.rows}`}
          data-columns="invitations"
          aria-label="Open invitations"
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
          title="Take the invitation back?"
          verb="Take it back"
          act={() => revoke(revoking)}
          close={() => setRevoking(null)}
        >
          {`The link mailed to ${revoking.email} no longer works from then on. This cannot be undone, but you can invite them anew.`}
        </Confirm>
      )}
    </Section>
  )
}
