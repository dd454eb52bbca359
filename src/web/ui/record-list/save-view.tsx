import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { View } from '#domains/views/contract.ts'
import { useIsAtLeast } from '../../queries.ts'
import { inWords } from '../../problem.ts'
import { FormDialog } from '../form-dialog.tsx'
import type { Column, Kind } from './columns.ts'
import { changeView, createView } from './view-writes.ts'

type Props = {
  kind: Kind
  /** The view to rename; undefined: a new one. */
  view: View | undefined
  query: string
  columns: Column[]
  close: () => void
  saved: (view: View) => void
}

export function SaveView({ kind, view, query, columns, close, saved }: Props) {
  const mayShare = useIsAtLeast('MEMBER')
  const [name, setName] = useState(view?.name ?? '')
  const [shared, setShared] = useState(false)
  const [fault, setFault] = useState<string>()

  async function save() {
    if (!name.trim()) return setFault('Enter a name')
    if (view) await changeView(view, { name: name.trim() })
    else saved(await createView({ kind, name: name.trim(), query, columns, shared }))
    close()
  }

  return (
    <FormDialog
      title={view ? 'Rename view' : 'Save as view'}
      size="sm"
      verb={view ? 'Rename' : 'Save view'}
      act={save}
      refused={error => setFault(inWords(error))}
      close={close}
    >
      <TextInput
        label="Name"
        value={name}
        maxLength={200}
        error={fault}
        data-autofocus
        onChange={event => {
          setName(event.currentTarget.value)
          setFault(undefined)
        }}
      />
      {!view && mayShare && (
        <Checkbox
          label="Share with the team"
          description="Everyone sees it in the navigation. Only you and admins can change it."
          checked={shared}
          onChange={event => setShared(event.currentTarget.checked)}
        />
      )}
    </FormDialog>
  )
}
