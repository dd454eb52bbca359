import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Import } from '#domains/imports/contract.ts'
import { api } from '../../api.ts'
import { useCan } from '../../queries.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Progress } from '../../ui/progress.tsx'
import { count, plural } from '../../ui/words.ts'
import { outcome } from '../../records/imports/words.ts'
import classes from './imports.module.css'
import { imports } from '../../records/imports/store.ts'

/** The progress of an import, which continues without this page. */
export function ProgressStep({ run }: { run: Import }) {
  const [asking, setAsking] = useState(false)
  const canWrite = useCan('leads:write')
  const { id } = run
  const cancel = () => imports.act(id, () => api('POST /api/crm/imports/:id/cancel', { params: { id } }))
  return (
    <section aria-labelledby="progress-heading">
      <h2 id="progress-heading" className={classes.heading}>
        {count(run.processed)} of {plural(run.total, 'row')}
      </h2>
      <p className={classes.about}>
        {run.processed === 0 ? 'The import starts in a moment.' : `So far: ${outcome(run)}.`} You can leave
        this page; the import continues.
      </p>
      <Progress label={`Import of ${run.file_name}`} done={run.processed} of={run.total} />
      {canWrite && (
        <Button mt="lg" variant="default" onClick={() => setAsking(true)}>
          Cancel import
        </Button>
      )}
      {asking && (
        <Confirm
          title={`Cancel the import of ${run.file_name}?`}
          verb="Cancel import"
          act={cancel}
          close={() => setAsking(false)}
        >
          Leads imported so far stay. The remaining rows are not imported.
        </Confirm>
      )}
    </section>
  )
}
