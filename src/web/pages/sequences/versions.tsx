import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SequenceVersion, SequenceWithWarnings } from '#domains/sequences/contract.ts'
import { Bar, Fault } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { toastWithUndo } from '../../ui/toast.ts'
import { Beside } from '../../ui/drawer.tsx'
import { differencesOf } from './differences.ts'
import type { StepsDraft } from './draft.ts'
import { draftFrom } from './draft-steps.ts'
import { versionsQuery } from '../../records/sequences/sequences-cache.ts'
import { stepsInShort } from '../../records/sequences/words.ts'
import classes from '../../ui/draft-page.module.css'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'

type Props = { sequence: SequenceWithWarnings; draft: StepsDraft; close: () => void }

/** All versions of the steps, newest first, with their changes. Older ones can be restored. */
export function Versions({ sequence, draft, close }: Props) {
  const query = useQuery(versionsQuery(sequence.id))
  const versions = query.data ?? []

  function reuse({ version, steps }: SequenceVersion) {
    const before = draft.state.get().history.now
    draft.act({ kind: 'replace', steps: draftFrom(steps) })
    toastWithUndo(`Restored version ${version}, not saved yet`, async () =>
      draft.act({ kind: 'replace', steps: before }),
    )
    close()
  }

  return (
    <Beside title={`Versions of ${sequence.name}`} close={close}>
      {query.isError && versions.length === 0 && (
        <Fault error={query.error} retry={() => void query.refetch()} />
      )}
      {query.isPending && <Bar width="100%" height={120} />}
      <ol className={rowsClasses.rows}>
        {versions.map((version, at) => (
          <Version
            key={version.version}
            version={version}
            before={versions[at + 1]}
            isNewest={version.version === sequence.version}
            reuse={() => reuse(version)}
          />
        ))}
      </ol>
    </Beside>
  )
}

type VersionProps = {
  version: SequenceVersion
  before: SequenceVersion | undefined
  isNewest: boolean
  reuse: () => void
}

function Version({ version, before, isNewest, reuse }: VersionProps) {
  const { version: number, steps, created_at, created_by } = version
  const differences = before ? differencesOf(before.steps, steps) : []
  return (
    <li className={classes.version}>
      <div className={classes.versionHead}>
        <h3>
          Version {number}
          {isNewest && <span className={classes.shown}>current</span>}
        </h3>
        {!isNewest && (
          <Button size="xs" variant="default" aria-label={`Restore version ${number}`} onClick={reuse}>
            Restore
          </Button>
        )}
      </div>
      <p className={textClasses.dim}>
        <Time at={created_at} />
        {created_by && ` by ${created_by}`}, {stepsInShort(steps)}
      </p>
      {differences.length > 0 && (
        <ul className={textClasses.bullets}>
          {differences.map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </li>
  )
}
