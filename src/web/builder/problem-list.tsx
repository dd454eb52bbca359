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
  /** Of what nobody has worked at yet: it is calm about them. */
  isCalm?: boolean
  nodes: Nodes
  catalog: Catalog
  names: Names
  jump: (stop: string) => void
}

/** How much is to be mended before it can run; each leads to where. */
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
