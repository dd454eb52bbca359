import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconX from 'icon:x'
import {
  messageChannels,
  messageOutcomes,
  type MessageChannel,
  type MessageOutcome,
} from '#domains/messages/values.ts'
import { useLeadName } from '../../records/leads/lead-link.tsx'
import { sequenceChoicesQuery } from '../../records/sequences/sequences-cache.ts'
import { Choice, Words } from '../../ui/filter-fields.tsx'
import { ADDRESS_LENGTH_MAX, type OutboxSearch } from '../../records/enrolments/search.ts'
import { useSequenceName } from '../../records/enrolments/sequence-link.tsx'
import { channelWords, outcomeWords } from '../../records/enrolments/words.ts'
import filtersClasses from '../../ui/filters.module.css'
import textClasses from '../../ui/text.module.css'

type Props = {
  search: OutboxSearch
  put: (change: { [K in keyof OutboxSearch]: OutboxSearch[K] | undefined }) => void
  reset: () => void
  isFiltered: boolean
}

export function OutboxFilters({ search, put, reset, isFiltered }: Props) {
  const { channel, q, source_id, step_index, lead_id, enrolment_id, outcome } = search
  return (
    <search className={filtersClasses.filters} aria-label="Outbox filters">
      <Words
        label="Email or phone"
        placeholder="Starts with"
        value={q}
        maxLength={ADDRESS_LENGTH_MAX}
        set={value => put({ q: value })}
      />
      <Choice
        label="Channel"
        any="Any"
        data={channels}
        value={channel}
        set={value => put({ channel: value as MessageChannel | undefined })}
      />
      <Choice
        label="Engagement"
        any="Any"
        data={outcomes}
        value={outcome}
        set={value => put({ outcome: value as MessageOutcome | undefined })}
      />
      <OfSequence value={source_id} set={value => put({ source_id: value, step_index: undefined })} />
      {source_id && step_index !== undefined && (
        <Chosen words={`Step ${step_index + 1}`} drop={() => put({ step_index: undefined })} />
      )}
      {lead_id && <ChosenLead id={lead_id} drop={() => put({ lead_id: undefined })} />}
      {enrolment_id && <Chosen words="One enrolment" drop={() => put({ enrolment_id: undefined })} />}
      {isFiltered && (
        <Button size="xs" variant="subtle" color="gray" onClick={reset}>
          Clear filters
        </Button>
      )}
    </search>
  )
}

const channels = messageChannels.map(value => ({ value, label: channelWords[value] }))
const outcomes = messageOutcomes.map(value => ({ value, label: outcomeWords[value] }))

/** Also lists the chosen sequence when it is in the trash or not among the first. */
function OfSequence({ value, set }: { value: string | undefined; set: (id: string | undefined) => void }) {
  const sequences = useQuery(sequenceChoicesQuery('')).data ?? []
  const name = useSequenceName(value ?? null)
  const known = sequences.map(({ id, name }) => ({ value: id, label: name }))
  const isKnown = !value || known.some(each => each.value === value)
  return (
    <Choice
      label="Sequence"
      any="Any"
      data={isKnown ? known : [{ value, label: name ?? '…' }, ...known]}
      value={value}
      set={set}
    />
  )
}

function ChosenLead({ id, drop }: { id: string; drop: () => void }) {
  return <Chosen words={`To ${useLeadName(id) ?? '…'}`} drop={drop} />
}

function Chosen({ words, drop }: { words: string; drop: () => void }) {
  return (
    <span className={filtersClasses.chosen}>
      <span className={`${textClasses.cut} ${filtersClasses.chosenWord}`}>{words}</span>
      <ActionIcon size="sm" aria-label={`Remove filter: ${words}`} onClick={drop}>
        <IconX size={14} />
      </ActionIcon>
    </span>
  )
}
