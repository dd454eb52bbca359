import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconFilterOff from 'icon:filter-off'
import { useMemo } from 'react'
import { entryKinds } from '#domains/credits/values.ts'
import { paths } from '../../paths.ts'
import { creditsQuery } from '../../queries.ts'
import { ListBar } from '../../ui/list-bar.tsx'
import { Listing } from '../../ui/list-page.tsx'
import { PageBody, PageHead, Section } from '../../ui/page-head.tsx'
import type { Filter } from '../../ui/record-list/filters.ts'
import type { ListSearch } from '../../ui/record-list/search.ts'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { entriesQuery } from './credits-cache.ts'
import { Entries } from './entries.tsx'
import { creditsSearch } from './search.ts'
import { Summary } from './summary.tsx'
import { kindWords } from './words.ts'
import classes from './credits.module.css'

const route = getRouteApi('/settings/credits')

const kinds = entryKinds.map(value => ({ value, label: kindWords[value] }))
const filters: Filter[] = [{ kind: 'choice', name: 'kind', label: 'Type', options: kinds }]

/** The team's credits, plan and ledger. */
export function CreditsPage() {
  useTitle('Credits')
  const raw: Record<string, unknown> = route.useSearch()
  const search = useMemo(() => creditsSearch(raw), [raw])
  const navigate = useNavigate()
  const credits = useQuery(creditsQuery)
  const entries = useInfiniteQuery({ ...entriesQuery(search), placeholderData: keepPreviousData })
  const set = (next: ListSearch) => void navigate({ to: paths.credits, search: next, replace: true })
  return (
    <>
      <PageHead title="Credits" />
      <PageBody>
        {credits.isError && !credits.data && (
          <Fault error={credits.error} retry={() => void credits.refetch()} />
        )}
        {credits.isPending && (
          <div role="status" aria-busy aria-label="Loading credits" className={classes.waiting}>
            <Bar width="100%" height={148} />
          </div>
        )}
        {credits.data && <Summary credits={credits.data} />}
        <Section
          title="Ledger"
          about="All credit changes, newest first. Entries are never changed or deleted."
        >
          <ListBar label="Ledger filters" filters={filters} search={search} set={set} inside />
          <Listing
            query={entries}
            waiting="Loading ledger"
            nothing={
              <Empty
                icon={<IconFilterOff size={30} stroke={1.4} />}
                title="No matches"
                compact
                action={
                  <Button variant="default" onClick={() => set({})}>
                    Clear filters
                  </Button>
                }
              >
                No entries of this kind yet.
              </Empty>
            }
          >
            {(shown, more) => (
              <>
                <Entries entries={shown} />
                {more}
              </>
            )}
          </Listing>
        </Section>
      </PageBody>
    </>
  )
}
