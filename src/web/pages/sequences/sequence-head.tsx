import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import IconDots from 'icon:dots'
import IconPlayerPause from 'icon:player-pause'
import IconPlayerPlay from 'icon:player-play'
import IconUserPlus from 'icon:user-plus'
import { lazy, Suspense, useState } from 'react'
import type { SequenceWithWarnings } from '#domains/sequences/contract.ts'
import { paths, patterns } from '../../paths.ts'
import { useCommands, type Command } from '../../ui/commands.ts'
import { ButtonMenu } from '../../ui/menu.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { toast, toastFault } from '../../ui/toast.ts'
import type { StepsDraft } from './draft.ts'
import { SaveButton } from './save-button.tsx'
import type { SequenceSearch } from '../../records/sequences/search.ts'
import { duplicateSequence, setStatus } from '../../records/sequences/sequence-writes.ts'
import { numbersQuery } from '../../records/sequences/sequences-cache.ts'
import { Status } from './status.tsx'
import classes from '../../ui/draft-page.module.css'
import { sequences } from '../../records/sequences/store.ts'

const Activate = lazy(() =>
  import('./activate-dialog.tsx').then(({ ActivateDialog }) => ({ default: ActivateDialog })),
)
const Enrol = lazy(() =>
  import('../../records/sequences/enrol-dialog.tsx').then(({ EnrolDialog }) => ({ default: EnrolDialog })),
)
const Versions = lazy(() => import('./versions.tsx').then(({ Versions }) => ({ default: Versions })))

type Props = {
  sequence: SequenceWithWarnings
  draft: StepsDraft
  show: (search: SequenceSearch, replace?: boolean) => void
}

/** Name, status and actions. */
export function SequenceHead({ sequence, draft, show }: Props) {
  const navigate = useNavigate()
  const { name, status } = sequence
  const [open, setOpen] = useState<'activate' | 'enrol' | 'versions' | null>(null)
  const isUnsaved = draft.state.use(({ saving }) => saving !== 'saved')
  // Loaded early, so that saving knows whether leads are active.
  useQuery(numbersQuery(sequence.id))
  const close = () => setOpen(null)
  const trash = () =>
    void sequences.trash(sequence).then(done => void (done && navigate({ to: paths.sequences })))

  function activate() {
    if (isUnsaved) toast('Save the steps first: only saved steps are sent.')
    else setOpen('activate')
  }

  function enrol() {
    if (sequence.steps.length === 0) toast('Add and save a step first.')
    else setOpen('enrol')
  }

  async function duplicate() {
    try {
      const { id } = await duplicateSequence(sequence)
      void navigate({ to: patterns.sequence, params: { id }, search: {} })
    } catch (error) {
      toastFault(error, "Couldn't duplicate")
    }
  }

  const group = 'This page'
  const run: Command =
    status === 'ACTIVE'
      ? { id: 'pause', group, label: 'Pause this sequence', run: () => void setStatus(sequence, 'PAUSED') }
      : {
          id: 'activate',
          group,
          label: status === 'DRAFT' ? 'Activate this sequence' : 'Resume this sequence',
          run: status === 'DRAFT' ? activate : () => void setStatus(sequence, 'ACTIVE'),
        }
  useCommands([
    run,
    { id: 'enrol', group, label: 'Enrol leads in this sequence', words: 'add', run: enrol },
    { id: 'versions', group, label: 'Versions of this sequence', run: () => setOpen('versions') },
    { id: 'trash', group, label: 'Move this sequence to trash', words: 'delete remove', run: trash },
  ])

  return (
    <>
      <PageHead
        title={name}
        beside={
          <span className={classes.status}>
            <Status status={status} />
          </span>
        }
        actions={
          <>
            <SaveButton sequence={sequence} draft={draft} show={show} />
            {status === 'DRAFT' && (
              <Button variant="default" onClick={activate} {...(isUnsaved && { visibleFrom: 'sm' })}>
                Activate
              </Button>
            )}
            {status === 'ACTIVE' && (
              <>
                <Button
                  variant="default"
                  leftSection={<IconPlayerPause size={16} />}
                  onClick={() => void setStatus(sequence, 'PAUSED')}
                  visibleFrom="sm"
                >
                  Pause
                </Button>
                <Button leftSection={<IconUserPlus size={16} />} onClick={enrol} visibleFrom="sm">
                  Enrol leads
                </Button>
              </>
            )}
            {status === 'PAUSED' && (
              <Button
                leftSection={<IconPlayerPlay size={16} />}
                onClick={() => void setStatus(sequence, 'ACTIVE')}
              >
                Resume
              </Button>
            )}
            <ButtonMenu
              button={
                <ActionIcon variant="default" aria-label={`More actions for ${name}`}>
                  <IconDots size={16} />
                </ActionIcon>
              }
              items={[
                ...(status === 'DRAFT' && isUnsaved ? [{ label: 'Activate', run: activate }] : []),
                { label: 'Enrol leads', run: enrol },
                ...(status === 'ACTIVE'
                  ? [{ label: 'Pause', run: () => void setStatus(sequence, 'PAUSED') }]
                  : []),
                { label: 'Duplicate', run: () => void duplicate() },
                { label: 'Versions', run: () => setOpen('versions') },
                'divider',
                { label: 'Move to trash', danger: true, run: trash },
              ]}
            />
          </>
        }
      />
      <Suspense fallback={null}>
        {open === 'activate' && <Activate sequence={sequence} close={close} />}
        {open === 'enrol' && <Enrol sequence={sequence} close={close} />}
        {open === 'versions' && <Versions sequence={sequence} draft={draft} close={close} />}
      </Suspense>
    </>
  )
}
