import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconUserPlus from 'icon:user-plus'
import { useEffect } from 'react'
import { cacheKeys, useIsAtLeast, useUser } from '../../queries.ts'
import { queryClient } from '../../query-client.ts'
import { close, opened } from '../../ui/opened.ts'
import { PageBody, PageHead, Section } from '../../ui/page-head.tsx'
import { Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { Invitations } from './invitations.tsx'
import { Invite } from './invite.tsx'
import { everyMemberQuery } from './lists.ts'
import { MemberList } from './member-list.tsx'
import { RowsSkeleton } from '../../ui/person-rows-skeleton.tsx'
import { TeamCard } from './team-card.tsx'

const invite = () => opened.set('invite')

export function MembersPage() {
  useTitle('Members')
  const isAdmin = useIsAtLeast('ADMIN')
  const inviting = useInviting()
  const members = useQuery(everyMemberQuery)
  useOwnRole(members.data)
  return (
    <>
      <PageHead
        title="Members"
        actions={
          isAdmin && (
            <Button leftSection={<IconUserPlus size={16} />} onClick={invite}>
              Invite
            </Button>
          )
        }
      />
      <PageBody>
        <Section title="Team">
          <TeamCard members={members.data} />
        </Section>
        <Section title="People" about="Team members and their roles.">
          {members.isPending && <RowsSkeleton rows={3} />}
          {members.isError && !members.data && (
            <Fault error={members.error} retry={() => void members.refetch()} />
          )}
          {members.data && <MemberList members={members.data} />}
        </Section>
        {isAdmin && <Invitations invite={invite} />}
      </PageBody>
      {inviting && <Invite close={close} />}
    </>
  )
}

/** The palette opens it too, from every page; leaving with the browser's Back button closes it. */
function useInviting(): boolean {
  useEffect(
    () => () => {
      if (opened.get() === 'invite') close()
    },
    [],
  )
  return opened.use(now => now === 'invite')
}

/** Reloads the session when someone has changed our role. */
function useOwnRole(members: { id: string; role: string }[] | undefined): void {
  const { id, teamRole } = useUser()
  const role = members?.find(member => member.id === id)?.role
  useEffect(() => {
    if (role && role !== teamRole) void queryClient.invalidateQueries({ queryKey: cacheKeys.session })
  }, [role, teamRole])
}
