import { Checkbox } from '@mantine/core'
import { asNodes, type TreeNode } from '../tree.ts'
import classes from './panel.module.css'

type Props = { node: TreeNode; set: (fields: Record<string, unknown>) => void }

/** Which branches a step has. One that holds steps is not taken away: its steps would go with it. */
export function Branches({ node, set }: Props) {
  if (node.type === 'action')
    return (
      <Branch
        node={node}
        name="catch"
        label="Steps for when it fails"
        about="They are done after the last try; then it goes on after this step."
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
        label="Steps of its own for Yes"
        about="Without it, what follows below is for Yes alone."
        set={set}
      />
      <Branch
        node={node}
        name="else"
        label="Steps of its own for No"
        about={node.then === undefined ? 'Without it, it ends there.' : 'Without it, No goes on below.'}
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
      description={steps > 0 ? 'It has steps. Remove them first to do without it.' : about}
      checked={node[name] !== undefined}
      disabled={steps > 0}
      onChange={event => set({ [name]: event.currentTarget.checked ? [] : undefined })}
    />
  )
}
