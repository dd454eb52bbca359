import { ActionIcon, Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import IconDots from 'icon:dots'
import IconFocusCentered from 'icon:focus-centered'
import IconHistory from 'icon:history'
import IconPencil from 'icon:pencil'
import IconPlayerPlay from 'icon:player-play'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { WorkflowInFull } from '#domains/workflows/contract.ts'
import { paths, patterns } from '../paths.ts'
import {
  duplicateWorkflow,
  exportWorkflow,
  discardDraft,
  setStatus,
  trashWorkflow,
} from '../records/workflows/workflow-writes.ts'
import { useCan } from '../queries.ts'
import { useCommands } from '../ui/commands.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { ButtonMenu, type MenuItem } from '../ui/menu.tsx'
import { NameDialog } from '../ui/seldom-dialogs.tsx'
import { Dotted } from '../ui/stage.tsx'
import { toast, toastFault, toastWithUndo } from '../ui/toast.ts'
import { UndoButtons } from '../ui/undo.tsx'
import type { WorkflowDraft } from './draft.ts'
import { SaveState } from '../ui/draft/save-state.tsx'
import textClasses from '../ui/text.module.css'
import classes from './builder.module.css'

const Publish = lazy(() =>
  import('./publish-dialog.tsx').then(({ PublishDialog }) => ({ default: PublishDialog })),
)
const Import = lazy(() =>
  import('./import-dialog.tsx').then(({ ImportDialog }) => ({ default: ImportDialog })),
)

type Props = {
  workflow: WorkflowInFull
  draft: WorkflowDraft
  /** No known errors. */
  isRight: boolean
  /** Called when publishing was attempted despite errors. */
  onRefused: () => void
  isTesting: boolean
  fit: () => void
  test: () => void
  children: ReactNode
}

/** Name, status and actions of the workflow. */
export function BuilderHead({ workflow, draft, isRight, onRefused, isTesting, fit, test, children }: Props) {
  const navigate = useNavigate()
  const canWrite = useCan('workflows:write')
  const [open, setOpen] = useState<'publish' | 'rename' | 'import' | null>(null)
  const { id, status, version } = workflow
  const name = draft.state.use(({ history }) => history.now.name)
  const isUnsaved = draft.state.use(({ saving }) => saving !== 'saved')
  const isChanged = workflow.has_draft || isUnsaved
  const isNews = isChanged || version === 0 || status === 'DRAFT'
  const close = () => setOpen(null)
  const trash = () =>
    void trashWorkflow(workflow).then(done => void (done && navigate({ to: paths.workflows })))

  async function publish() {
    const isSaved = await draft.save()
    const { problems } = draft.state.get().base
    if (!isSaved) toast("Couldn't publish: your changes are not saved.")
    else if (problems.length > 0) {
      onRefused()
      toast('Fix the errors before publishing.')
    } else setOpen('publish')
  }

  async function duplicate() {
    try {
      await draft.save()
      const copy = await duplicateWorkflow(workflow)
      void navigate({ to: patterns.workflow, params: { id: copy.id }, search: {} })
    } catch (error) {
      toastFault(error, "Couldn't duplicate workflow")
    }
  }

  async function discard() {
    try {
      await draft.save()
      const before = draft.state.get().history.now
      draft.seen(await discardDraft(id))
      toastWithUndo('Changes discarded', async () => draft.edit(() => before))
    } catch (error) {
      toastFault(error, "Couldn't discard changes")
    }
  }

  const group = 'This page' as const
  useCommands(
    canWrite
      ? [
          { id: 'publish', group, label: 'Publish workflow', run: () => void publish() },
          { id: 'test', group, label: 'Test workflow', words: 'try simulate', run: test },
          { id: 'rename', group, label: 'Rename workflow', run: () => setOpen('rename') },
          {
            id: 'trash',
            group,
            label: 'Move workflow to trash',
            words: 'delete remove',
            run: trash,
          },
        ]
      : [],
  )

  const exporting: MenuItem = {
    label: 'Export JSON',
    run: () => void draft.save().then(() => exportWorkflow(workflow)),
  }
  const runs: MenuItem = {
    label: 'Runs',
    run: () => void navigate({ to: patterns.workflowRuns, params: { id }, search: {} }),
  }
  const items: (MenuItem | 'divider')[] = canWrite
    ? [
        runs,
        { label: 'Rename', run: () => setOpen('rename') },
        { label: 'Duplicate workflow', run: () => void duplicate() },
        exporting,
        { label: 'Import JSON…', run: () => setOpen('import') },
        ...(isChanged ? [{ label: 'Discard changes', run: () => void discard() }] : []),
        ...(status === 'ACTIVE' ? [{ label: 'Pause', run: () => void setStatus(workflow, 'PAUSED') }] : []),
        ...(status === 'PAUSED' ? [{ label: 'Resume', run: () => void setStatus(workflow, 'ACTIVE') }] : []),
        'divider',
        { label: 'Move to trash', danger: true, run: trash },
      ]
    : [runs, exporting]

  return (
    <>
      <header className={classes.head}>
        <div className={classes.titles}>
          <h1 className={`${textClasses.cut} ${classes.title}`} tabIndex={-1}>
            {name}
          </h1>
          {canWrite && (
            <ActionIcon size="sm" aria-label="Rename workflow" onClick={() => setOpen('rename')}>
              <IconPencil size={14} />
            </ActionIcon>
          )}
          <span className={classes.status}>
            <Status workflow={workflow} />
            {isChanged && version > 0 && <Dotted tone="amber">Unpublished changes</Dotted>}
            {canWrite && <SaveState draft={draft} />}
          </span>
        </div>
        <div className={classes.tools}>
          {children}
          {canWrite && <UndoButtons draft={draft} variant="default" />}
          <ActionIcon
            variant="default"
            className={classes.wide}
            aria-label="Fit to view"
            title="Fit to view (0)"
            onClick={fit}
          >
            <IconFocusCentered size={16} />
          </ActionIcon>
          <LinkButton
            variant="default"
            visibleFrom="sm"
            to={patterns.workflowRuns}
            params={{ id }}
            search={{}}
            leftSection={<IconHistory size={16} />}
          >
            Runs
          </LinkButton>
          {canWrite && (
            <Button
              variant={isTesting ? 'light' : 'default'}
              aria-pressed={isTesting}
              leftSection={<IconPlayerPlay size={16} />}
              onClick={test}
            >
              Test run
            </Button>
          )}
          {canWrite && (
            <Button disabled={!isNews || !isRight} onClick={() => void publish()}>
              Publish
            </Button>
          )}
        </div>
        <div className={classes.menu}>
          <ButtonMenu
            button={
              <ActionIcon variant="default" aria-label={`More actions for ${name}`}>
                <IconDots size={16} />
              </ActionIcon>
            }
            items={items}
          />
        </div>
      </header>
      {open === 'rename' && (
        <NameDialog
          title="Rename workflow"
          about="Others see the new name after you publish."
          verb="Rename"
          initial={name}
          missing="A workflow needs a name."
          save={async next => draft.edit(content => ({ ...content, name: next }))}
          close={close}
        />
      )}
      <Suspense fallback={null}>
        {open === 'publish' && <Publish workflow={workflow} draft={draft} close={close} />}
        {open === 'import' && <Import draft={draft} close={close} />}
      </Suspense>
    </>
  )
}

function Status({ workflow: { status, version } }: { workflow: WorkflowInFull }) {
  if (status === 'DRAFT' || version === 0) return <Dotted tone="slate">Draft</Dotted>
  if (status === 'PAUSED') return <Dotted tone="amber">{`Paused v${version}`}</Dotted>
  return <Dotted tone="green">{`Active v${version}`}</Dotted>
}
