import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { isClosed } from '#domains/opportunities/values.ts'
import { paths, patterns } from '../../paths.ts'
import { useCan, useIsAtLeast } from '../../queries.ts'
import { stringifySearch } from '../../search-text.ts'
import { Board } from '../../ui/board/board.tsx'
import type { Column, Place } from '../../ui/board/places.ts'
import { nextPage } from '../../ui/next-page.ts'
import { RestMissing } from '../../ui/rest-missing.tsx'
import { Confirm } from '../../ui/seldom-dialogs.tsx'
import { stageTone } from '../../ui/stage.tsx'
import { Fault } from '../../ui/states.tsx'
import { toastWithAction } from '../../ui/toast.ts'
import { usePeople } from '../../records/leads/people.ts'
import { moveSum, stageQuery, sumsQuery } from './cache.ts'
import { useCreateProject } from '../../records/projects/create-project.ts'
import { DealFace, dealHeight } from './deal-face.tsx'
import { byStage, dealOf, type Deal } from './deals.ts'
import { dealName, moveWithToast, moves, stageInWords, toastClosed, type Move } from './moves.ts'
import type { Filters } from './search.ts'
import { Sums } from './sums.tsx'

type Props = { of: Deal['of']; stages: readonly string[]; filters: Filters }

/** Rendered with the stages as its key, so that the number of list queries never changes. */
export function DealBoard({ of, stages, filters }: Props) {
  const navigate = useNavigate()
  const canWrite = useCan('leads:write')
  const isAdmin = useIsAtLeast('ADMIN')
  const people = usePeople()
  const createProject = useCreateProject()
  const [reopening, setReopening] = useState<Move | null>(null)
  const underWay = moves.use(now => now)
  const sums = useQuery({ ...sumsQuery(of, filters), placeholderData: keepPreviousData })
  const lists = stages.map(stage =>
    // eslint-disable-next-line react/rules-of-hooks -- always the same stages, by the key
    useInfiniteQuery({ ...stageQuery(of, stage, filters), placeholderData: keepPreviousData }),
  )
  const face = useCallback((deal: Deal) => <DealFace deal={deal} people={people} />, [people])

  const board = underWay.reduce(
    (board, { deal, to }) => board && (deal.of === of ? moveSum(board, deal, deal.stage, to) : board),
    sums.data,
  )
  const named = stages.map(stage => stageInWords(of, stage))
  const loaded = lists.map(list => list.data?.pages.flatMap(({ data }) => data) ?? [])
  const before = useRef<ReadonlyMap<string, Deal[]>>(new Map())
  const standing = byStage(
    new Map(stages.map((stage, index) => [stage, loaded[index]!.map(record => dealOf(of, record))])),
    before.current,
    new Set(stages.filter((_, index) => lists[index]!.isFetching)),
  )
  useEffect(() => {
    before.current = standing
  })
  const columns = stages.map((stage, index): Column<Deal> => {
    const list = lists[index]!
    const sum = board?.columns.find(column => column.stage === stage)
    const cards = standing.get(stage) ?? []
    return {
      key: stage,
      name: named[index]!,
      tone: stageTone(named[index]!, named),
      count: sum?.count ?? cards.length,
      list: listOf(of, stage, filters),
      cards,
      about: <Sums sums={sum?.sums ?? []} weighted={of === 'opportunities'} />,
      empty: of === 'leads' ? 'No leads in this stage.' : 'No deals in this stage.',
      waiting: list.isPending,
      more:
        list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError
          ? () => void nextPage(list)
          : undefined,
      missing: list.hasNextPage && list.isFetchNextPageError && (
        <RestMissing error={list.error} busy={list.isFetchingNextPage} retry={() => void nextPage(list)} />
      ),
    }
  })

  async function carryOut({ deal, to }: Move) {
    if (!(await moveWithToast(deal, to, isAdmin))) return
    if (of === 'opportunities' && to === 'closed_won')
      toastWithAction(`${dealName(deal)} is won.`, 'Create project', () => void createProject(deal.id))
  }

  function move(deal: Deal, { column: to }: Place): boolean {
    if (deal.of === 'opportunities' && isClosed(deal.stage)) {
      if (isAdmin) setReopening({ deal, to })
      else toastClosed(deal)
      return false
    }
    void carryOut({ deal, to })
    return true
  }

  const broken = lists.find(list => list.isError && !list.data)
  if (broken) return <Fault error={broken.error} retry={() => void broken.refetch()} />
  return (
    <>
      <Board
        label={of === 'leads' ? 'Leads by stage' : 'Opportunities by stage'}
        noun={of === 'leads' ? 'leads' : 'opportunities'}
        columns={columns}
        nameOf={dealName}
        face={face}
        heightOf={dealHeight}
        hrefOf={hrefOf}
        open={({ of, id }) =>
          void (of === 'leads'
            ? navigate({ to: patterns.lead, params: { id }, search: {} })
            : navigate({ to: patterns.opportunity, params: { id } }))
        }
        canMove={canWrite}
        ordered={false}
        move={move}
      />
      {reopening && (
        <Confirm
          title={`Reopen ${dealName(reopening.deal)}?`}
          verb={`Reopen ${dealName(reopening.deal)}`}
          act={() => carryOut(reopening)}
          close={() => setReopening(null)}
        >
          {`It is ${stageInWords(of, reopening.deal.stage).toLowerCase()}. Reopening moves it to ${stageInWords(of, reopening.to)}.`}
        </Confirm>
      )}
    </>
  )
}

function listOf(of: Deal['of'], stage: string, filters: Filters): string {
  return of === 'leads'
    ? paths.leads + stringifySearch({ ...filters, pipeline_stage: [stage] })
    : paths.opportunities + stringifySearch({ ...filters, stage: [stage] })
}

function hrefOf({ of, id }: Deal): string {
  return of === 'leads' ? paths.lead(id) : paths.opportunity(id)
}
