import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Import } from '#domains/imports/contract.ts'
import { patterns } from '../../paths.ts'
import { useCan } from '../../queries.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import { PageBody, PageHead, Section } from '../../ui/page-head.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Dotted } from '../../ui/stage.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useTitle } from '../../ui/title.ts'
import { plural } from '../../ui/words.ts'
import { DropZone } from './drop-zone.tsx'
import { importsQuery } from '../../records/imports/imports-cache.ts'
import { outcome, statusWords } from '../../records/imports/words.ts'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'
import classes from './imports.module.css'

/** All imports, and the start of a new one. */
export function ImportsPage() {
  useTitle('Imports')
  const canWrite = useCan('leads:write')
  const query = useInfiniteQuery(importsQuery)
  const runs = query.data?.pages.flatMap(page => page.data) ?? []
  return (
    <>
      <PageHead title="Imports" />
      <PageBody>
        {canWrite && (
          <Section
            title="Import leads"
            about="You map the columns and check the rows before anything is imported."
          >
            <DropZone />
          </Section>
        )}
        <Section title="Import history">
          {query.isPending && <Waiting />}
          {query.isError && runs.length === 0 && (
            <Fault error={query.error} retry={() => void query.refetch()} />
          )}
          {query.isSuccess && runs.length === 0 && (
            <Empty title="No imports yet" compact>
              Imported files and their results appear here.
            </Empty>
          )}
          {runs.length > 0 && (
            <ul className={rowsClasses.rows}>
              {runs.map(run => (
                <Run key={run.id} run={run} />
              ))}
            </ul>
          )}
          <MoreButton list={query} label="Show older" mt="sm" />
        </Section>
      </PageBody>
    </>
  )
}

function Run({ run }: { run: Import }) {
  const { word, tone } = statusWords[run.status]
  return (
    <li className={`${rowsClasses.row} ${classes.run}`}>
      <Link to={patterns.import} params={{ id: run.id }} className={`${textClasses.quiet} ${classes.name}`}>
        {run.file_name}
      </Link>
      <Dotted tone={tone}>{word}</Dotted>
      <span className={textClasses.dim}>
        {plural(run.total, 'row')}
        {run.status !== 'READY' && run.status !== 'UPLOADING' && `: ${outcome(run)}`}
      </span>
      <span className={rowsClasses.when}>
        <Time at={run.created_at} />
      </span>
      {run.status === 'RUNNING' && (
        <Progress label={`Import of ${run.file_name}`} done={run.processed} of={run.total} />
      )}
    </li>
  )
}

function Waiting() {
  return (
    <div role="status" aria-busy aria-label="Loading imports" className={rowsClasses.rows}>
      {[55, 42, 60].map(width => (
        <div key={width} className={`${rowsClasses.row} ${classes.run}`}>
          <Bar width={`${width}%`} />
        </div>
      ))}
    </div>
  )
}
