import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { FormVersion, FormWithCounts } from '#domains/forms/contract.ts'
import { useCan } from '../../queries.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { toastWithUndo } from '../../ui/toast.ts'
import { plural } from '../../ui/words.ts'
import { Beside } from '../../ui/drawer.tsx'
import { differencesOf } from './differences.ts'
import type { FormDraft } from './draft.ts'
import { draftFrom } from './draft-content.ts'
import { versionsQuery } from '../../records/forms/forms-cache.ts'
import { useTargetName } from './targets.ts'
import classes from '../../ui/draft-page.module.css'
import textClasses from '../../ui/text.module.css'
import rowsClasses from '../../ui/rows.module.css'

type Props = { form: FormWithCounts; draft: FormDraft; close: () => void }

/** Published versions, newest first. Each can be restored. */
export function Versions({ form, draft, close }: Props) {
  const query = useInfiniteQuery(versionsQuery(form.id))
  const versions = query.data?.pages.flatMap(({ data }) => data) ?? []

  function reuse({ version, content }: FormVersion) {
    const before = draft.state.get().history.now
    draft.act({ kind: 'replace', content: draftFrom(content, before.fields) })
    toastWithUndo(`Restored version ${version} to the draft`, async () =>
      draft.act({ kind: 'replace', content: before }),
    )
    close()
  }

  return (
    <Beside title={`Versions of ${form.name}`} close={close}>
      {query.isError && versions.length === 0 && (
        <Fault error={query.error} retry={() => void query.refetch()} />
      )}
      {query.isPending && <Bar width="100%" height={120} />}
      {query.isSuccess && versions.length === 0 && (
        <Empty title="No versions yet" compact>
          A version is saved each time you publish.
        </Empty>
      )}
      <ol className={rowsClasses.rows}>
        {versions.map((version, at) => (
          <Version
            key={version.version}
            version={version}
            before={versions[at + 1]}
            isShown={form.published && version.version === form.version}
            reuse={() => reuse(version)}
          />
        ))}
      </ol>
      <MoreButton list={query} label="Show older" />
    </Beside>
  )
}

type VersionProps = {
  version: FormVersion
  before: FormVersion | undefined
  isShown: boolean
  reuse: () => void
}

function Version({
  version: { version, content, published_at, published_by },
  before,
  isShown,
  reuse,
}: VersionProps) {
  const canWrite = useCan('forms:write')
  const targetName = useTargetName()
  const differences = before ? differencesOf(before.content, content, targetName) : []
  return (
    <li className={classes.version}>
      <div className={classes.versionHead}>
        <h3>
          Version {version}
          {isShown && <span className={classes.shown}>live</span>}
        </h3>
        {canWrite && (
          <Button size="xs" variant="default" aria-label={`Restore version ${version}`} onClick={reuse}>
            Restore
          </Button>
        )}
      </div>
      <p className={textClasses.dim}>
        <Time at={published_at} />
        {published_by && ` by ${published_by}`}, {plural(content.fields.length, 'field')}
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
