import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useRef, useState } from 'react'
import type { Catalog, Warning, WorkflowInFull } from '#domains/workflows/contract.ts'
import { useUndoKeys } from '../ui/undo.tsx'
import { catalogQuery } from '../records/workflows/workflows-cache.ts'
import { paths } from '../paths.ts'
import { isProblem } from '../problem.ts'
import { useCan } from '../queries.ts'
import { useKeys } from '../ui/keys.ts'
import { PageHead } from '../ui/page-head.tsx'
import { Fault } from '../ui/states.tsx'
import { useTitle } from '../ui/title.ts'
import { SaveNotice } from '../ui/draft/save-notice.tsx'
import { BuilderHead } from './builder-head.tsx'
import type { CanvasHandle } from './canvas-contract.ts'
import { faultInWords, triggerOf, useNames } from './catalog.ts'
import { laterInWords } from './later.ts'
import { Canvas, CanvasWaiting } from './lazy-canvas.tsx'
import { TRIGGER } from './moves.ts'
import { ProblemList } from './problem-list.tsx'
import { problemsNow } from './problems.ts'
import type { Shown } from './test-panel.tsx'
import { inTwo } from './readiness.ts'
import { nodeAt, type TreeNode } from './tree.ts'
import { useWorkflowDraft } from './use-draft.ts'
import { useEdits } from './use-edits.ts'
import { useSelection } from './use-selection.ts'
import { WorkflowInTrash } from '../records/workflows/workflow-in-trash.tsx'
import classes from './builder.module.css'
import { workflows } from '../records/workflows/store.ts'

// The canvas loads first; panels follow.
const Panel = lazy(() => import('./panel/panel.tsx').then(({ Panel }) => ({ default: Panel })))
const TestPanel = lazy(() => import('./test-panel.tsx').then(({ TestPanel }) => ({ default: TestPanel })))

const route = getRouteApi('/workflows/$id')

export function BuilderPage() {
  const { id } = route.useParams()
  const query = useQuery(workflows.query(id))
  const catalog = useQuery(catalogQuery)
  const workflow = query.data
  useTitle(workflow?.name ?? 'Workflow')
  if (workflow?.deleted_at || (isProblem(query.error, 404) && query.error.code === 'in_trash'))
    return <WorkflowInTrash id={id} />
  const error = (!workflow && query.error) || (!catalog.data && catalog.error)
  const retry = () => void Promise.all([query.refetch(), catalog.refetch()])
  if (error) return <Fault whole error={error} retry={retry} />
  if (!workflow || !catalog.data) return <Waiting />
  return <Builder key={id} workflow={workflow} catalog={catalog.data} />
}

type Props = { workflow: WorkflowInFull; catalog: Catalog }

function Builder({ workflow, catalog }: Props) {
  const { id } = workflow
  const navigate = useNavigate()
  const canWrite = useCan('workflows:write')
  const canvas = useRef<CanvasHandle>(null)
  const draft = useWorkflowDraft(workflow)
  const content = draft.state.use(({ history }) => history.now)
  const base = draft.state.use(state => state.base)
  const saved = draft.state.use(state => state.saved)
  const problems = problemsNow(base.problems, saved.nodes, content.nodes)
  const [touched] = useState(() => new WeakSet<TreeNode>())
  const [tried, setTried] = useState(false)
  if (tried && problems.length === 0) setTried(false)
  const { wrong, unready } = inTwo(problems, { nodes: content.nodes, touched, tried })
  const warnings = problemsNow(base.warnings, saved.nodes, content.nodes)
  const names = useNames(catalog)
  const trigger = triggerOf(catalog, content.trigger)
  const { at, select } = useSelection(id, route.useSearch(), content.nodes)
  const [panel, setPanel] = useState<'step' | 'test' | undefined>(at === undefined ? undefined : 'step')
  /** Rises each time the panel should get the focus. */
  const [wanted, setWanted] = useState(0)
  const [test, setTest] = useState<Shown>()

  const began = test?.began
  const timeOf = useCallback(
    (moment: string) => laterInWords(Date.parse(moment) - Date.parse(began ?? moment)),
    [began],
  )

  const open = useCallback(
    (stop: string) => {
      select(stop)
      setPanel('step')
      setWanted(times => times + 1)
    },
    [select, setPanel, setWanted],
  )
  const touch = useCallback((node: TreeNode) => void touched.add(node), [touched])
  const edits = useEdits({ draft, catalog, names, select, open, touch })
  useUndoKeys(draft, canWrite)
  useKeys({ u: () => void navigate({ to: paths.workflows }) })

  const leave = () => canvas.current?.focus(at ?? TRIGGER)
  function close() {
    setPanel(undefined)
    setWanted(0)
    setTest(undefined)
    leave()
  }
  const inWords = (list: readonly Warning[]) =>
    list.map(problem => ({ ...problem, message: faultInWords(problem, content.nodes, catalog) }))
  const isStep = at === TRIGGER || (at !== undefined && nodeAt(content.nodes, at) !== undefined)

  return (
    <>
      <BuilderHead
        workflow={workflow}
        draft={draft}
        isRight={wrong.length === 0}
        onRefused={() => setTried(true)}
        isTesting={panel === 'test'}
        fit={() => canvas.current?.fit()}
        test={() => {
          if (panel === 'test') close()
          else setPanel('test')
        }}
      >
        {canWrite && (
          <ProblemList
            problems={wrong.length > 0 ? wrong : unready}
            isCalm={wrong.length === 0}
            nodes={content.nodes}
            catalog={catalog}
            names={names}
            jump={open}
          />
        )}
      </BuilderHead>
      <SaveNotice draft={draft} noun="workflow" />
      <div className={classes.body}>
        <Canvas
          ref={canvas}
          trigger={{ name: trigger.name, label: trigger.label, ...summary(content) }}
          nodes={content.nodes}
          names={names}
          selected={at}
          warnings={warnings}
          problems={inWords(wrong)}
          unready={inWords(unready)}
          {...(canWrite && { edits })}
          {...(test?.nodes === content.nodes && test)}
          timeOf={timeOf}
          onSelect={(stop, how) => {
            select(stop)
            if (stop === undefined && panel === 'step') {
              setPanel(undefined)
              setWanted(0)
            }
            if (stop !== undefined && how === 'pointer' && panel !== 'test') {
              setPanel('step')
              setWanted(0)
            }
          }}
          onOpen={open}
        />
        <Suspense fallback={null}>
          {panel === 'step' && at !== undefined && isStep && (
            <Panel
              stop={at}
              content={content}
              catalog={catalog}
              names={names}
              problems={wrong}
              warnings={warnings}
              canWrite={canWrite}
              edits={edits}
              change={(change, about) => draft.edit(before => ({ ...before, ...change }), about)}
              close={close}
              leave={leave}
              wanted={wanted}
            />
          )}
          {panel === 'test' && (
            <TestPanel
              key={content.trigger}
              id={id}
              draft={draft}
              trigger={trigger}
              names={names}
              selected={at}
              select={select}
              show={setTest}
              close={close}
              leave={leave}
            />
          )}
        </Suspense>
      </div>
    </>
  )
}

function summary({ filters, once_per_lead }: { filters: unknown[]; once_per_lead: boolean }) {
  const parts = [
    filters.length > 0 && `${filters.length} ${filters.length === 1 ? 'filter' : 'filters'}`,
    once_per_lead && 'once per lead',
  ].filter(Boolean)
  return parts.length > 0 ? { summary: parts.join(' · ') } : {}
}

function Waiting() {
  return (
    <>
      <PageHead title="Workflow" />
      <CanvasWaiting label="Loading workflow" />
    </>
  )
}
