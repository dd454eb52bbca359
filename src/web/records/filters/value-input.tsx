import { MultiSelect, Select, TagsInput, TextInput } from '@mantine/core'
import type { FieldDescription } from '#domains/fields/contract.ts'
import { FILTER_LIST_MAX, FILTER_TEXT_LENGTH_MAX } from '#platform/filters/values.ts'
import { useMembers } from '../../queries.ts'
import { DayInput } from '../../ui/day-input.tsx'
import { choiceInWords } from './fields.ts'
import { takesList, takesNothing } from './operators.ts'
import type { Rule } from './rules.ts'
import { withinIn, type Within } from './within.ts'
import classes from './filter-dialog.module.css'

type Props = { rule: Rule; set: (rule: Rule) => void }

/** What a field is compared with. */
export function FieldValue({ rule, field, set }: Props & { field: FieldDescription | undefined }) {
  const { op, values } = rule
  const put = (...next: string[]) => set({ ...rule, values: next })
  if (!field || takesNothing(op)) return <span />
  if (op === 'within') return <SpanInput within={values[0]} units={unitsOf(field)} set={put} />
  switch (field.type) {
    case 'checkbox':
      return <OneOf options={yesOrNo} value={values[0]} set={put} />
    case 'choice': {
      const options = (field.options ?? []).map(value => ({ value, label: choiceInWords(field.name, value) }))
      return takesList(op) ? (
        <ManyOf options={options} values={values} set={put} />
      ) : (
        <OneOf options={options} value={values[0]} set={put} />
      )
    }
    case 'record':
      return field.of === 'member' ? <Members rule={rule} put={put} /> : <span />
    case 'date':
    case 'time':
      return op === 'between' ? (
        <div className={classes.values}>
          <Day label="From" value={values[0]} set={day => put(day, values[1] ?? '')} />
          <Day label="Until" value={values[1]} set={day => put(values[0] ?? '', day)} />
        </div>
      ) : (
        <Day label="Day" value={values[0]} set={put} />
      )
    default:
      return <Written rule={rule} isNumber={field.type !== 'text'} put={put} />
  }
}

const yesOrNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

type WrittenProps = { rule: Rule; isNumber: boolean; put: (...values: string[]) => void }

function Written({ rule: { op, values }, isNumber, put }: WrittenProps) {
  if (takesList(op)) {
    return (
      <TagsInput
        aria-label="Values"
        size="xs"
        value={values}
        placeholder={values.length ? '' : 'Press Enter to add'}
        maxTags={FILTER_LIST_MAX}
        onChange={next => put(...next)}
      />
    )
  }
  const input = (label: string, at: number) => (
    <TextInput
      aria-label={label}
      placeholder={label}
      size="xs"
      value={values[at] ?? ''}
      maxLength={FILTER_TEXT_LENGTH_MAX}
      {...(isNumber && { inputMode: 'decimal' as const })}
      onChange={({ currentTarget }) => {
        const next = op === 'between' ? [values[0] ?? '', values[1] ?? ''] : ['']
        next[at] = currentTarget.value
        put(...next)
      }}
    />
  )
  return op === 'between' ? (
    <div className={classes.values}>
      {input('From', 0)}
      {input('Until', 1)}
    </div>
  ) : (
    input('Value', 0)
  )
}

function Members({ rule: { op, values }, put }: { rule: Rule; put: (...values: string[]) => void }) {
  const options = useMembers().map(({ id, name, email }) => ({ value: id, label: name || email }))
  return takesList(op) ? (
    <ManyOf options={options} values={values} set={put} />
  ) : (
    <OneOf options={options} value={values[0]} set={put} />
  )
}

type Option = { value: string; label: string }

function OneOf({
  options,
  value,
  set,
}: {
  options: Option[]
  value: string | undefined
  set: (value: string) => void
}) {
  return (
    <Select
      aria-label="Value"
      placeholder="Value"
      size="xs"
      searchable
      allowDeselect={false}
      data={options}
      value={value ?? null}
      onChange={next => next !== null && set(next)}
    />
  )
}

type ManyProps = { options: Option[]; values: string[]; set: (...values: string[]) => void }

function ManyOf({ options, values, set }: ManyProps) {
  return (
    <MultiSelect
      aria-label="Values"
      placeholder={values.length ? '' : 'Values'}
      size="xs"
      searchable
      data={options}
      value={values}
      maxValues={FILTER_LIST_MAX}
      onChange={next => set(...next)}
    />
  )
}

function Day({
  label,
  value,
  set,
}: {
  label: string
  value: string | undefined
  set: (day: string) => void
}) {
  return (
    <DayInput
      label={label}
      hidesLabel
      day={value?.slice(0, 'YYYY-MM-DD'.length)}
      set={day => set(day ?? '')}
    />
  )
}

/** How often, and within which time. */
export function ActivityValue({ rule, set }: Props) {
  const { within, ...rest } = rule
  return (
    <div className={classes.values}>
      <TextInput
        aria-label="Times"
        className={classes.times!}
        size="xs"
        inputMode="numeric"
        value={rule.values[0] ?? ''}
        onChange={({ currentTarget }) => set({ ...rule, values: [currentTarget.value] })}
      />
      <span className={classes.unit}>times</span>
      <Select
        aria-label="When"
        size="xs"
        allowDeselect={false}
        data={[
          { value: 'ever', label: 'ever' },
          { value: 'lately', label: 'in the last' },
        ]}
        value={within === undefined ? 'ever' : 'lately'}
        onChange={next => set(next === 'ever' ? rest : { ...rule, within: within ?? '-30d' })}
      />
      {within !== undefined && (
        <>
          <Length within={within} set={text => set({ ...rule, within: text })} />
          <span className={classes.unit}>{unitWords[withinIn(within)?.unit ?? 'd']}</span>
        </>
      )}
    </div>
  )
}

const unitWords = { d: 'days', h: 'hours', m: 'minutes' } as const

function unitsOf({ type }: FieldDescription): Within['unit'][] {
  return type === 'date' ? ['d'] : ['d', 'h', 'm']
}

type SpanProps = { within: string | undefined; units: Within['unit'][]; set: (text: string) => void }

/** "the last 30 days". */
function SpanInput({ within = '', units, set }: SpanProps) {
  const { isPast, number, unit } = halfTyped(within)
  return (
    <div className={classes.values}>
      <Select
        aria-label="Direction"
        size="xs"
        allowDeselect={false}
        data={[
          { value: 'past', label: 'the last' },
          { value: 'next', label: 'the next' },
        ]}
        value={isPast ? 'past' : 'next'}
        onChange={next => set(textOfHalf({ isPast: next === 'past', number, unit }))}
      />
      <Length within={within} set={set} />
      {units.length > 1 ? (
        <Select
          aria-label="Unit"
          size="xs"
          allowDeselect={false}
          data={units.map(value => ({ value, label: unitWords[value] }))}
          value={unit}
          onChange={next => next && set(textOfHalf({ isPast, number, unit: next as Within['unit'] }))}
        />
      ) : (
        <span className={classes.unit}>days</span>
      )}
    </div>
  )
}

function Length({ within, set }: { within: string; set: (text: string) => void }) {
  const half = halfTyped(within)
  return (
    <TextInput
      aria-label={`How many ${unitWords[half.unit]}`}
      className={classes.times!}
      size="xs"
      inputMode="numeric"
      value={half.number}
      maxLength={5}
      onChange={({ currentTarget }) =>
        set(textOfHalf({ ...half, number: currentTarget.value.replaceAll(/\D/g, '') }))
      }
    />
  )
}

/** A span whose number may still be missing. */
type HalfTyped = { isPast: boolean; number: string; unit: Within['unit'] }

function halfTyped(within: string): HalfTyped {
  const [, sign, number = '', unit = 'd'] = /^(-?)(\d*)([dhm]?)$/.exec(within) ?? []
  return { isPast: sign === '-', number, unit: (unit || 'd') as Within['unit'] }
}

function textOfHalf({ isPast, number, unit }: HalfTyped): string {
  return `${isPast ? '-' : ''}${number}${unit}`
}
