import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import IconSearch from 'icon:search'
import { useEffect, useState, type RefObject } from 'react'
import { api } from '../../api.ts'
import { useMembers, useUser } from '../../queries.ts'
import { leadName } from '../../records/leads/fields.ts'
import { ANYONE, isFiltered, NONE, type TasksSearch } from '../../records/tasks/search.ts'
import { projectNamesQuery } from '../../records/tasks/tasks-cache.ts'
import classes from '../../records/tasks/tasks.module.css'
import pageClasses from '../../ui/page.module.css'
import { leads } from '../../records/leads/store.ts'

const QUIET_MS = 220
const FOUND_MAX = 12

/** The dropdown stays inside the landmark of the filters and scrolls itself. */
const list = {
  size: 'xs',
  searchable: true,
  comboboxProps: { width: 240, position: 'bottom-start', withinPortal: false },
  withScrollArea: false,
  nothingFoundMessage: 'No matches',
  className: classes.filter ?? '',
  classNames: { options: classes.options ?? '' },
} as const

type Change = { [K in keyof TasksSearch]: TasksSearch[K] | undefined }
type Props = {
  search: TasksSearch
  set: (next: TasksSearch) => void
  field: RefObject<HTMLInputElement | null>
}

/** Filters by assignee, project, lead and text. */
export function Filters({ search, set, field }: Props) {
  const put = (change: Change) => {
    const next = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined)
    set(Object.fromEntries(next) as TasksSearch)
  }
  return (
    <search className={pageClasses.bar} aria-label="Task filters">
      <Words q={search.q} set={q => put({ q })} field={field} />
      <Assignee value={search.assignee_id} set={assignee_id => put({ assignee_id })} />
      <Project value={search.project_id} set={project_id => put({ project_id })} />
      <Lead value={search.lead_id} set={lead_id => put({ lead_id })} />
      {isFiltered(search) && (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          onClick={() => set(search.task ? { task: search.task } : {})}
        >
          Clear
        </Button>
      )}
    </search>
  )
}

type Choice = { value: string | undefined; set: (value: string | undefined) => void }

function Assignee({ value, set }: Choice) {
  const me = useUser()
  const others = useMembers().filter(({ id }) => id !== me.id)
  return (
    <Select
      {...list}
      aria-label="Assigned to"
      data={[
        { value: me.id, label: 'Me' },
        { value: ANYONE, label: 'Anyone' },
        { value: NONE, label: 'Unassigned' },
        ...others.map(({ id, name, email }) => ({ value: id, label: name || email })),
      ]}
      value={value ?? me.id}
      allowDeselect={false}
      onChange={next => set(!next || next === me.id ? undefined : next)}
    />
  )
}

function Project({ value, set }: Choice) {
  const projects = useQuery(projectNamesQuery).data ?? []
  const isOther = value && value !== NONE && !projects.some(({ id }) => id === value)
  return (
    <Select
      {...list}
      aria-label="Project"
      placeholder="All projects"
      data={[
        ...projects.map(({ id, name }) => ({ value: id, label: name })),
        { value: NONE, label: 'No project' },
        ...(isOther ? [{ value, label: 'Selected project' }] : []),
      ]}
      value={value ?? null}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear project' }}
      onChange={next => set(next ?? undefined)}
    />
  )
}

/** Leads are searched by typing; there are too many to list. */
function Lead({ value, set }: Choice) {
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), QUIET_MS)
  const chosen = useQuery({ ...leads.query(value ?? ''), enabled: value !== undefined }).data
  const found = useQuery({
    queryKey: ['leads', 'names', q],
    queryFn: async ({ signal }) =>
      (await api('GET /api/crm/leads', { query: { limit: FOUND_MAX, ...(q && { q }) }, signal })).data,
    placeholderData: keepPreviousData,
    enabled: q.length > 1,
  }).data
  const others = (found ?? []).filter(({ id }) => id !== value)
  return (
    <Select
      {...list}
      aria-label="Lead"
      placeholder="All leads"
      data={[
        ...(value ? [{ value, label: chosen ? leadName(chosen) : 'Selected lead' }] : []),
        ...others.map(lead => ({ value: lead.id, label: leadName(lead) })),
      ]}
      // The server also searches email addresses and companies.
      filter={({ options }) => options}
      nothingFoundMessage={q.length > 1 ? 'No matches' : 'Type to search'}
      searchValue={text}
      onSearchChange={setText}
      value={value ?? null}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear lead' }}
      onChange={next => set(next ?? undefined)}
    />
  )
}

type WordsProps = {
  q: string | undefined
  set: (q: string | undefined) => void
  field: RefObject<HTMLInputElement | null>
}

function Words({ q, set, field }: WordsProps) {
  const [text, setText] = useState(q ?? '')
  const apply = useDebouncedCallback((words: string) => set(words.trim() || undefined), QUIET_MS)
  useEffect(() => {
    // The URL may change from outside; text being typed stays.
    if (document.activeElement !== field.current) setText(q ?? '')
  }, [q, field])
  return (
    <TextInput
      ref={field}
      size="xs"
      type="search"
      className={classes.words}
      aria-label="Search tasks"
      aria-keyshortcuts="/"
      placeholder="Search tasks"
      leftSection={<IconSearch size={14} aria-hidden />}
      value={text}
      maxLength={200}
      onChange={event => {
        setText(event.currentTarget.value)
        apply(event.currentTarget.value)
      }}
    />
  )
}
