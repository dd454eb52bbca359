import { Button } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconPlus from 'icon:plus'
import IconWorldSearch from 'icon:world-search'
import { lazy, Suspense, useMemo } from 'react'
import type { ListedCandidate } from '#domains/candidates/contract.ts'
import { CONVERT_MAX } from '#domains/candidates/values.ts'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { useAsked } from '../../shell/asked.ts'
import { useKeys } from '../../ui/keys.ts'
import { close } from '../../ui/opened.ts'
import type { Bulk } from '../../ui/record-list/selection.ts'
import { RecordList } from '../../ui/record-list/record-list.tsx'
import { Empty } from '../../ui/states.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { candidateList } from '../../records/candidates/candidates-cache.ts'
import { candidatesSearch } from '../../records/candidates/search.ts'
import { Standing } from './crawl-status.tsx'
import { useCandidateKind } from './use-candidate-kind.tsx'

const AddDialog = lazy(() => import('./add-dialog.tsx').then(({ AddDialog }) => ({ default: AddDialog })))

const route = getRouteApi('/candidates')

/** Companies whose sites are crawled for facts; the promising ones become leads. */
export function CandidatesPage() {
  const raw = route.useSearch()
  const search = useMemo(() => candidatesSearch(raw), [raw])
  const navigate = useNavigate()
  const canWrite = useCan('leads:write')
  const [isAsked, ask] = useAsked('new-candidates')
  const kind = useCandidateKind(canWrite, search)
  useKeys(canWrite ? { n: ask } : {})
  return (
    <>
      <RecordList
        kind={kind}
        search={search}
        show={(next, replace = false) => void navigate({ to: paths.candidates, search: next, replace })}
        source={candidateList}
        summary={!search.trashed && <Standing />}
        bulk={canWrite ? bulk : undefined}
        action={
          canWrite && (
            <Button leftSection={<IconPlus size={16} />} onClick={ask}>
              Add candidates
            </Button>
          )
        }
        none={
          <Empty
            icon={<IconWorldSearch size={32} stroke={1.4} />}
            title="No candidates yet"
            action={canWrite && <Button onClick={ask}>Add your first candidates</Button>}
          >
            A candidate is a company you might sell to. Paste domains, and Rapport crawls their sites for
            emails, phone numbers, people and technologies, each with its source. Convert good fits to leads
            in one click.
          </Empty>
        }
      />
      {isAsked && canWrite && (
        <Suspense fallback={null}>
          <AddDialog close={close} />
        </Suspense>
      )}
    </>
  )
}

const bulk: Bulk<ListedCandidate> = {
  max: CONVERT_MAX,
  bar: selection => <BulkBar selection={selection} />,
}
