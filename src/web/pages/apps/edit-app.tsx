import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Client } from '#domains/oauth/contract.ts'
import { api } from '../../api.ts'
import { isProblem } from '../../problem.ts'
import { toast } from '../../ui/toast.ts'
import { changesTo, type AppFields, type AppValues } from './app-fields.ts'
import { AppForm } from './app-form.tsx'
import noticeClasses from '../../ui/notice.module.css'

type Props = { app: Client; close: () => void; saved: () => void }

/** In a conflict nothing typed is lost: the person chooses which version to keep. */
export function EditApp({ app, close, saved }: Props) {
  const [base, setBase] = useState(app)
  const [theirs, setTheirs] = useState<Client>()
  const params = { id: app.id }

  async function save(values: AppValues) {
    const body = changesTo(base, values)
    if (Object.keys(body).length === 0) return close()
    try {
      await api('PATCH /api/oauth/clients/:id', { params, body, ifMatch: (theirs ?? base).updated_at })
    } catch (error) {
      if (!isProblem(error, 412)) throw error
      setTheirs(await api('GET /api/oauth/clients/:id', { params }))
      return saved()
    }
    toast(`Saved ${values.name}`)
    saved()
    close()
  }

  function takeTheirs(latest: Client) {
    setBase(latest)
    setTheirs(undefined)
  }

  return (
    <AppForm
      key={base.updated_at}
      title={`Edit ${app.name}`}
      verb={theirs ? 'Save mine' : 'Save'}
      initial={fieldsOf(base)}
      isNew={false}
      submit={save}
      close={close}
      notice={
        theirs && (
          <div className={noticeClasses.box} role="alert">
            <span>Someone else changed this app. Save your version over it, or start again from theirs.</span>
            <Button size="xs" variant="default" flex="none" onClick={() => takeTheirs(theirs)}>
              Use theirs
            </Button>
          </div>
        )
      }
    />
  )
}

function fieldsOf({ name, redirect_uris, scopes, confidential }: Client): AppFields {
  return { name, uris: redirect_uris.map((text, key) => ({ key, text })), scopes, confidential }
}
