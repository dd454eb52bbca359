import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Agent, AgentVersion } from '#domains/agents/contract.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import { Section } from '../../ui/page-head.tsx'
import { Bar, Fault } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { restoreVersion } from './agent-writes.ts'
import { versionsQuery } from '../../records/agents/agents-cache.ts'
import { changesInWords } from './version-words.ts'
import versionClasses from '../../ui/draft-page.module.css'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'
import classes from './agent-page.module.css'

type Props = { agent: Agent; canWrite: boolean; hasUnsaved: boolean }

/** All versions, newest first, with their changes; each can be restored. */
export function VersionsPart({ agent, canWrite, hasUnsaved }: Props) {
  const query = useInfiniteQuery(versionsQuery(agent.id))
  const versions = query.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Section
      title="Versions"
      about={
        hasUnsaved
          ? 'Save or discard your changes to restore a version.'
          : 'Each save creates a version, and calls show which one they used. Restoring loses nothing.'
      }
    >
      {query.isError && versions.length === 0 && (
        <Fault error={query.error} retry={() => void query.refetch()} />
      )}
      {query.isPending && (
        <div role="status" aria-busy aria-label="Loading versions">
          <Bar width="100%" height={120} />
        </div>
      )}
      <ol className={rowsClasses.rows}>
        {versions.map((version, at) => (
          <Version
            key={version.version}
            version={version}
            before={versions[at + 1]?.agent}
            isCurrent={version.version === agent.version}
            goBack={canWrite && !hasUnsaved ? () => restoreVersion(agent, version.version) : undefined}
          />
        ))}
      </ol>
      <MoreButton list={query} label="Show older" />
    </Section>
  )
}

type VersionProps = {
  version: AgentVersion
  before: AgentVersion['agent'] | undefined
  isCurrent: boolean
  goBack: (() => Promise<void>) | undefined
}

function Version({ version, before, isCurrent, goBack }: VersionProps) {
  const { busy, submit } = useSubmit(() => goBack?.())
  const { version: number, agent, created_at, changed_by } = version
  const lines = changesInWords(version, before)
  return (
    <li className={versionClasses.version}>
      <div className={versionClasses.versionHead}>
        <h3>
          Version {number}
          {isCurrent && <span className={versionClasses.shown}>current</span>}
        </h3>
        {goBack && !isCurrent && (
          <Button
            size="xs"
            variant="default"
            loading={busy}
            aria-label={`Restore version ${number}`}
            onClick={submit}
          >
            Restore
          </Button>
        )}
      </div>
      <p className={textClasses.dim}>
        <Time at={created_at} />
        {changed_by && ` by ${changed_by}`}
        {number === 1 && ', first version'}
      </p>
      {lines.length > 0 && (
        <ul className={textClasses.bullets}>
          {lines.map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      <details className={classes.read}>
        <summary>Show instructions</summary>
        <p>{agent.instructions}</p>
      </details>
    </li>
  )
}
