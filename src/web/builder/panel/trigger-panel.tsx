import { Checkbox, Select, TextInput } from '@mantine/core'
import { triggerOf } from '../catalog.ts'
import type { Content } from '../content.ts'
import { faultAt } from '../problems.ts'
import { Comparisons } from './comparisons.tsx'
import type { Around } from './control-props.ts'
import textClasses from '../../ui/text.module.css'
import classes from './panel.module.css'

const OTHER = 'webhook:'
const TRIGGER_LENGTH_MAX = 120

type Props = { content: Content; around: Around; set: (change: Partial<Content>, about: string) => void }

/** The trigger, its filters and whether each lead runs only once. */
export function TriggerPanel({ content, around, set }: Props) {
  const { catalog, problems, canWrite } = around
  const trigger = triggerOf(catalog, content.trigger)
  const known = catalog.triggers.map(({ name, label }) => ({ value: name, label }))
  const isKnown = known.some(({ value }) => value === content.trigger)
  const isOther = !isKnown && content.trigger.startsWith(OTHER)
  return (
    <fieldset className={classes.fields} disabled={!canWrite}>
      <Select
        label="Trigger"
        data={[
          { group: 'CRM', items: known.filter(({ value }) => !value.startsWith(OTHER)) },
          {
            group: 'Webhooks',
            items: [
              ...known.filter(({ value }) => value.startsWith(OTHER)),
              { value: OTHER, label: 'Other webhook event' },
            ],
          },
        ]}
        value={isKnown ? content.trigger : isOther ? OTHER : null}
        error={faultAt(problems, 'trigger')}
        searchable
        allowDeselect={false}
        nothingFoundMessage="No matches"
        comboboxProps={{ shadow: 'md' }}
        onChange={name => name !== null && set({ trigger: name }, 'trigger')}
      />
      {isOther && (
        <TextInput
          label="Event name"
          description="As named by the provider"
          value={content.trigger.slice(OTHER.length)}
          maxLength={TRIGGER_LENGTH_MAX - OTHER.length}
          autoComplete="off"
          onChange={event => set({ trigger: OTHER + event.currentTarget.value.trim() }, 'trigger')}
        />
      )}
      {trigger.description && <p className={textClasses.meta}>{trigger.description}</p>}
      {trigger.fields.length > 0 && (
        <div>
          <p className={textClasses.meta}>Available data:</p>
          <dl className={classes.brings}>
            {trigger.fields.map(({ field, label }) => (
              <div key={field} style={{ display: 'contents' }}>
                <dt>{field}</dt>
                <dd>{label}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
      <Comparisons
        label="Filters"
        path="filters"
        schema={{ description: 'Runs only for events that match all filters.' }}
        value={content.filters}
        set={filters => set({ filters: filters as Content['filters'] }, 'filters')}
        fault={undefined}
        node={{ type: 'trigger' }}
        around={around}
      />
      <Checkbox
        label="Run once per lead"
        description="Each lead runs through it only once."
        checked={content.once_per_lead}
        onChange={event => set({ once_per_lead: event.currentTarget.checked }, 'once_per_lead')}
      />
    </fieldset>
  )
}
