import { ActionIcon, Select } from '@mantine/core'
import IconX from 'icon:x'
import type { CountOperator, Operator } from '#platform/filters/values.ts'
import { activityIn, subjectOfActivity, type FilterFields } from './fields.ts'
import { countWords, offeredOperators, operatorInWords } from './operators.ts'
import { aboutSubject, withOperator, type Rule } from './rules.ts'
import { ActivityValue, FieldValue } from './value-input.tsx'
import classes from './filter-dialog.module.css'

type Props = {
  rule: Rule
  known: FilterFields
  fault: string | undefined
  begins?: boolean
  set: (rule: Rule) => void
  remove: () => void
}

/** What, how, and with which value. */
export function ConditionRow({ rule, known, fault, begins = false, set, remove }: Props) {
  const { subject, op } = rule
  const field = known.fields.find(({ name }) => name === subject)
  const isActivity = activityIn(subject) !== undefined
  const name = nameOf(subject, known)
  return (
    <div className={classes.row} role="group" aria-label={name ? `Condition on ${name}` : 'New condition'}>
      <Select
        aria-label="Field"
        placeholder="Field"
        searchable
        size="xs"
        data={subjectsOf(known)}
        value={subject || null}
        data-autofocus={begins || undefined}
        nothingFoundMessage="No matching field"
        comboboxProps={{ withinPortal: true }}
        onChange={next => next && set(aboutSubject(rule, next, known.fields))}
      />
      <Select
        aria-label="Condition"
        size="xs"
        allowDeselect={false}
        disabled={!field && !isActivity}
        data={isActivity ? countOptions : operatorOptions(field, op)}
        value={field || isActivity ? op : null}
        onChange={next => next && set(withOperator(rule, next as Operator))}
      />
      {isActivity ? (
        <ActivityValue rule={rule} set={set} />
      ) : (
        <FieldValue rule={rule} field={field} set={set} />
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={name ? `Remove the condition on ${name}` : 'Remove this condition'}
        className={classes.remove!}
        onClick={remove}
      >
        <IconX size={16} />
      </ActionIcon>
      {fault && (
        <div className={classes.fault} role="alert">
          {fault}
        </div>
      )}
    </div>
  )
}

const countOptions = Object.entries(countWords).map(([value, label]) => ({
  value: value as CountOperator,
  label,
}))

/** One that came with a link stays, though it is not offered. */
function operatorOptions(field: FilterFields['fields'][number] | undefined, now: Operator) {
  if (!field) return []
  const offered = offeredOperators(field.type, field.of)
  const all = offered.includes(now) ? offered : [now, ...offered]
  return all.map(value => ({ value, label: operatorInWords(value) }))
}

function subjectsOf({ fields, activities }: FilterFields) {
  const fieldOf = (isOfAccount: boolean) =>
    fields
      .filter(({ name }) => name.startsWith('account.') === isOfAccount)
      .map(({ name, label }) => ({ value: name, label }))
  const groups = [
    { group: 'Fields', items: fieldOf(false) },
    { group: 'Account', items: fieldOf(true) },
    {
      group: 'Activity',
      items: activities.map(({ name, label }) => ({ value: subjectOfActivity(name), label })),
    },
  ]
  return groups.filter(({ items }) => items.length > 0)
}

function nameOf(subject: string, { fields, activities }: FilterFields): string | undefined {
  const activity = activityIn(subject)
  if (activity !== undefined) return activities.find(({ name }) => name === activity)?.label ?? activity
  return fields.find(({ name }) => name === subject)?.label ?? (subject || undefined)
}
