import { Button } from '@mantine/core'
import IconFileImport from 'icon:file-import'
import IconUserPlus from 'icon:user-plus'
import IconUsers from 'icon:users'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { useCan, useIsAtLeast } from '../../queries.ts'
import { opened } from '../../ui/opened.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import classes from './home.module.css'

/** Ways to start for a team without leads. */
export function Welcome() {
  const navigate = useNavigate()
  const canWrite = useCan('leads:write')
  const isAdmin = useIsAtLeast('ADMIN')
  const invite = () => void navigate({ to: paths.members }).then(() => opened.set('invite'))
  return (
    <div className={classes.welcome}>
      <h2>No leads yet</h2>
      <p>
        {canWrite
          ? 'Add your leads to see what is due, who replied and how your pipeline is doing.'
          : 'Once your team adds leads, this page shows what is due, who replied and how the pipeline is doing.'}
      </p>
      <ul>
        {canWrite && (
          <Way
            icon={<IconFileImport size={22} stroke={1.5} />}
            title="Import a list"
            about="From a spreadsheet or another CRM, as a CSV file."
            action={<LinkButton to={paths.imports}>Import leads</LinkButton>}
          />
        )}
        {canWrite && (
          <Way
            icon={<IconUserPlus size={22} stroke={1.5} />}
            title="Add a lead"
            about="Enter a person or company by hand."
            action={
              <Button variant="default" onClick={() => opened.set('new-lead')}>
                Create the first lead
              </Button>
            }
          />
        )}
        {isAdmin && (
          <Way
            icon={<IconUsers size={22} stroke={1.5} />}
            title="Invite your team"
            about="Everyone works on the same leads, tasks and deals."
            action={
              <Button variant="default" onClick={invite}>
                Invite people
              </Button>
            }
          />
        )}
      </ul>
    </div>
  )
}

type WayProps = { icon: ReactNode; title: string; about: string; action: ReactNode }

function Way({ icon, title, about, action }: WayProps) {
  return (
    <li>
      <span className={classes.icon} aria-hidden>
        {icon}
      </span>
      <h3>{title}</h3>
      <p>{about}</p>
      {action}
    </li>
  )
}
