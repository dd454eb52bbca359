import { ActionIcon, Button } from '@mantine/core'
import IconDots from 'icon:dots'
import IconUsersGroup from 'icon:users-group'
import { lazy, Suspense, useState } from 'react'
import type { View } from '#domains/views/contract.ts'
import { useIsAtLeast, useUser } from '../../queries.ts'
import { ButtonMenu } from '../menu.tsx'
import { dropDraft, type Column, type Kind } from './columns.ts'
import { changeView, deleteView } from './view-writes.ts'
import classes from './view-bar.module.css'

const SaveView = lazy(() => import('./save-view.tsx').then(({ SaveView }) => ({ default: SaveView })))

type Props = {
  kind: Kind
  view: View | undefined
  /** Filters and sorting in the URL. */
  text: string
  /** Normalizes the query of a saved view: order and unknown parameters are not a change. */
  tidied: (query: string) => string
  /** The trash cannot be saved as a view. */
  trashed: boolean
  columns: Column[]
  columnsChanged: boolean
  show: (query: string, viewId?: string) => void
}

/** State of the saved view: whether it was changed, with save and reset. */
export function ViewBar({ kind, view, text, tidied, trashed, columns, columnsChanged, show }: Props) {
  const [dialog, setDialog] = useState<'new' | 'rename' | null>(null)
  const mine = view?.owner_id === useUser().id
  const isAdmin = useIsAtLeast('ADMIN')
  const editable = mine || (view?.shared && isAdmin)
  const changed = view ? columnsChanged || text !== tidied(view.query) : false
  const worthSaving = !view && !trashed && (text !== '' || columnsChanged)

  async function save() {
    if (view && (await changeView(view, { query: text, columns }))) dropDraft(kind, view.id)
  }

  function reset() {
    if (!view) return
    dropDraft(kind, view.id)
    show(view.query, view.id)
  }

  async function remove() {
    if (!view || !(await deleteView(view))) return
    dropDraft(kind, view.id)
    show('')
  }

  return (
    <div className={classes.bar}>
      {view?.shared && (
        <span className={classes.shared} title={mine ? 'Shared by you' : 'Shared by a team member'}>
          <IconUsersGroup size={16} aria-hidden />
          Shared
        </span>
      )}
      {changed && (
        <>
          <span className={classes.changed} role="status">
            Unsaved changes
          </span>
          {editable && (
            <Button size="xs" onClick={() => void save()}>
              Save
            </Button>
          )}
          <Button size="xs" variant="default" onClick={() => setDialog('new')}>
            Save as
          </Button>
          <Button size="xs" variant="subtle" color="gray" onClick={reset}>
            Reset
          </Button>
        </>
      )}
      {worthSaving && (
        <Button size="xs" variant="default" onClick={() => setDialog('new')}>
          Save view
        </Button>
      )}
      {view && editable && (
        <ButtonMenu
          position="bottom-start"
          button={
            <ActionIcon aria-label={`More actions for the view ${view.name}`}>
              <IconDots size={16} />
            </ActionIcon>
          }
          items={[
            { label: 'Rename', run: () => setDialog('rename') },
            {
              label: view.shared ? 'Stop sharing' : 'Share with the team',
              run: () => void changeView(view, { shared: !view.shared }),
            },
            'divider',
            { label: 'Delete view', danger: true, run: () => void remove() },
          ]}
        />
      )}
      {dialog && (
        <Suspense fallback={null}>
          <SaveView
            kind={kind}
            view={dialog === 'rename' ? view : undefined}
            query={text}
            columns={columns}
            close={() => setDialog(null)}
            saved={saved => {
              if (dialog !== 'new') return
              dropDraft(kind, view?.id)
              show(text, saved.id)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}
