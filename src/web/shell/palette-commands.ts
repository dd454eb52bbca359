import { useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { openNewMessage } from '../records/conversations/open-new-message.ts'
import { openNewInvoice } from '../records/invoices/open-new-invoice.ts'
import { openNewMeeting } from '../records/meetings/open-new-meeting.ts'
import { openNewOpportunity } from '../records/opportunities/open-new-opportunity.ts'
import { paths } from '../paths.ts'
import { useCan, useIsAtLeast, viewsQuery } from '../queries.ts'
import { parseSearch } from '../search-text.ts'
import type { ListSearch } from '../ui/record-list/search.ts'
import { undoLast } from '../ui/toast.ts'
import type { Command } from '../ui/commands.ts'
import { usePlaces } from './go.ts'
import { opened } from '../ui/opened.ts'
import { signOut } from './sign-out.ts'
import { foundTeam, ownTeamsQuery, switchTeam } from './teams.ts'

/** Commands available on every page. */
export function usePaletteCommands(): Command[] {
  const navigate = useNavigate()
  const canWrite = useCan('leads:write')
  const canWriteAccounts = useCan('accounts:write')
  const canWriteProjects = useCan('projects:write')
  const canWriteForms = useCan('forms:write')
  const canWriteWorkflows = useCan('workflows:write')
  const canAnswer = useCan('conversations:write')
  const canReachOut = useCan('outreach:write')
  const canBill = useCan('billing:write')
  const canWriteAgents = useCan('voice:write')
  const canCall = useCan('softphone:control')
  const canMeet = useCan('meetings:write')
  const isAdmin = useIsAtLeast('ADMIN')
  const views = useQuery(viewsQuery).data ?? []
  const otherTeams = useQuery(ownTeamsQuery).data?.filter(({ active }) => !active) ?? []
  const { setColorScheme } = useMantineColorScheme()
  const commands: Command[] = []
  if (canWrite) {
    commands.push({
      id: 'new-lead',
      group: 'Create',
      label: 'New lead',
      words: 'add create',
      keys: 'N',
      run: () => opened.set('new-lead'),
    })
  }
  if (canWrite) {
    commands.push({
      id: 'import',
      group: 'Create',
      label: 'Import leads',
      words: 'csv file upload add',
      run: () => void navigate({ to: paths.imports }),
    })
  }
  if (canWrite) {
    commands.push({
      id: 'new-candidates',
      group: 'Create',
      label: 'Add candidates',
      words: 'new company domain web site crawl lead generation',
      run: () => void navigate({ to: paths.candidates, search: {} }).then(() => opened.set('new-candidates')),
    })
  }
  if (canWrite) {
    commands.push({
      id: 'new-opportunity',
      group: 'Create',
      label: 'New opportunity',
      words: 'add create deal',
      run: () => openNewOpportunity(),
    })
  }
  if (canWriteAccounts) {
    commands.push({
      id: 'new-account',
      group: 'Create',
      label: 'New account',
      words: 'add create company',
      run: () => opened.set('new-account'),
    })
  }
  if (canBill) {
    commands.push({
      id: 'new-invoice',
      group: 'Create',
      label: 'New invoice',
      words: 'add create bill money payment',
      run: () => openNewInvoice(),
    })
  }
  if (canAnswer) {
    commands.push({
      id: 'new-message',
      group: 'Create',
      label: 'New message',
      words: 'write compose email sms text conversation',
      run: () => void navigate({ to: paths.conversations, search: {} }).then(() => openNewMessage()),
    })
  }
  if (canWriteAgents) {
    commands.push({
      id: 'new-agent',
      group: 'Create',
      label: 'New agent',
      words: 'add create voice call',
      run: () => void navigate({ to: paths.agents, search: {} }).then(() => opened.set('new-agent')),
    })
  }
  if (canCall) {
    commands.push({
      id: 'new-call',
      group: 'Create',
      label: 'Call a lead',
      words: 'start phone agent voice dial',
      run: () => void navigate({ to: paths.calls, search: {} }).then(() => opened.set('new-call')),
    })
  }
  if (canMeet) {
    commands.push({
      id: 'new-meeting',
      group: 'Create',
      label: 'New meeting',
      words: 'add create book appointment calendar',
      run: () => openNewMeeting(),
    })
  }
  if (canWriteProjects) {
    commands.push({
      id: 'new-project',
      group: 'Create',
      label: 'New project',
      words: 'add create board',
      run: () => opened.set('new-project'),
    })
  }
  if (canWriteProjects) {
    commands.push({
      id: 'new-task',
      group: 'Create',
      label: 'New task',
      words: 'add create to do',
      run: () => void navigate({ to: paths.tasks, search: {} }).then(() => opened.set('new-task')),
    })
  }
  if (canWriteForms) {
    commands.push({
      id: 'new-form',
      group: 'Create',
      label: 'New form',
      words: 'add create survey embed',
      run: () => void navigate({ to: paths.forms, search: {} }).then(() => opened.set('new-form')),
    })
  }
  if (canWriteWorkflows) {
    commands.push({
      id: 'new-workflow',
      group: 'Create',
      label: 'New workflow',
      words: 'add create automation trigger',
      run: () => void navigate({ to: paths.workflows, search: {} }).then(() => opened.set('new-workflow')),
    })
  }
  if (canReachOut) {
    commands.push({
      id: 'new-sequence',
      group: 'Create',
      label: 'New sequence',
      words: 'add create outreach mail sms',
      run: () => void navigate({ to: paths.sequences, search: {} }).then(() => opened.set('new-sequence')),
    })
  }
  if (isAdmin) {
    commands.push({
      id: 'invite',
      group: 'Create',
      label: 'Invite someone',
      words: 'add member colleague person user',
      run: () => void navigate({ to: paths.members }).then(() => opened.set('invite')),
    })
  }
  commands.push({
    id: 'new-team',
    group: 'Create',
    label: 'New team',
    words: 'add create workspace',
    run: foundTeam,
  })
  for (const place of usePlaces()) {
    commands.push({
      id: `go-${place.key}`,
      group: 'Go to',
      label: place.label,
      words: 'go open settings',
      keys: place.keys.toUpperCase(),
      run: () => void navigate({ to: place.to }),
    })
  }
  for (const view of views) {
    const search: ListSearch = { ...(parseSearch(view.query) as ListSearch), view: view.id }
    commands.push({
      id: view.id,
      group: 'Go to',
      label: view.name,
      words: `view ${view.kind}`,
      run: () => void navigate({ to: paths[view.kind], search }),
    })
  }
  for (const { id, name } of otherTeams) {
    commands.push({
      id: `switch-${id}`,
      group: 'Rapport',
      label: `Switch to ${name}`,
      words: 'team change workspace',
      run: () => void switchTeam(id),
    })
  }
  commands.push(
    {
      id: 'go-trash',
      group: 'Go to',
      label: 'Trash',
      words: 'deleted restore',
      keys: 'G T',
      run: () => void navigate({ to: paths.leads, search: { trashed: true } }),
    },
    {
      id: 'undo',
      group: 'Rapport',
      label: 'Undo last change',
      words: 'revert back',
      keys: 'Ctrl Z',
      run: undoLast,
    },
    {
      id: 'light',
      group: 'Rapport',
      label: 'Light theme',
      words: 'colours scheme mode',
      run: () => setColorScheme('light'),
    },
    {
      id: 'dark',
      group: 'Rapport',
      label: 'Dark theme',
      words: 'colours scheme mode',
      run: () => setColorScheme('dark'),
    },
    {
      id: 'auto',
      group: 'Rapport',
      label: 'System theme',
      words: 'colours scheme mode auto',
      run: () => setColorScheme('auto'),
    },
    {
      id: 'shortcuts',
      group: 'Rapport',
      label: 'Keyboard shortcuts',
      words: 'help keys',
      keys: '?',
      run: () => opened.set('shortcuts'),
    },
    { id: 'sign-out', group: 'Rapport', label: 'Sign out', words: 'log leave', run: () => void signOut() },
  )
  return commands
}
