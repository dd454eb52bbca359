import { ActionIcon, Button } from '@mantine/core'
import IconArrowBackUp from 'icon:arrow-back-up'
import IconTrash from 'icon:trash'
import IconX from 'icon:x'
import { lazy, Suspense, useState } from 'react'
import type { Lead, LeadChange } from '#domains/leads/contract.ts'
import { useCan } from '../../queries.ts'
import { Confirm } from '../../ui/seldom-dialogs.tsx'
import { Picker } from '../../ui/picker.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { count, plural } from '../../ui/words.ts'
import { startChange, type What } from '../../records/leads/bulk-changes.ts'
import { optionValue, useFields, useOptions } from '../../records/leads/choices.tsx'
import type { Field } from '../../records/leads/fields.ts'
import { leads } from '../../records/leads/store.ts'
import type { Everything, Selection } from '../../ui/record-list/selection.ts'
import type { List } from '../../ui/record-list/source.ts'
import { restoreLeads, setFieldsOfMany, trashLeads } from '../../records/leads/bulk-writes.ts'
import classes from '../../ui/bulk-bar.module.css'

const EnrolSelected = lazy(() =>
  import('../../records/sequences/enrol-selected.tsx').then(({ EnrolSelected }) => ({
    default: EnrolSelected,
  })),
)

const bulkFields = ['pipeline_stage', 'status', 'owner_id']

type Asked = { all: Everything; what: What; verb: string }
type Selected = { selection: Selection<Lead>; list: List<Lead> }

/** Bulk actions for the selected leads. */
export function BulkBar({ selection, list, trashed }: Selected & { trashed: boolean }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [enrolling, setEnrolling] = useState(false)
  const canEnrol = useCan('outreach:write')
  const canWrite = useCan('leads:write')
  const fields = useFields()
  const { size, everything: all, clear } = selection
  const run = (act: (leads: Lead[]) => Promise<unknown>) => {
    clear()
    void act(asTheyAre(selection))
  }
  const ask = (all: Everything, what: What, verb: string) => setAsked({ all, what, verb })
  return (
    <>
      {size > 0 && (
        <div className={classes.place} data-bulk-bar>
          <div className={classes.bar} role="toolbar" aria-label="Selected leads">
            <span className={classes.count} role="status">
              {all ? `All ${howMany(all)} selected` : `${count(size)} selected`}
            </span>
            {!all && size < list.count && <SelectAll selection={selection} list={list} />}
            {canWrite && trashed && (
              <Button
                size="xs"
                leftSection={<IconArrowBackUp size={16} />}
                onClick={() =>
                  all ? ask(all, { trashed: false }, `Restore ${howMany(all)}`) : run(restoreLeads)
                }
              >
                Restore
              </Button>
            )}
            {canWrite &&
              !trashed &&
              fields
                .filter(({ key }) => bulkFields.includes(key))
                .map(field => <BulkChoice key={field.key} field={field} selection={selection} ask={ask} />)}
            {canEnrol && !trashed && (
              <Button size="xs" variant="default" onClick={() => setEnrolling(true)}>
                Enrol
              </Button>
            )}
            {canWrite && !trashed && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconTrash size={16} />}
                onClick={() =>
                  all ? ask(all, { trashed: true }, `Move ${howMany(all)} to the trash`) : run(trashLeads)
                }
              >
                Move to trash
              </Button>
            )}
            <ActionIcon aria-label="Clear selection" onClick={clear}>
              <IconX size={16} />
            </ActionIcon>
          </div>
        </div>
      )}
      {enrolling && (
        <Suspense fallback={null}>
          <EnrolSelected selection={selection} close={() => setEnrolling(false)} />
        </Suspense>
      )}
      {asked && <Sure {...asked} done={clear} close={() => setAsked(null)} />}
    </>
  )
}

/** Too many to undo one by one, so it asks first and names the number. */
function Sure({ all, what, verb, done, close }: Asked & { done: () => void; close: () => void }) {
  async function start() {
    await startChange(all.search, what)
    done()
  }
  return (
    <Confirm title={`${verb}?`} verb={verb} act={start} close={close}>
      {about(what)}
    </Confirm>
  )
}

function about(what: What): string {
  const told = 'This runs in the background. You can cancel it, but leads already changed stay changed.'
  if (!('trashed' in what)) return `All matching leads are changed. This cannot be undone. ${told}`
  return what.trashed ? `They stay in the trash for 30 days. ${told}` : told
}

function howMany({ total, capped }: Everything): string {
  return capped ? `${count(total)}+ leads` : plural(total, 'lead')
}

function SelectAll({ selection, list }: Selected) {
  const { busy, submit } = useSubmit(selection.selectAll)
  return (
    <Button size="xs" variant="subtle" loading={busy} onClick={submit}>
      Select all {count(list.count)}
      {list.capped ? '+' : ''}
    </Button>
  )
}

/** In their current state, for undo. */
function asTheyAre({ records }: Selection<Lead>): Lead[] {
  return records.map(lead => leads.known(lead.id) ?? lead)
}

type BulkChoiceProps = {
  field: Field
  selection: Selection<Lead>
  ask: (all: Everything, what: What, verb: string) => void
}

function BulkChoice({ field, selection, ask }: BulkChoiceProps) {
  const all = selection.everything
  const [open, setOpen] = useState(false)
  const options = useOptions()(field) ?? []
  function pick(option: string) {
    setOpen(false)
    const label = options.find(each => each.value === option)?.label ?? option
    const set = { [field.key]: optionValue(field, option) } as LeadChange
    if (all) return ask(all, { set }, `Change ${field.label.toLowerCase()} of ${howMany(all)} to ${label}`)
    const chosen = asTheyAre(selection)
    selection.clear()
    void setFieldsOfMany(
      chosen,
      set,
      `Changed ${field.label.toLowerCase()} of ${plural(chosen.length, 'lead')} to ${label}`,
    )
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
