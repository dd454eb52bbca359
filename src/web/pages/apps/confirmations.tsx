import { useRef } from 'react'
import type { Client, NewClient } from '#domains/oauth/contract.ts'
import { api } from '../../api.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { briefly } from './shorten.ts'

type RotateProps = { app: Client; close: () => void; rotated: (app: NewClient) => void }

export function RotateSecret({ app, close, rotated }: RotateProps) {
  const name = briefly(app.name)
  const renewed = useRef<NewClient>(undefined)
  return (
    <Confirm
      title={`Create a new secret for ${app.name}?`}
      verb={`New secret for ${name}`}
      act={async () => {
        renewed.current = await api('POST /api/oauth/clients/:id/secret', { params: { id: app.id } })
      }}
      // The new secret replaces this dialog: closing this one afterwards would close that too.
      close={() => (renewed.current ? rotated(renewed.current) : close())}
    >
      The old secret stops working immediately. The app gets no tokens until it has the new one. This cannot
      be undone.
    </Confirm>
  )
}

type DeleteProps = { app: Client; close: () => void; deleted: () => Promise<unknown> }

export function DeleteApp({ app, close, deleted }: DeleteProps) {
  const name = briefly(app.name)
  async function act() {
    await api('DELETE /api/oauth/clients/:id', { params: { id: app.id } })
    toast(`Deleted ${name}`)
    await deleted()
  }
  return (
    <Confirm title={`Delete ${app.name}?`} verb={`Delete ${name}`} act={act} close={close}>
      All its tokens are revoked immediately, for everyone who connected it. This cannot be undone.
    </Confirm>
  )
}
