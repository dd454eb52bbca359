import { UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconSelector from 'icon:selector'
import { lazy, Suspense, useState } from 'react'
import { teamQuery, useUser } from '../queries.ts'
import { Avatar } from '../ui/person.tsx'
import { Bar } from '../ui/states.tsx'
import { founding } from './teams.ts'
import textClasses from '../ui/text.module.css'
import classes from './user-menu.module.css'

const UserMenuList = lazy(() =>
  import('./user-menu-list.tsx').then(({ UserMenuList }) => ({ default: UserMenuList })),
)
const NewTeam = lazy(() => import('./user-menu-new-team.tsx').then(({ NewTeam }) => ({ default: NewTeam })))

/** Team and user; the menu is loaded when first opened. */
export function UserMenu() {
  const user = useUser()
  const team = useQuery(teamQuery).data
  const [wanted, setWanted] = useState(false)
  const isFounding = founding.use(now => now)
  const button = (
    <UnstyledButton className={classes.user} aria-haspopup="menu" onClick={() => setWanted(true)}>
      <Avatar name={user.name || user.email} id={user.id} size={24} />
      <span className={classes.who}>
        <span className={`${textClasses.cut} ${classes.team}`}>{team ? team.name : <Bar width={90} />}</span>
        <span className={`${textClasses.meta} ${textClasses.cut}`}>{user.name || user.email}</span>
      </span>
      <IconSelector size={16} aria-hidden className={textClasses.dim} />
    </UnstyledButton>
  )
  return (
    <>
      {wanted ? (
        <Suspense fallback={button}>
          <UserMenuList button={button} />
        </Suspense>
      ) : (
        button
      )}
      {isFounding && (
        <Suspense fallback={null}>
          <NewTeam />
        </Suspense>
      )}
    </>
  )
}
