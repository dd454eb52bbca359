import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Member } from '#domains/identity/contract.ts'
import { teamQuery, useIsAtLeast } from '../../queries.ts'
import { FocusBack } from '../../ui/focus-back.ts'
import { Bar, Fault } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { plural } from '../../ui/words.ts'
import { LeaveTeam, OnlyOwner } from './leave-team.tsx'
import { RenameTeam } from './rename-team.tsx'
import classes from '../../ui/person-rows.module.css'
import textClasses from '../../ui/text.module.css'

/** The team's name, and how to leave it. */
export function TeamCard({ members }: { members: Member[] | undefined }) {
  const isOwner = useIsAtLeast('SUPER_ADMIN')
  const team = useQuery(teamQuery)
  const [open, setOpen] = useState<'rename' | 'leave' | 'only-owner' | null>(null)
  const close = () => setOpen(null)
  if (team.isError && !team.data) return <Fault error={team.error} retry={() => void team.refetch()} />
  return (
    <div className={classes.card}>
      <div className={classes.who}>
        <div className={classes.name}>{team.data?.name ?? <Bar width={160} />}</div>
        <div className={textClasses.dim}>
          {members ? plural(members.length, 'person', 'people') : <Bar width={60} />}
          {team.data && (
            <>
              {' · created '}
              <Time at={team.data.created_at} />
            </>
          )}
        </div>
      </div>
      <div className={classes.acts}>
        {isOwner && (
          <Button size="xs" variant="default" disabled={!team.data} onClick={() => setOpen('rename')}>
            Rename
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          disabled={!team.data || !members}
          onClick={() => setOpen('leave')}
        >
          Leave team
        </Button>
      </div>
      {open && <FocusBack key={open} />}
      {open === 'rename' && team.data && <RenameTeam team={team.data} close={close} />}
      {open === 'leave' && team.data && (
        <LeaveTeam
          team={team.data}
          refused={() => setOpen('only-owner')}
          close={() => setOpen(now => (now === 'leave' ? null : now))}
        />
      )}
      {open === 'only-owner' && <OnlyOwner alone={members?.length === 1} close={close} />}
    </div>
  )
}
