import { Button, Checkbox, Group, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconAlertTriangle from 'icon:alert-triangle'
import { useState } from 'react'
import type { Import } from '#domains/imports/contract.ts'
import { duplicateKeys, duplicatePolicies } from '#domains/imports/values.ts'
import { leadSettingsQuery, useMembers } from '../../queries.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { inPlainWords } from '../../ui/words.ts'
import { previewQuery, startImport } from '../../records/imports/imports-cache.ts'
import { fieldChoices, policyWords, startWords } from '../../records/imports/words.ts'
import classes from './imports.module.css'
import { imports } from '../../records/imports/store.ts'

type Props = { run: Import; back: () => void; started: () => void }

/** The last settings before the import starts. */
export function OptionsStep({ run, back, started }: Props) {
  const [automations, setAutomations] = useChoice(run, 'automations')
  const { button, note } = startWords(run.total, useQuery(previewQuery(run)).data)
  const { busy, submit } = useSubmit(async () => {
    // Waits for changes that are still being saved.
    await startImport(run.id)
    started()
  }, "Couldn't start the import")
  return (
    <>
      <Duplicates run={run} />
      <Defaults run={run} />
      <section aria-labelledby="automations-heading" className={classes.part}>
        <h2 id="automations-heading" className={classes.heading}>
          Automations
        </h2>
        <Checkbox
          size="sm"
          label="Trigger workflows for new leads"
          description="Leave this off for old lists, so that nobody gets a welcome email years later."
          checked={automations}
          onChange={event => setAutomations(event.currentTarget.checked)}
        />
      </section>
      {note && (
        <p className={classes.note} role="status">
          <IconAlertTriangle size={16} aria-hidden /> {note}
        </p>
      )}
      <Group justify="space-between" mt="lg">
        <Button variant="default" onClick={back}>
          Back to check
        </Button>
        <Button loading={busy} onClick={submit}>
          {button}
        </Button>
      </Group>
    </>
  )
}

/** Shows a choice immediately, until the record is saved. */
function useChoice<K extends 'duplicates' | 'automations'>(run: Import, key: K) {
  const [chosen, setChosen] = useState<Import[K]>()
  function choose(value: Import[K]) {
    setChosen(value)
    void imports.change(run.id, { [key]: value }, null).finally(() => setChosen(undefined))
  }
  return [chosen ?? run[key], choose] as const
}

function Duplicates({ run }: { run: Import }) {
  const [duplicates, setDuplicates] = useChoice(run, 'duplicates')
  const custom = useQuery(leadSettingsQuery).data?.custom_fields ?? []
  const keys: string[] = [
    ...duplicateKeys,
    ...custom.filter(({ kind }) => kind === 'text').map(({ key }) => `custom.${key}`),
  ]
  const choices = fieldChoices(custom)
    .filter(({ value }) => keys.includes(value))
    .map(choice => ({ ...choice, disabled: !run.mapping.includes(choice.value) }))
  const isKnown = run.mapping.includes(run.duplicate_key)
  return (
    <section aria-labelledby="duplicates-heading" className={classes.part}>
      <h2 id="duplicates-heading" className={classes.heading}>
        Duplicates
      </h2>
      <Select
        label="Match leads by"
        data={choices}
        value={run.duplicate_key}
        allowDeselect={false}
        maw={340}
        error={
          !isKnown &&
          duplicates !== 'create' &&
          'No column is mapped to this field. Choose another, or create a lead for every row.'
        }
        onChange={key => key && void imports.change(run.id, { duplicate_key: key }, null)}
      />
      <fieldset className={classes.policies}>
        <legend>If the lead already exists</legend>
        {duplicatePolicies.map(policy => (
          <label key={policy}>
            <input
              type="radio"
              name="duplicates"
              value={policy}
              checked={duplicates === policy}
              onChange={() => setDuplicates(policy)}
            />
            <span>
              {policyWords[policy].label}
              <small>{policyWords[policy].about}</small>
            </span>
          </label>
        ))}
      </fieldset>
    </section>
  )
}

/** Values for new leads whose row has none. */
function Defaults({ run }: { run: Import }) {
  const members = useMembers()
  const stages = useQuery(leadSettingsQuery).data?.pipeline_stages ?? []
  const [source, setSource] = useState(run.defaults.source ?? '')
  const set = (change: Import['defaults']) =>
    void imports.change(run.id, { defaults: { ...run.defaults, ...change } }, null)
  return (
    <section aria-labelledby="defaults-heading" className={classes.part}>
      <h2 id="defaults-heading" className={classes.heading}>
        Default values for new leads
      </h2>
      <div className={classes.defaults}>
        <Select
          label="Owner"
          placeholder="No owner"
          data={members.map(({ id, name, email }) => ({ value: id, label: name || email }))}
          value={run.defaults.owner_id ?? null}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear owner' }}
          onChange={owner_id => set({ owner_id })}
        />
        <TextInput
          label="Source"
          placeholder="None"
          value={source}
          maxLength={200}
          onChange={event => setSource(event.currentTarget.value)}
          onBlur={() =>
            source.trim() !== (run.defaults.source ?? '') && set({ source: source.trim() || null })
          }
        />
        <Select
          label="Stage"
          data={stages.map(stage => ({ value: stage, label: inPlainWords(stage) }))}
          value={run.defaults.pipeline_stage ?? stages[0] ?? null}
          allowDeselect={false}
          onChange={stage => stage && set({ pipeline_stage: stage })}
        />
      </div>
    </section>
  )
}
