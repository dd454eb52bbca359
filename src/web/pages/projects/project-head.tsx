import { ActionIcon, Menu, NativeSelect, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import IconDots from 'icon:dots'
import IconFlag from 'icon:flag'
import IconPencil from 'icon:pencil'
import IconTrash from 'icon:trash'
import { useState } from 'react'
import type { Project } from '#domains/projects/contract.ts'
import { projectStatuses } from '#domains/projects/values.ts'
import { paths, patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { NARROW } from '../../ui/narrow.ts'
import { NameDialog } from '../../ui/seldom-dialogs.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { AccountLink } from '../../records/accounts/account-link.tsx'
import { projectStatusWords } from './project-status.ts'
import type { ProjectSearch, ProjectStatus } from './search.ts'
import classes from './project-page.module.css'
import { opportunities } from '../../records/opportunities/store.ts'
import { projects } from '../../records/projects/store.ts'

type Props = { project: Project; search: ProjectSearch; show: (search: ProjectSearch) => void }

export function ProjectHead({ project, search, show }: Props) {
  const navigate = useNavigate()
  const canWrite = useCan('projects:write')
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const [renaming, setRenaming] = useState(false)
  const setStatus = (status: ProjectStatus) =>
    void projects.change(
      project.id,
      { status },
      `${project.name} is now ${projectStatusWords[status].toLowerCase()}`,
    )
  const trash = () =>
    void projects
      .trash(project, `Moved ${project.name} and its tasks to the trash`)
      .then(done => done && void navigate({ to: paths.projects, search: {} }))
  return (
    <>
      <PageHead
        record
        title={project.name}
        beside={!narrow && <Origin project={project} />}
        actions={
          <>
            <SegmentedControl
              size="xs"
              aria-label="Show as"
              data={[
                { value: 'board', label: 'Board' },
                { value: 'list', label: 'List' },
              ]}
              value={search.view ?? 'board'}
              onChange={view =>
                show({ ...search, view: view === 'list' ? 'list' : undefined } as ProjectSearch)
              }
            />
            <NativeSelect
              size="xs"
              w={112}
              visibleFrom="sm"
              aria-label="Project status"
              data={projectStatuses.map(value => ({ value, label: projectStatusWords[value] }))}
              value={project.status}
              disabled={!canWrite}
              onChange={event => setStatus(event.currentTarget.value as ProjectStatus)}
            />
            {canWrite && (
              <Menu position="bottom-end">
                <Menu.Target>
                  <ActionIcon variant="default" aria-label="More actions for the project">
                    <IconDots size={16} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setRenaming(true)}>
                    Rename
                  </Menu.Item>
                  {narrow &&
                    projectStatuses
                      .filter(status => status !== project.status)
                      .map(status => (
                        <Menu.Item
                          key={status}
                          leftSection={<IconFlag size={16} />}
                          onClick={() => setStatus(status)}
                        >
                          Set to {projectStatusWords[status].toLowerCase()}
                        </Menu.Item>
                      ))}
                  <Menu.Item leftSection={<IconTrash size={16} />} onClick={trash}>
                    Move to trash
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            )}
          </>
        }
      />
      {narrow && <Origin project={project} />}
      {renaming && (
        <NameDialog
          title="Rename project"
          about="Everyone in the team sees the new name."
          verb="Rename"
          initial={project.name}
          missing="Enter a name"
          save={async name => {
            await projects.change(project.id, { name }, `Renamed ${project.name} to ${name}`)
          }}
          close={() => setRenaming(false)}
        />
      )}
    </>
  )
}

/** The deal it was created from, and its account. */
function Origin({ project: { opportunity_id, account_id } }: { project: Project }) {
  const deal = useQuery({
    ...opportunities.query(opportunity_id ?? ''),
    enabled: opportunity_id !== null,
  }).data
  if (!opportunity_id && !account_id) return null
  return (
    <span className={classes.origin}>
      {opportunity_id && (
        <Link to={patterns.opportunity} params={{ id: opportunity_id }}>
          From deal {deal?.name ?? '…'}
        </Link>
      )}
      {account_id && <AccountLink id={account_id} />}
    </span>
  )
}
