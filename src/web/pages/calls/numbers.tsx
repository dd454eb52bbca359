import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconChartBar from 'icon:chart-bar'
import type { Analytics } from '#domains/softphone/contract.ts'
import { paths } from '../../paths.ts'
import { ListBar } from '../../ui/list-bar.tsx'
import { valuesOf, type ListSearch } from '../../ui/record-list/search.ts'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { count } from '../../ui/words.ts'
import { useAgentOptions } from './call-filters.tsx'
import { numbersQuery } from '../../records/calls/calls-cache.ts'
import { Chart } from './chart.tsx'
import { bucketsOf, latencyInWords, shareInWords } from './numbers.ts'
import { periods, type Period } from '../../records/calls/search.ts'
import table from '../../ui/table.module.css'
import pageClasses from '../../ui/page.module.css'
import classes from './numbers.module.css'

const periodWords: Record<Period, string> = {
  '1d': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
}

const periodOptions = (['1d', '7d', '30d', '90d'] as const).map(value => ({
  value,
  label: periodWords[value],
}))

type Props = { search: ListSearch; set: (next: ListSearch) => void }

/** Agent performance: volume, speed and success. */
export function Numbers({ search, set }: Props) {
  const agents = useAgentOptions(search)
  const period = periods.find(each => each === valuesOf(search, 'period')[0]) ?? periods[0]
  const [agent_id] = valuesOf(search, 'agent_id')
  const query = useQuery({ ...numbersQuery(period, agent_id), placeholderData: keepPreviousData })
  const numbers = query.data
  return (
    <div className={pageClasses.scroll}>
      <ListBar
        label="Performance filters"
        filters={[
          {
            kind: 'choice',
            name: 'period',
            label: 'Period',
            options: periodOptions,
            single: true,
            usual: periods[0],
          },
          { kind: 'choice', name: 'agent_id', label: 'Agent', options: agents, single: true },
        ]}
        search={search}
        set={set}
      />
      <div className={pageClasses.body} aria-busy={query.isPlaceholderData}>
        {query.isError && !numbers && <Fault error={query.error} retry={() => void query.refetch()} />}
        {query.isPending && (
          <div role="status" aria-busy aria-label="Loading agent performance">
            <Bar width="100%" height={240} />
          </div>
        )}
        {numbers && numbers.agents.length === 0 && (
          <Empty icon={<IconChartBar size={30} stroke={1.4} />} title="No agent calls in this period">
            Speed and success appear here once agents make or answer calls.
          </Empty>
        )}
        {numbers && numbers.agents.length > 0 && <Shown numbers={numbers} />}
      </div>
    </div>
  )
}

function Shown({ numbers }: { numbers: Analytics }) {
  const buckets = bucketsOf(numbers)
  return (
    <>
      {buckets.length > 0 && <Chart buckets={buckets} />}
      <h2 className={pageClasses.heading}>By agent</h2>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
      <div className={table.wrap} role="region" aria-label="Performance by agent" tabIndex={0}>
        <table className={`${table.table} ${classes.table}`}>
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <th scope="col">Calls</th>
              <th scope="col">Answered</th>
              <th scope="col">Minutes</th>
              <th scope="col">Meetings</th>
              <th scope="col">Responses</th>
              <th scope="col">Failed</th>
              <th scope="col" title="Half of the responses started within this time">
                Typical wait
              </th>
              <th scope="col" title="19 of 20 responses started within this time">
                Slowest 5 %
              </th>
            </tr>
          </thead>
          <tbody>
            {numbers.agents.map(agent => (
              <tr key={agent.agent_id ?? 'none'}>
                <th scope="row">{agent.name ?? 'No agent'}</th>
                <td>
                  {agent.agent_id ? (
                    <Link to={paths.calls} search={{ agent_id: agent.agent_id }}>
                      {count(agent.calls)}
                    </Link>
                  ) : (
                    count(agent.calls)
                  )}
                </td>
                <td>{shareInWords(agent.connected, agent.calls)}</td>
                <td>{count(Math.round(agent.minutes * 10) / 10)}</td>
                <td>{count(agent.meetings)}</td>
                <td>{count(agent.responses)}</td>
                <td data-bad={agent.failed > 0 || undefined}>
                  {shareInWords(agent.failed, agent.responses)}
                </td>
                <td>{latencyInWords(agent.latency_p50_ms)}</td>
                <td>{latencyInWords(agent.latency_p95_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
