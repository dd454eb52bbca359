import { Text } from '@mantine/core'
import type { Difference, WorkflowInFull } from '#domains/workflows/contract.ts'
import { differences } from '#domains/workflows/differences.ts'
import { differenceInWords } from '../records/workflows/words.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { toast } from '../ui/toast.ts'
import { plural } from '../ui/words.ts'
import { triggerOf, useCatalog, useNames } from './catalog.ts'
import type { WorkflowDraft } from './draft.ts'
import { sentence, stopOf } from './problems.ts'
import { count, nodeAt } from './tree.ts'
import { titleOf } from './words.ts'
import { publish } from '../records/workflows/workflow-writes.ts'
import textClasses from '../ui/text.module.css'
import classes from './builder.module.css'

type Props = { workflow: WorkflowInFull; draft: WorkflowDraft; close: () => void }
type Definition = Parameters<typeof differences>[1]

/** Shows what publishing will change. */
export function PublishDialog({ workflow, draft, close }: Props) {
  const { history, base } = draft.state.use(state => state)
  const content = history.now
  const { version } = workflow
  const catalog = useCatalog()
  const names = useNames(catalog)

  async function go() {
    const published = await publish(workflow.id)
    draft.seen(published)
    toast(`Published ${published.name}, version ${published.version}`)
    close()
  }

  return (
    <FormDialog
      title={`Publish ${content.name}`}
      size={520}
      verb={version === 0 ? 'Publish' : `Publish version ${version + 1}`}
      focus="verb"
      act={go}
      refused="Couldn't publish"
      close={close}
    >
      {version === 0 ? (
        <Text>
          {`Goes live immediately: ${plural(count(content.nodes), 'step')}, triggered by ${triggerOf(catalog, content.trigger).label}.`}
        </Text>
      ) : (
        <Changes workflow={workflow} after={content as unknown as Definition & { name: string }} />
      )}
      {base.warnings.length > 0 && (
        <div>
          <Text>You can publish, but check these warnings:</Text>
          <ul className={classes.differences}>
            {base.warnings.map(({ path, message }) => {
              const node = nodeAt(content.nodes, stopOf(path))
              return (
                <li key={path + message}>
                  {node ? `${titleOf(node, names)}: ${sentence(message)}` : sentence(message)}
                </li>
              )
            })}
          </ul>
        </div>
      )}
    </FormDialog>
  )
}

function Changes({ workflow, after }: { workflow: WorkflowInFull; after: Definition & { name: string } }) {
  const { version, name } = workflow
  const found: Difference[] = differences(workflow as Definition, after)
  const isRenamed = name !== after.name
  if (found.length === 0 && !isRenamed) return <Text>No changes since version {version}.</Text>
  return (
    <div>
      <Text>{`Changes since version ${version}. Current runs stay on their version.`}</Text>
      <ul className={`${textClasses.bullets} ${classes.differences}`}>
        {isRenamed && <li>{`Renamed from “${name}” to “${after.name}”`}</li>}
        {found.map(difference => {
          const { line, details } = differenceInWords(difference)
          return (
            <li key={`${difference.kind} ${difference.path}`} data-kind={difference.kind}>
              {line}
              {details.length > 0 && (
                <ul>
                  {details.map(detail => (
                    <li key={detail}>{detail}</li>
                  ))}
                </ul>
              )}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
