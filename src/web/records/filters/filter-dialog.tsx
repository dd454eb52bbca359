import { Button, SegmentedControl } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import IconPlus from 'icon:plus'
import { useState } from 'react'
import type { Filter } from '#domains/fields/contract.ts'
import type { FilteredKind } from '#domains/fields/values.ts'
import { FILTER_CONDITIONS_MAX, FILTER_PARAMETER_LENGTH_MAX } from '#platform/filters/values.ts'
import { api } from '../../api.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { plural } from '../../ui/words.ts'
import { ConditionRow } from './condition-row.tsx'
import type { FilterFields } from './fields.ts'
import { textOf } from './filter-text.ts'
import {
  faultsIn,
  filterOf,
  isGroup,
  newGroup,
  newRule,
  rulesOf,
  type Match,
  type Rule,
  type RuleGroup,
  type Rules,
} from './rules.ts'
import textClasses from '../../ui/text.module.css'
import classes from './filter-dialog.module.css'

const QUIET_MS = 400
const kinds = {
  leads: { one: 'lead', many: 'leads' },
  accounts: { one: 'account', many: 'accounts' },
  opportunities: { one: 'opportunity', many: 'opportunities' },
} as const

type Props = {
  kind: FilteredKind
  filter: Filter | undefined
  known: FilterFields
  set: (filter: Filter | undefined) => void
  close: () => void
}

/** Conditions on any field, and groups of them, with how many records match. */
export function FilterDialog({ kind, filter, known, set, close }: Props) {
  const { one, many } = kinds[kind]
  const [rules, setRules] = useState(() => rulesOf(filter))
  const [faults, setFaults] = useState<ReadonlyMap<number, string>>(new Map())
  const [tooMuch, setTooMuch] = useState<string>()
  if (!rules) return <NotEditable many={many} set={set} close={close} />
  const { match, parts } = rules

  function put(next: (Rule | RuleGroup)[]) {
    setRules({ match, parts: next })
    setTooMuch(undefined)
  }
  function replace(key: number, part: Rule | RuleGroup | undefined) {
    put(parts.flatMap(each => (each.key !== key ? [each] : part ? [part] : [])))
  }
  function apply() {
    const found = faultsIn(rules!, known.fields)
    setFaults(found)
    if (found.size > 0) return
    const next = filterOf(rules!, known.fields)
    if ((textOf(next)?.length ?? 0) > FILTER_PARAMETER_LENGTH_MAX)
      return setTooMuch('This filter is too long: use fewer conditions or shorter values.')
    set(next)
    close()
  }

  const conditions = parts.reduce((sum, part) => sum + (isGroup(part) ? part.rules.length : 1), 0)
  const isFull = conditions >= FILTER_CONDITIONS_MAX
  return (
    <FormDialog
      title={`Filter ${many}`}
      size={760}
      verb="Apply"
      act={apply}
      fault={tooMuch}
      close={close}
      beside={<HowMany kind={kind} rules={rules} known={known} one={one} />}
    >
      {parts.length > 1 && (
        <MatchOf label="Conditions" match={match} set={next => setRules({ match: next, parts })} />
      )}
      <div className={classes.parts}>
        {parts.map((part, at) =>
          isGroup(part) ? (
            <Group
              key={part.key}
              group={part}
              known={known}
              faults={faults}
              isFull={isFull}
              set={next => replace(part.key, next)}
            />
          ) : (
            <ConditionRow
              key={part.key}
              rule={part}
              known={known}
              fault={faults.get(part.key)}
              begins={at === 0}
              set={next => replace(part.key, next)}
              remove={() => replace(part.key, undefined)}
            />
          ),
        )}
        {parts.length === 0 && <p className={textClasses.dim}>No conditions: all {many} are shown.</p>}
      </div>
      <div className={classes.add}>
        <Button
          variant="subtle"
          size="xs"
          leftSection={<IconPlus size={14} />}
          disabled={isFull}
          onClick={() => put([...parts, newRule()])}
        >
          Add condition
        </Button>
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          leftSection={<IconPlus size={14} />}
          disabled={isFull}
          onClick={() => put([...parts, newGroup(match === 'and' ? 'or' : 'and')])}
        >
          Add group
        </Button>
        {isFull && (
          <span className={textClasses.dim}>A filter has at most {FILTER_CONDITIONS_MAX} conditions.</span>
        )}
      </div>
    </FormDialog>
  )
}

type GroupProps = {
  group: RuleGroup
  known: FilterFields
  faults: ReadonlyMap<number, string>
  isFull: boolean
  set: (group: RuleGroup | undefined) => void
}

/** It goes with its last condition. */
function Group({ group, known, faults, isFull, set }: GroupProps) {
  const { match, rules } = group
  const put = (next: Rule[]) => set(next.length > 0 ? { ...group, rules: next } : undefined)
  return (
    <div className={classes.group} role="group" aria-label="Group of conditions">
      <MatchOf label="Conditions of this group" match={match} set={next => set({ ...group, match: next })} />
      {rules.map(rule => (
        <ConditionRow
          key={rule.key}
          rule={rule}
          known={known}
          fault={faults.get(rule.key)}
          set={next => put(rules.map(each => (each.key === rule.key ? next : each)))}
          remove={() => put(rules.filter(({ key }) => key !== rule.key))}
        />
      ))}
      <Button
        variant="subtle"
        size="xs"
        leftSection={<IconPlus size={14} />}
        disabled={isFull}
        className={classes.inner}
        onClick={() => put([...rules, newRule()])}
      >
        Add to this group
      </Button>
    </div>
  )
}

function MatchOf({ label, match, set }: { label: string; match: Match; set: (match: Match) => void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={label}
      value={match}
      onChange={value => set(value as Match)}
      data={[
        { value: 'and', label: 'All of these' },
        { value: 'or', label: 'Any of these' },
      ]}
      className={classes.match}
    />
  )
}

/** Counted while it is put together, as soon as it is complete. */
function HowMany({
  kind,
  rules,
  known,
  one,
}: {
  kind: FilteredKind
  rules: Rules
  known: FilterFields
  one: string
}) {
  const filter = faultsIn(rules, known.fields).size === 0 ? filterOf(rules, known.fields) : undefined
  const text = textOf(filter)
  const [asked] = useDebouncedValue(text, QUIET_MS)
  const { data } = useQuery({
    queryKey: [kind, 'matching', asked],
    queryFn: ({ signal }) =>
      api(`POST /api/crm/${kind}/query`, { body: { filter: filter!, count: true, limit: 1 }, signal }),
    enabled: asked !== undefined && asked === text,
    retry: false,
  })
  const isCurrent = data?.count !== undefined && asked === text
  return (
    <span role="status" className={`${textClasses.dim} ${classes.count}`}>
      {isCurrent &&
        `${plural(data.count!, one, kinds[kind].many)} ${data.count === 1 ? 'matches' : 'match'} these conditions`}
    </span>
  )
}

/** Made by the API, with more than this dialog can show. */
function NotEditable({ many, set, close }: Pick<Props, 'set' | 'close'> & { many: string }) {
  function startAnew() {
    set(undefined)
    close()
  }
  return (
    <FormDialog title={`Filter ${many}`} size="sm" verb="Remove it" act={startAnew} close={close}>
      This filter still works, but it is too complex to edit here. Remove it to build a new one.
    </FormDialog>
  )
}
