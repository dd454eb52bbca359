import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { patterns } from '../../paths.ts'
import { cacheKeys, useCan } from '../../queries.ts'
import { Panel, PanelLine, PanelRecords } from '../../ui/panel.tsx'
import { Dotted } from '../../ui/stage.tsx'
import { count, inPlainWords } from '../../ui/words.ts'

const SHOWN_MAX = 100
const tones: Record<string, string> = { ACTIVE: 'blue', ON_HOLD: 'amber', DONE: 'green' }

export function AccountProjects({ id }: { id: string }) {
  const canRead = useCan('projects:read')
  const { data, isError } = useQuery({
    queryKey: [...cacheKeys.projects, 'of-account', id],
    queryFn: ({ signal }) =>
      api('GET /api/crm/projects', { query: { account_id: [id], limit: SHOWN_MAX, sort: 'name' }, signal }),
    enabled: canRead,
  })
  const projects = data?.data
  if (!canRead) return null
  return (
    <Panel title="Projects" beside={projects && projects.length > 0 && count(projects.length)}>
      <PanelRecords
        what="projects"
        records={projects}
        isError={isError}
        waiting={1}
        none="No projects yet. Create one from a won opportunity."
      >
        {({ id, name, status }) => (
          <PanelLine
            key={id}
            mark={<Dotted tone={tones[String(status)] ?? 'slate'}>{inPlainWords(String(status))}</Dotted>}
          >
            <Link to={patterns.project} params={{ id }} title={name}>
              {name}
            </Link>
          </PanelLine>
        )}
      </PanelRecords>
    </Panel>
  )
}
