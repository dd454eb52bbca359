import { Checkbox } from '@mantine/core'
import { asNodes, type TreeNode } from '../tree.ts'
import classes from './panel.module.css'

type Props = { node: TreeNode; set: (fields: Record<string, unknown>) => void }

/** The branches of a step. A branch with steps cannot be removed, as its steps would be lost. */
export function Branches({ node, set }: Props) {
  if (node.type === 'action')
    return (
      <Branch
        node={node}
        name="catch"
        label="Failure branch"
        about="Runs after the last attempt fails; then the run continues below."
        set={set}
      />
    )
  if (node.type !== 'condition') return null
  return (
    <fieldset className={classes.group}>
      <legend>Branches</legend>
      <Branch
        node={node}
        name="then"
        label="Yes branch"
        about="Without it, the steps below run only for Yes."
        set={set}
      />
      <Branch
        node={node}
        name="else"
        label="No branch"
        about={
          node.then === undefined ? 'Without it, the run ends on No.' : 'Without it, No continues below.'
        }
        set={set}
      />
    </fieldset>
  )
}

function Branch({ node, name, label, about, set }: Props & { name: string; label: string; about: string }) {
  const steps = asNodes(node[name]).length
  return (
    <Checkbox
      label={label}
      description={steps > 0 ? 'Remove its steps first.' : about}
      checked={node[name] !== undefined}
      disabled={steps > 0}
      onChange={event => set({ [name]: event.currentTarget.checked ? [] : undefined })}
    />
  )
}
