import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Import } from '#domains/imports/contract.ts'
import { CUSTOM_FIELDS_MAX } from '#platform/values.ts'
import { leadSettingsQuery, useIsAtLeast } from '../../queries.ts'
import { Bar } from '../../ui/states.tsx'
import { count, plural } from '../../ui/words.ts'
import { ColumnSelect } from './column-select.tsx'
import { previewQuery } from '../../records/imports/imports-cache.ts'
import { proposedField } from './proposed-field.ts'
import { fieldChoices } from '../../records/imports/words.ts'
import rowsClasses from '../../ui/rows.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './imports.module.css'
import { imports } from '../../records/imports/store.ts'

const NewField = lazy(() => import('./new-field.tsx').then(({ NewField }) => ({ default: NewField })))

const SAMPLES_MAX = 3
/** A lead needs at least one of these. */
const knownBy = ['first_name', 'last_name', 'name', 'email', 'phone', 'company']

/** Maps columns to fields, starting with what the server recognised. */
export function MapStep({ run, next }: { run: Import; next: () => void }) {
  const rows = useQuery(previewQuery(run)).data?.rows
  const settings = useQuery(leadSettingsQuery).data
  const isAdmin = useIsAtLeast('ADMIN')
  const [making, setMaking] = useState<number | null>(null)
  const choices = fieldChoices(settings?.custom_fields ?? [])
  const mayMake = isAdmin && settings !== undefined && settings.custom_fields.length < CUSTOM_FIELDS_MAX
  const mapped = run.mapping.filter(field => field !== null)
  const isNamed = mapped.some(field => knownBy.includes(field))
  // A field has one column: mapping another one to it clears the first.
  const set = (column: number, field: string | null) => {
    const mapping = run.mapping.map((each, at) => (at === column ? field : each === field ? null : each))
    void imports.change(run.id, { mapping }, null)
  }
  return (
    <section aria-labelledby="map-heading">
      <h2 id="map-heading" className={classes.heading}>
        Map columns
      </h2>
      <p className={classes.about}>
        {count(mapped.length)} of {plural(run.columns.length, 'column')} will be imported.
      </p>
      <div className={`${rowsClasses.rows} ${classes.mapping}`}>
        <div className={classes.mappingHead} aria-hidden>
          <span>Column in file</span>
          <span>Sample values</span>
          <span>Field</span>
        </div>
        <ul>
          {run.columns.map((_, column) => (
            // The header of a file may name two columns the same.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={column}>
              <strong>{headingOf(run, column)}</strong>
              <span className={`${textClasses.dim} ${textClasses.cut}`}>
                {rows ? samples(valuesOf(rows, column)) : <Bar width="60%" />}
              </span>
              <ColumnSelect
                heading={headingOf(run, column)}
                field={run.mapping[column] ?? null}
                choices={choices}
                set={field => set(column, field)}
                make={mayMake ? () => setMaking(column) : undefined}
              />
            </li>
          ))}
        </ul>
      </div>
      <Group justify="flex-end" mt="lg">
        {!isNamed && <span role="status">Map at least a name, email, phone or company.</span>}
        <Button onClick={next} disabled={!isNamed}>
          Check rows
        </Button>
      </Group>
      {making !== null && settings && (
        <Suspense fallback={null}>
          <NewField
            settings={settings}
            proposed={proposedField(headingOf(run, making), valuesOf(rows ?? [], making))}
            added={({ key }) => set(making, `custom.${key}`)}
            close={() => setMaking(null)}
          />
        </Suspense>
      )}
    </section>
  )
}

function headingOf({ columns }: Import, column: number): string {
  return columns[column] || `Column ${column + 1}`
}

function valuesOf(rows: { cells: string[] }[], column: number): string[] {
  return rows.map(({ cells }) => cells[column] ?? '')
}

function samples(values: string[]): string {
  const known = new Set(values.map(value => value.trim()).filter(Boolean))
  return [...known].slice(0, SAMPLES_MAX).join(', ') || 'no values'
}
