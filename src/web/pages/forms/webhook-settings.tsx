import { Button, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import IconSend from 'icon:send'
import { useState, type KeyboardEvent } from 'react'
import type { TestAnswer as Answer } from '#domains/deliveries/contract.ts'
import type { FormWithCounts } from '#domains/forms/contract.ts'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { inWords } from '../../problem.ts'
import { Section } from '../../ui/page-head.tsx'
import { SecretField } from '../../ui/secret-field.tsx'
import { TestAnswer } from '../../records/deliveries/test-answer.tsx'
import classes from './settings.module.css'
import { forms } from '../../records/forms/store.ts'

const URL_LENGTH_MAX = 2_000

/** The URL that receives each submission, with a test and its secret. */
export function WebhookSettings({ form, canWrite }: { form: FormWithCounts; canWrite: boolean }) {
  const endpoint = form.webhook_endpoint_id
  return (
    <Section
      title="Webhook"
      about="Submissions are sent to this URL, signed with Standard Webhooks. Failed deliveries are retried for three days."
      actions={
        endpoint && (
          <Link to={paths.deliveries} search={{ endpoint_id: endpoint }} className={classes.link}>
            Deliveries
          </Link>
        )
      }
    >
      <WebhookUrl form={form} canWrite={canWrite} />
      {endpoint && (
        <div className={classes.secret}>
          <h3 className={classes.heading}>Signing secret</h3>
          <SecretField key={endpoint} endpointId={endpoint} name={form.name} />
        </div>
      )}
    </Section>
  )
}

function WebhookUrl({ form, canWrite }: { form: FormWithCounts; canWrite: boolean }) {
  const [typed, setTyped] = useState<string>()
  const [refusal, setRefusal] = useState<string>()
  const [test, setTest] = useState<'running' | Answer>()
  const text = typed ?? form.webhook_url ?? ''
  const wrong = faultIn(text.trim())
  const url = text.trim() || null

  async function save() {
    if (wrong || url === form.webhook_url) return
    const say = url ? 'Changed the webhook' : 'Removed the webhook'
    try {
      await forms.changeOrThrow(form.id, { webhook_url: url }, say)
      setTyped(undefined)
    } catch (error) {
      setRefusal(inWords(error))
    }
  }

  async function send() {
    if (!url) return
    setTest('running')
    try {
      const answer = await api('POST /api/crm/forms/:id/webhook-test', {
        params: { id: form.id },
        body: { webhook_url: url },
        changesNothing: true,
      })
      setTest(answer)
    } catch (error) {
      setTest(undefined)
      setRefusal(inWords(error))
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') void save()
    if (event.key === 'Escape') setTyped(undefined)
  }

  return (
    <div className={classes.webhook}>
      <div className={classes.line}>
        <TextInput
          flex={1}
          label="Webhook URL"
          placeholder="https://www.example.com/hooks/rapport"
          inputMode="url"
          value={text}
          maxLength={URL_LENGTH_MAX}
          error={wrong ?? refusal}
          readOnly={!canWrite}
          spellCheck={false}
          autoCapitalize="none"
          onChange={event => {
            setTyped(event.currentTarget.value)
            setRefusal(undefined)
          }}
          onBlur={() => void save()}
          onKeyDown={onKeyDown}
        />
        {canWrite && (
          <Button
            variant="default"
            className={classes.beside}
            leftSection={<IconSend size={16} />}
            disabled={!url || wrong !== undefined}
            loading={test === 'running'}
            onClick={() => void send()}
          >
            Send test
          </Button>
        )}
      </div>
      {test && test !== 'running' && <TestAnswer answer={test} />}
    </div>
  )
}

function faultIn(text: string): string | undefined {
  if (text === '') return undefined
  if (text.startsWith('http://')) return 'Submissions are only sent encrypted. Use https://'
  return /^https:\/\/[^\s/]+/.test(text) && URL.canParse(text) ? undefined : 'Must start with https://'
}
