import type { NewClient } from '#domains/oauth/contract.ts'
import { api } from '../../api.ts'
import type { AppFields } from './app-fields.ts'
import { AppForm } from './app-form.tsx'

const blank: AppFields = {
  name: '',
  uris: [{ key: 0, text: '' }],
  scopes: ['leads:read'],
  confidential: false,
}

export function NewApp({ close, created }: { close: () => void; created: (app: NewClient) => void }) {
  return (
    <AppForm
      title="New OAuth app"
      verb="Create app"
      initial={blank}
      isNew
      submit={async body => created(await api('POST /api/oauth/clients', { body }))}
      close={close}
    />
  )
}
