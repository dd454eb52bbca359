import { useInfiniteQuery } from '@tanstack/react-query'
import { PanelNote, PanelWaiting } from '../../ui/panel.tsx'
import { traceQuery } from '../../records/sequences/sequences-cache.ts'
import { TraceList } from '../../records/sequences/trace-list.tsx'
import { ShowOlder } from '../../ui/log-rows.tsx'

/** Every decision about this lead in this sequence, with its reason. */
export function Trace({ id }: { id: string }) {
  const query = useInfiniteQuery(traceQuery(id))
  const entries = query.data?.pages.flatMap(({ data }) => data)
  if (query.isError && !entries) return <PanelNote>Couldn't load the decisions.</PanelNote>
  if (!entries) return <PanelWaiting />
  if (entries.length === 0) return <PanelNote>No decisions yet.</PanelNote>
  return (
    <>
      <TraceList label="Decisions" entries={entries} />
      <ShowOlder query={query} />
    </>
  )
}
