import { ActionIcon, Button, SegmentedControl, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconPlus from 'icon:plus'
import IconX from 'icon:x'
import { useState } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import { useViews } from '../../queries.ts'
import { count, plural } from '../../ui/words.ts'
import { LeadPicker } from '../leads/lead-picker.tsx'
import { leadList } from '../leads/cache.ts'
import { leadName } from '../leads/fields.ts'
import { fromFilterText, without, type ListSearch } from '../../ui/record-list/search.ts'
import { leadsShape } from '../leads/search.ts'
import type { Who } from './enrolling.ts'
import classes from '../../ui/review-dialog.module.css'
import textClasses from '../../ui/text.module.css'

type Props = {
  who: Who | null
  choose: (who: Who | null) => void
  /** Accessible name of the lead picker. */
  label: string
}

/** Individual leads, or all leads in a view. */
export function EnrolWho({ who, choose, label }: Props) {
  const [kind, setKind] = useState<'leads' | 'view'>('leads')
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        aria-label="Which leads"
        value={kind}
        data={[
          { value: 'leads', label: 'Choose leads' },
          { value: 'view', label: 'All leads in a view' },
        ]}
        onChange={value => {
          setKind(value as 'leads' | 'view')
          choose(null)
        }}
      />
      {kind === 'leads' ? <Chosen choose={choose} label={label} /> : <OfView who={who} choose={choose} />}
    </Stack>
  )
}

function Chosen({ choose, label }: Omit<Props, 'who'>) {
  const [leads, setLeads] = useState<readonly Lead[]>([])
  const [open, setOpen] = useState(false)

  function put(next: readonly Lead[]) {
    setLeads(next)
    choose(next.length > 0 ? { ids: next.map(({ id }) => id) } : null)
  }

  const button = (
    <Button
      variant="default"
      leftSection={<IconPlus size={16} />}
      aria-haspopup="listbox"
      aria-expanded={open}
      data-autofocus
      onClick={() => setOpen(true)}
    >
      Add a lead
    </Button>
  )
  return (
    <>
      {leads.length > 0 && (
        <ul className={classes.chosen} aria-label="Chosen leads">
          {leads.map(lead => (
            <li key={lead.id}>
              {leadName(lead)}
              <ActionIcon
                size="sm"
                aria-label={`Remove ${leadName(lead)}`}
                onClick={() => put(leads.filter(each => each !== lead))}
              >
                <IconX size={14} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <div>
        {open ? (
          <LeadPicker
            label={label}
            close={() => setOpen(false)}
            pick={lead => {
              setOpen(false)
              if (!leads.some(({ id }) => id === lead.id)) put([...leads, lead])
            }}
          >
            {button}
          </LeadPicker>
        ) : (
          button
        )}
      </div>
    </>
  )
}

const ALL = 'all'

function OfView({ who, choose }: Omit<Props, 'label'>) {
  const views = useViews('leads')
  const [chosen, setChosen] = useState<string | null>(null)
  const search = who && 'search' in who ? who.search : undefined
  return (
    <div>
      <Select
        label="View"
        placeholder="Choose a view"
        data={[
          { value: ALL, label: 'All leads' },
          ...views.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={chosen}
        searchable
        nothingFoundMessage="No matches"
        onChange={value => {
          setChosen(value)
          const view = views.find(({ id }) => id === value)
          // Leads in the trash are never enrolled.
          choose(
            value ? { search: view ? without(fromFilterText(leadsShape, view.query), 'trashed') : {} } : null,
          )
        }}
      />
      {search && <HowMany search={search} />}
    </div>
  )
}

function HowMany({ search }: { search: ListSearch }) {
  const { data } = useQuery(leadList.listQuery(search))
  return (
    <p className={textClasses.dim} role="status">
      {data
        ? `${data.capped ? `${count(data.count)}+ leads` : plural(data.count, 'lead')} in this view`
        : 'Counting …'}
    </p>
  )
}
