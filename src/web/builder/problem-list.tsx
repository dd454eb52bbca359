import { Button } from '@mantine/core'
import IconAlertTriangle from 'icon:alert-triangle'
import type { Catalog, Warning } from '#domains/workflows/contract.ts'
import { ButtonMenu } from '../ui/menu.tsx'
import { faultInWords } from './catalog.ts'
import { stopOf } from './problems.ts'
import { nodeAt, type Nodes } from './tree.ts'
import { titleOf, type Names } from './words.ts'

type Props = {
  problems: readonly Warning[]
  /** Only steps that are not set up yet: no alarm. */
  isCalm?: boolean
  nodes: Nodes
  catalog: Catalog
  names: Names
  jump: (stop: string) => void
}

/** The number of errors to fix before publishing; each entry leads to its step. */
export function ProblemList({ problems, isCalm = false, nodes, catalog, names, jump }: Props) {
  if (problems.length === 0) return null
  return (
    <ButtonMenu
      button={
        isCalm ? (
          <Button size="xs" variant="default">{`${problems.length} to set up`}</Button>
        ) : (
          <Button
            size="xs"
            color="red"
            leftSection={<IconAlertTriangle size={14} />}
          >{`${problems.length} to fix`}</Button>
        )
      }
      items={problems.map((problem, at) => ({
        label: `${at + 1}. ${problemInWords(problem, nodes, catalog, names)}`,
        run: () => jump(stopOf(problem.path)),
      }))}
    />
  )
}

/** "Send email: Template is missing." */
function problemInWords(problem: Warning, nodes: Nodes, catalog: Catalog, names: Names): string {
  const node = nodeAt(nodes, stopOf(problem.path))
  return `${node ? titleOf(node, names) : 'Trigger'}: ${faultInWords(problem, nodes, catalog)}`
}
