import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Member } from '#domains/identity/contract.ts'
import { atLeast } from '#platform/scopes.ts'
import { useIsAtLeast, useUser } from '../../queries.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Avatar } from '../../ui/person.tsx'
import { Time } from '../../ui/time.tsx'
import { nameOf, onButton, removeMember } from './member-writes.ts'
import { RoleMenu } from './role-menu.tsx'
import { roleNames } from '../../records/members/roles.ts'
import classes from '../../ui/person-rows.module.css'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'

export function MemberList({ members }: { members: Member[] }) {
  const isAdmin = useIsAtLeast('ADMIN')
  const user = useUser()
  const [removing, setRemoving] = useState<Member | null>(null)
  return (
    <>
      <ul className={`${rowsClasses.rows} ${classes.rows}`} data-columns="members" aria-label="People">
        {members.map(member => (
          <Row
            key={member.id}
            member={member}
            isSelf={member.id === user.id}
            // Only others can change your role: if you gave it up by mistake, you could not restore it.
            mayChange={isAdmin && member.id !== user.id && atLeast(user.teamRole, member.role)}
            remove={() => setRemoving(member)}
          />
        ))}
      </ul>
      {removing && (
        <Confirm
          title={`Remove ${nameOf(removing)}?`}
          verb={`Remove ${onButton(nameOf(removing))}`}
          act={() => removeMember(removing)}
          close={() => setRemoving(null)}
        >
          {`${nameOf(removing)} and the apps they connected lose access immediately. Their leads stay. To come back, they need an invitation.`}
        </Confirm>
      )}
    </>
  )
}

type RowProps = { member: Member; isSelf: boolean; mayChange: boolean; remove: () => void }

function Row({ member, isSelf, mayChange, remove }: RowProps) {
  return (
    <li>
      <div className={classes.person}>
        <Avatar name={nameOf(member)} id={member.id} size={32} />
        <div className={classes.who}>
          <div className={classes.name}>
            {nameOf(member)}
            {isSelf && <span className={classes.mark}>You</span>}
          </div>
          {member.name && <div className={textClasses.dim}>{member.email}</div>}
        </div>
      </div>
      <div className={classes.detail}>
        Joined <Time at={member.created_at} />
      </div>
      <div className={classes.role}>
        {mayChange ? <RoleMenu member={member} /> : <span>{roleNames[member.role]}</span>}
      </div>
      <div className={classes.acts}>
        {mayChange && (
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            onClick={remove}
            aria-label={`Remove ${nameOf(member)}`}
          >
            Remove
          </Button>
        )}
      </div>
    </li>
  )
}
