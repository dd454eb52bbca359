import { useRef } from 'react'
import type { Client, NewClient } from '#domains/oauth/contract.ts'
import { api } from '../../api.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toast.ts'
import { briefly } from './briefly.ts'

type RotateProps = { app: Client; close: () => void; rotated: (app: NewClient) => void }

export function RotateSecret({ app, close, rotated }: RotateProps) {
  const name = briefly(app.name)
  const renewed = useRef<NewClient>(undefined)
  return (
    <Confirm
      title={`A new secret for ${app.name}?`}
      verb={`New secret for ${name}`}
      act={async () => {
        renewed.current = await api('POST /api/oauth/clients/:id/secret', { params: { id: app.id } })
      }}
      // The question gives way to its answer; closing it afterwards would close that as well.
      close={() => (renewed.current ? rotated(renewed.current) : close())}
    >
      The old secret ends at once: the app gets no tokens until it has the new one. This cannot be undone.
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
      Every token it holds ends at once, for everybody who connected it. This cannot be undone.
    </Confirm>
  )
}
