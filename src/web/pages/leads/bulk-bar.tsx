import { ActionIcon, Button } from '@mantine/core'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useState } from 'react'
import type { LeadChange } from '#domains/leads/contract.ts'
import { BULK_IDS_MAX } from '#domains/leads/values.ts'
import { useCan } from '../../queries.ts'
import { Picker } from '../../ui/picker.tsx'
import { count, plural } from '../../ui/words.ts'
import type { LeadList } from './cache.ts'
import { optionValue, useFields, useOptions } from './choices.tsx'
import type { Field } from './fields.ts'
import type { LeadsSearch } from './search.ts'
import { clearSelection, selectAllMatching, selectedLeads, selection } from './selection.ts'
import { restoreLeads, setFieldsOfMany, trashLeads } from './bulk-writes.ts'
import classes from './bulk-bar.module.css'

const bulkFields = ['pipeline_stage', 'status', 'owner_id']

/** What can be done with the selected leads, all of them at once. */
export function BulkBar({ search, list }: { search: LeadsSearch; list: LeadList | undefined }) {
  const size = selection.use(now => now.size)
  const canWrite = useCan('leads:write')
  const fields = useFields()
  if (size === 0) return null
  const run = (act: (leads: ReturnType<typeof selectedLeads>) => Promise<unknown>) => {
    const leads = selectedLeads()
    clearSelection()
    void act(leads)
  }
  return (
    <div className={classes.place} data-bulk-bar>
      <div className={classes.bar} role="toolbar" aria-label="Selected leads">
        <span className={classes.count} role="status">
          {count(size)} selected
        </span>
        {list && size < list.count && size < BULK_IDS_MAX && <SelectAll search={search} list={list} />}
        {list && list.count > BULK_IDS_MAX && size >= BULK_IDS_MAX && (
          <span className={classes.limit}>
            of {count(list.count)} that match; {count(BULK_IDS_MAX)} is the most at once
          </span>
        )}
        {canWrite && search.trashed && (
          <Button size="xs" leftSection={<IconArrowBackUp size={15} />} onClick={() => run(restoreLeads)}>
            Restore
          </Button>
        )}
        {canWrite &&
          !search.trashed &&
          fields
            .filter(({ key }) => bulkFields.includes(key))
            .map(field => <BulkChoice key={field.key} field={field} />)}
        {canWrite && !search.trashed && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTrash size={15} />}
            onClick={() => run(trashLeads)}
          >
            Move to trash
          </Button>
        )}
        <ActionIcon aria-label="Clear the selection" onClick={clearSelection}>
          <IconX size={16} />
        </ActionIcon>
      </div>
    </div>
  )
}

function SelectAll({ search, list }: { search: LeadsSearch; list: LeadList }) {
  const [busy, setBusy] = useState(false)
  const label =
    list.count > BULK_IDS_MAX
      ? `Select the first ${count(BULK_IDS_MAX)} of ${count(list.count)}`
      : `Select all ${count(list.count)}`
  return (
    <Button
      size="xs"
      variant="subtle"
      loading={busy}
      onClick={() => {
        setBusy(true)
        void selectAllMatching(search).finally(() => setBusy(false))
      }}
    >
      {label}
    </Button>
  )
}

function BulkChoice({ field }: { field: Field }) {
  const [open, setOpen] = useState(false)
  const options = useOptions()(field) ?? []
  function pick(option: string) {
    setOpen(false)
    const leads = selectedLeads()
    clearSelection()
    const label = options.find(each => each.value === option)?.label ?? option
    const say = `${field.label} of ${plural(leads.length, 'lead')} is now ${label}`
    void setFieldsOfMany(leads, { [field.key]: optionValue(field, option) } as LeadChange, say)
  }
  const button = (
    <Button
      size="xs"
      variant="default"
      aria-expanded={open}
      aria-haspopup="listbox"
      onClick={() => setOpen(true)}
    >
      {field.label}
    </Button>
  )
  if (!open) return button
  return (
    <Picker
      label={`Change ${field.label.toLowerCase()} to`}
      options={options}
      chosen={[]}
      pick={pick}
      close={() => setOpen(false)}
    >
      {button}
    </Picker>
  )
}
