import { Button, Group, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Import } from '#domains/imports/contract.ts'
import { leadSettingsQuery } from '../../queries.ts'
import { Bar } from '../../ui/states.tsx'
import { plural } from '../../ui/words.ts'
import { changeImport, previewQuery } from './imports-cache.ts'
import { fieldChoices } from './words.ts'
import classes from './imports.module.css'

const SAMPLES_MAX = 3
/** Without one of these no row becomes a lead. */
const knownBy = ['first_name', 'last_name', 'name', 'email', 'phone', 'company']

/** What each column of the file becomes. The server has proposed what it recognised. */
export function MapStep({ run, next }: { run: Import; next: () => void }) {
  const preview = useQuery(previewQuery(run)).data
  const settings = useQuery(leadSettingsQuery).data
  const choices = fieldChoices(settings?.custom_fields ?? [])
  const mapped = run.mapping.filter(field => field !== null)
  const isNamed = mapped.some(field => knownBy.includes(field))
  // A field is one column's: who gives it to another takes it from the first.
  const set = (column: number, field: string | null) => {
    const mapping = run.mapping.map((each, at) => (at === column ? field : each === field ? null : each))
    void changeImport(run, { mapping })
  }
  return (
    <section aria-labelledby="map-heading">
      <h2 id="map-heading" className={classes.heading}>
        What do the columns become?
      </h2>
      <p className={classes.about}>
        {plural(mapped.length, 'column')} of {run.columns.length} will be imported. The others are left out.
      </p>
      <div className={classes.mapping}>
        <div className={classes.mappingHead} aria-hidden>
          <span>Column of the file</span>
          <span>First values</span>
          <span>Becomes</span>
        </div>
        <ul>
          {run.columns.map((header, column) => {
            const field = run.mapping[column] ?? null
            return (
              // The header of a file may name two columns the same.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={column}>
                <strong>{header || `Column ${column + 1}`}</strong>
                <span className={classes.samples}>
                  {preview ? samples(preview.rows, column) : <Bar width="60%" />}
                </span>
                <Select
                  aria-label={`${header || `Column ${column + 1}`} becomes`}
                  placeholder="Leave out"
                  data={choices}
                  value={field}
                  searchable
                  clearable
                  clearButtonProps={{ 'aria-label': `Leave ${header} out` }}
                  nothingFoundMessage="Nothing found"
                  onChange={value => set(column, value)}
                />
              </li>
            )
          })}
        </ul>
      </div>
      <Group justify="flex-end" mt="lg">
        {!isNamed && (
          <span role="status">A lead needs a name, an e-mail address, a phone number or a company.</span>
        )}
        <Button onClick={next} disabled={!isNamed}>
          Check the rows
        </Button>
      </Group>
    </section>
  )
}

function samples(rows: { cells: string[] }[], column: number): string {
  const values = new Set(rows.map(({ cells }) => cells[column]?.trim()).filter(Boolean))
  return [...values].slice(0, SAMPLES_MAX).join(', ') || 'empty'
}
