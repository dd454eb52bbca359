import { Button, CloseButton, Input } from '@mantine/core'
import { useId, useState } from 'react'
import { runStatuses } from '#domains/workflows/values.ts'
import { DayInput } from '../../ui/day-input.tsx'
import { useLeadName } from '../../records/leads/lead-link.tsx'
import { LeadPicker } from '../../records/leads/lead-picker.tsx'
import { Choice } from '../../ui/filter-fields.tsx'
import { runsSearch, type RunsSearch } from '../../records/workflows/search.ts'
import { runWords } from '../../records/workflows/words.ts'
import filtersClasses from '../../ui/filters.module.css'
import own from './runs.module.css'

/** Older versions can only be chosen by URL. */
const VERSIONS_SHOWN = 100

type Props = { versions: number; search: RunsSearch; show: (search: RunsSearch) => void }

export function RunFilters({ versions, search, show }: Props) {
  // Parsing the new search drops cleared filters.
  const put = (change: Record<string, unknown>) => show(runsSearch({ ...search, ...change }))
  const known = Array.from({ length: Math.min(versions, VERSIONS_SHOWN) }, (_, at) => String(versions - at))
  const version = search.version?.toString()
  if (version && !known.includes(version)) known.push(version)
  return (
    <search className={filtersClasses.filters} aria-label="Run filters">
      <Choice
        label="Status"
        any="Any"
        data={runStatuses.map(value => ({ value, label: runWords[value].label }))}
        value={search.status}
        set={status => put({ status })}
      />
      <Choice
        label="Version"
        any="Any"
        data={known.map(value => ({ value, label: `Version ${value}` }))}
        value={version}
        set={version => put({ version })}
      />
      <LeadChoice lead={search.lead} set={lead => put({ lead })} />
      <DayInput label="From" day={search.from} set={from => put({ from })} className={filtersClasses.day} />
      <DayInput
        label="Until"
        day={search.until}
        set={until => put({ until })}
        className={filtersClasses.day}
      />
      {Object.keys(search).length > 0 && (
        <Button size="xs" variant="subtle" color="gray" onClick={() => show({})}>
          Clear filters
        </Button>
      )}
    </search>
  )
}

type LeadProps = { lead: string | undefined; set: (lead: string | undefined) => void }

function LeadChoice({ lead, set }: LeadProps) {
  const [open, setOpen] = useState(false)
  const name = useLeadName(lead ?? null)
  const id = useId()
  const button = (
    <Button
      id={id}
      size="xs"
      variant="default"
      className={own.lead}
      justify="flex-start"
      aria-haspopup="listbox"
      aria-expanded={open}
      aria-label={lead ? `Lead ${name ?? '…'}` : 'Lead: any'}
      onClick={() => setOpen(true)}
    >
      {lead ? (name ?? '…') : 'Any'}
    </Button>
  )
  return (
    <Input.Wrapper id={id} label="Lead" size="xs" className={filtersClasses.words}>
      <div className={own.leadLine}>
        {open ? (
          <LeadPicker
            label="Filter by lead"
            close={() => setOpen(false)}
            pick={({ id }) => {
              setOpen(false)
              set(id)
            }}
          >
            {button}
          </LeadPicker>
        ) : (
          button
        )}
        {lead && <CloseButton size="sm" aria-label="Clear lead filter" onClick={() => set(undefined)} />}
      </div>
    </Input.Wrapper>
  )
}
