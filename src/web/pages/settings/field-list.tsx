import { ActionIcon, Button } from '@mantine/core'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import type { CustomField, LeadSettings } from '#domains/leads/contract.ts'
import { CUSTOM_FIELDS_MAX } from '#domains/leads/values.ts'
import { Sortable, moved } from '../../ui/sortable.tsx'
import { FieldDialog, kindLabels } from './field-dialog.tsx'
import { changeSettings } from './settings-writes.ts'
import classes from './lead-settings.module.css'

type Props = { settings: LeadSettings; editable: boolean }

export function FieldList({ settings, editable }: Props) {
  const fields = settings.custom_fields
  const [open, setOpen] = useState<CustomField | 'new' | null>(null)
  const set = (custom_fields: CustomField[], say: string) => changeSettings(settings, { custom_fields }, say)

  function save(field: CustomField): Promise<boolean> {
    if (open === 'new') return set([...fields, field], `Added ${field.label}`)
    return set(
      fields.map(each => (each.key === field.key ? field : each)),
      `Changed ${field.label}`,
    )
  }

  return (
    <>
      {fields.length === 0 && (
        <p className={classes.none}>
          None yet. A field can be a text, a number, a date, a choice or a checkbox.
        </p>
      )}
      {fields.length > 0 && (
        <Sortable
          label="Your own fields"
          items={fields}
          nameOf={({ label }) => label}
          keyOf={({ key }) => key}
          disabled={!editable}
          move={(from, to) => void set(moved(fields, from, to), `Moved ${fields[from]?.label}`)}
        >
          {field => (
            <>
              <span className={classes.name}>
                {field.label}
                <span className={classes.key}>{field.key}</span>
              </span>
              <span className={classes.kind}>{kindLabels[String(field.kind)]}</span>
              {editable && (
                <>
                  <ActionIcon size="sm" aria-label={`Change ${field.label}`} onClick={() => setOpen(field)}>
                    <IconPencil size={14} />
                  </ActionIcon>
                  <ActionIcon
                    size="sm"
                    aria-label={`Delete ${field.label}`}
                    onClick={() =>
                      void set(
                        fields.filter(each => each.key !== field.key),
                        `Deleted ${field.label}`,
                      )
                    }
                  >
                    <IconTrash size={14} />
                  </ActionIcon>
                </>
              )}
            </>
          )}
        </Sortable>
      )}
      {editable && fields.length < CUSTOM_FIELDS_MAX && (
        <Button mt="sm" variant="default" leftSection={<IconPlus size={15} />} onClick={() => setOpen('new')}>
          Add field
        </Button>
      )}
      {open && (
        <FieldDialog
          field={open === 'new' ? undefined : open}
          taken={fields.map(({ key }) => key)}
          save={save}
          close={() => setOpen(null)}
        />
      )}
    </>
  )
}
