import { ActionIcon, Button } from '@mantine/core'
import IconPencil from 'icon:pencil'
import IconPlus from 'icon:plus'
import IconTrash from 'icon:trash'
import { useState } from 'react'
import type { CustomField } from '#domains/leads/contract.ts'
import { CUSTOM_FIELDS_MAX } from '#platform/values.ts'
import { moved } from '../../ui/moved.ts'
import { Sortable } from '../../ui/sortable.tsx'
import { FieldDialog, kindLabels } from '../../records/fields/field-dialog.tsx'
import textClasses from '../../ui/text.module.css'
import classes from './lead-settings.module.css'

type Props = {
  label: string
  /** Label of the add button. */
  verb: string
  fields: CustomField[]
  editable: boolean
  set: (fields: CustomField[], say: string) => Promise<boolean>
}

/** The custom fields of one kind of record, in the order they are shown. */
export function FieldList({ label, verb, fields, editable, set }: Props) {
  const [open, setOpen] = useState<CustomField | 'new' | null>(null)

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
        <p className={textClasses.dim}>
          No custom fields yet. A field can be text, a number, a date, a choice or a checkbox.
        </p>
      )}
      {fields.length > 0 && (
        <Sortable
          label={label}
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
              <span className={textClasses.dim}>{kindLabels[String(field.kind)]}</span>
              {editable && (
                <>
                  <ActionIcon size="sm" aria-label={`Edit ${field.label}`} onClick={() => setOpen(field)}>
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
        <Button mt="sm" variant="default" leftSection={<IconPlus size={16} />} onClick={() => setOpen('new')}>
          {verb}
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
