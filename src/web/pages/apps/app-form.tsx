// The few pages with radio buttons bring their style along.
import '@mantine/core/styles/Radio.layer.css'
import { Checkbox, Radio, Stack, TextInput } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { allScopes, scopes, type Scope } from '#platform/scopes.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import {
  faultsFrom,
  noFaults,
  obviousFaults,
  valuesOf,
  type AppFields,
  type AppValues,
} from './app-fields.ts'
import { UriInputs } from './uri-inputs.tsx'
import permissionClasses from '../../ui/scopes.module.css'
import classes from './apps.module.css'

type Props = {
  title: string
  verb: string
  initial: AppFields
  /** The type can only be chosen for a new app. */
  isNew: boolean
  /** Throws what the server refused. */
  submit: (values: AppValues) => Promise<void>
  close: () => void
  notice?: ReactNode
}

export function AppForm({ title, verb, initial, isNew, submit, close, notice }: Props) {
  const [fields, setFields] = useState(initial)
  const [faults, setFaults] = useState(noFaults)
  const form = useRef<HTMLDivElement>(null)
  const put = (change: Partial<AppFields>) => setFields(now => ({ ...now, ...change }))

  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [faults])

  async function act() {
    const found = obviousFaults(fields)
    setFaults(found ?? noFaults)
    if (!found) await submit(valuesOf(fields))
  }

  return (
    <FormDialog
      title={title}
      size={620}
      yOffset="5vh"
      verb={verb}
      act={act}
      refused={error => setFaults(faultsFrom(error, fields.uris))}
      fault={faults.other}
      close={close}
    >
      <Stack gap="md" ref={form} className={classes.form ?? ''}>
        <TextInput
          label="Name"
          description="Shown to people when they are asked for consent"
          value={fields.name}
          maxLength={200}
          error={faults.name}
          data-autofocus
          onChange={event => put({ name: event.target.value })}
        />
        <UriInputs uris={fields.uris} faults={faults.uris} change={uris => put({ uris })} />
        {isNew && (
          <Radio.Group
            label="Type"
            value={fields.confidential ? 'confidential' : 'public'}
            onChange={value => put({ confidential: value === 'confidential' })}
          >
            <div className={classes.kinds}>
              <Radio
                size="xs"
                value="public"
                label="Public"
                description="Runs in a browser or on people’s devices"
              />
              <Radio
                size="xs"
                value="confidential"
                label="Confidential"
                description="Runs on a server that can keep a secret"
              />
            </div>
          </Radio.Group>
        )}
        <Checkbox.Group
          label="Permissions"
          inputWrapperOrder={['label', 'description', 'error', 'input']}
          description={
            isNew ? undefined : 'Removed permissions end immediately for everyone who granted them'
          }
          value={fields.scopes}
          onChange={values => put({ scopes: values as Scope[] })}
          error={faults.scopes}
        >
          <div className={permissionClasses.scopes}>
            {allScopes.map(scope => (
              <Checkbox key={scope} value={scope} label={scopes[scope]} />
            ))}
          </div>
        </Checkbox.Group>
      </Stack>
      {notice}
    </FormDialog>
  )
}
