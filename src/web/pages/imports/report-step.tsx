import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import IconDownload from 'icon:download'
import type { Import } from '#domains/imports/contract.ts'
import { startImport } from '../../records/imports/imports-cache.ts'
import { paths } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { Time } from '../../ui/time.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { count, plural } from '../../ui/words.ts'
import type { ListSearch } from '../../ui/record-list/search.ts'
import textClasses from '../../ui/text.module.css'
import classes from './imports.module.css'

/** The result of an import. */
export function ReportStep({ run }: { run: Import }) {
  const canWrite = useCan('leads:write')
  return (
    <section aria-labelledby="report-heading">
      <div role="status">
        <h2 id="report-heading" className={classes.heading}>
          {headline(run)}
        </h2>
      </div>
      <p className={classes.about}>
        {run.finished_at && <Time at={run.finished_at} />}
        {run.error && ` ${run.error}`}
      </p>
      <dl className={classes.figures}>
        <Figure name="Created" amount={run.created} search={createdSearch(run)} />
        <Figure name="Updated" amount={run.updated} search={{ sort: '-updated_at' }} />
        <Figure name="Duplicates skipped" amount={run.skipped} />
        <Figure name="With errors" amount={run.failed} />
      </dl>
      <Group mt="lg" gap="sm">
        {canWrite && run.status === 'FAILED' && <GoOn run={run} />}
        {run.failed > 0 && (
          <Button
            component="a"
            variant="default"
            href={`/api/crm/imports/${run.id}/errors.csv`}
            download
            leftSection={<IconDownload size={16} />}
          >
            Download {plural(run.failed, 'row')} with errors
          </Button>
        )}
        {canWrite && (
          <LinkButton variant="default" to={paths.imports}>
            Import another file
          </LinkButton>
        )}
      </Group>
    </section>
  )
}

/** Resumes a failed import where it stopped. */
function GoOn({ run }: { run: Import }) {
  const { busy, submit } = useSubmit(() => startImport(run.id), "Couldn't resume the import")
  return (
    <Button loading={busy} onClick={submit}>
      Resume import
    </Button>
  )
}

function Figure({ name, amount, search }: { name: string; amount: number; search?: ListSearch }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={textClasses.figure}>
        {search && amount > 0 ? (
          <Link to={paths.leads} search={search}>
            {count(amount)}
          </Link>
        ) : (
          count(amount)
        )}
      </dd>
    </div>
  )
}

function headline({ status, processed, total }: Import): string {
  if (status === 'CANCELLED') return `Cancelled after ${count(processed)} of ${plural(total, 'row')}`
  if (status === 'FAILED') return `Stopped after ${count(processed)} of ${plural(total, 'row')}`
  return `Import complete: ${plural(total, 'row')}`
}

/** Leads do not record their import; the day it ran and its source come close. */
function createdSearch({ started_at, mapping, defaults }: Import): ListSearch {
  const source = mapping.includes('source') ? undefined : defaults.source
  return {
    ...(source && { source: [source] }),
    ...(started_at && { created_after: localDay(started_at) }),
  }
}

function localDay(at: string): string {
  const date = new Date(at)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
