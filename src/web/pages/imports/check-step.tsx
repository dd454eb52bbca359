import { Button, Group, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconAlertTriangle from 'icon:alert-triangle'
import { useState } from 'react'
import type { Import, Preview } from '#domains/imports/contract.ts'
import { leadSettingsQuery } from '../../queries.ts'
import { Bar, Fault } from '../../ui/states.tsx'
import { count, plural } from '../../ui/words.ts'
import { previewQuery } from '../../records/imports/imports-cache.ts'
import { PreviewTable } from './preview-table.tsx'
import { fieldChoices } from '../../records/imports/words.ts'
import classes from './imports.module.css'

type Props = { run: Import; back: () => void; next: () => void }

/** A preview of the rows, with errors in their cells. */
export function CheckStep({ run, back, next }: Props) {
  const query = useQuery(previewQuery(run))
  const settings = useQuery(leadSettingsQuery).data
  const preview = query.data
  const [shown, setShown] = useState<'faulty' | 'first' | null>(null)
  const which = shown ?? (preview && preview.faulty > 0 ? 'faulty' : 'first')
  return (
    <section aria-labelledby="check-heading">
      <h2 id="check-heading" className={classes.heading}>
        {preview ? headline(preview) : 'Checking rows'}
      </h2>
      <p className={classes.about}>
        {preview ? advice(preview, run.total) : 'Reading the first rows as they would be imported.'}
      </p>
      {query.isError && !preview && <Fault error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && (
        <div role="status" aria-busy aria-label="Checking" className={classes.waiting}>
          {[1, 2, 3, 4, 5, 6].map(row => (
            <Bar key={row} width="100%" height={28} />
          ))}
        </div>
      )}
      {preview && preview.faulty > 0 && (
        <SegmentedControl
          size="xs"
          mb="sm"
          aria-label="Rows shown"
          value={which}
          onChange={value => setShown(value as 'faulty' | 'first')}
          data={[
            { value: 'faulty', label: 'Rows with errors' },
            { value: 'first', label: 'First rows' },
          ]}
        />
      )}
      {preview && (
        <PreviewTable
          rows={which === 'faulty' ? preview.faulty_rows : preview.rows}
          run={run}
          choices={fieldChoices(settings?.custom_fields ?? [])}
        />
      )}
      <Group justify="space-between" mt="lg">
        <Button variant="default" onClick={back}>
          Back to columns
        </Button>
        <Button onClick={next} disabled={!preview}>
          Continue
        </Button>
      </Group>
    </section>
  )
}

function headline({ checked, faulty }: Preview) {
  if (faulty === 0) return `No errors in ${plural(checked, 'row')}`
  return (
    <>
      <IconAlertTriangle size={16} aria-hidden /> {count(faulty)} of {plural(checked, 'row')}{' '}
      {faulty === 1 ? 'has' : 'have'} errors
    </>
  )
}

function advice({ checked, faulty }: Preview, total: number): string {
  const rest =
    total > checked ? ` The other ${plural(total - checked, 'row')} are checked during the import.` : ''
  if (faulty === 0) return `This is how the rows will be imported.${rest}`
  return `Rows with errors will not be imported. You can download them afterwards, with the reasons.${rest}`
}
