import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconCheck from 'icon:check'
import IconPlus from 'icon:plus'
import { useUser } from '../queries.ts'
import { Bar } from '../ui/states.tsx'
import { foundTeam, ownTeamsQuery, switchTeam } from './teams.ts'
import textClasses from '../ui/text.module.css'
import classes from './user-menu.module.css'

/** The user's teams, the active one checked. */
export function UserMenuTeams() {
  const { teamId } = useUser()
  const teams = useQuery(ownTeamsQuery)
  return (
    <>
      <Menu.Label>Team</Menu.Label>
      {teams.isPending && (
        <div className={classes.waiting}>
          <Bar width="70%" />
        </div>
      )}
      <div className={classes.teams}>
        <Menu.RadioGroup value={teamId} onChange={id => void switchTeam(id)} aria-label="Team">
          {teams.data?.map(({ id, name }) => (
            <Menu.RadioItem
              key={id}
              value={id}
              closeMenuOnClick
              checkIcon={<IconCheck size={16} />}
              classNames={{ itemLabel: textClasses.cut, itemIndicator: classes.check }}
              title={name}
            >
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </div>
      <Menu.Item leftSection={<IconPlus size={16} />} onClick={foundTeam}>
        New team…
      </Menu.Item>
    </>
  )
}
