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
import type { LeadsSearch } from '../../records/leads/search.ts'
import textClasses from '../../ui/text.module.css'
import classes from './imports.module.css'

/** What became of every row. */
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
        <Figure name="Skipped, there already" amount={run.skipped} />
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
            Download the {plural(run.failed, 'row')} with errors
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

/** One that failed goes on where it stopped. */
function GoOn({ run }: { run: Import }) {
  const { busy, submit } = useSubmit(() => startImport(run.id), 'The import does not go on')
  return (
    <Button loading={busy} onClick={submit}>
      Go on with the other rows
    </Button>
  )
}

function Figure({ name, amount, search }: { name: string; amount: number; search?: LeadsSearch }) {
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
  return `All ${plural(total, 'row')} are through`
}

/** Leads do not say which file they came from; the day it ran, and its source if it gave one, come close. */
function createdSearch({ started_at, mapping, defaults }: Import): LeadsSearch {
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
