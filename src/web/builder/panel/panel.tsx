import type { Catalog, Warning } from '#domains/workflows/contract.ts'
import { triggerOf } from '../catalog.ts'
import type { Content } from '../content.ts'
import { toast } from '../../ui/toast.ts'
import { TRIGGER } from '../moves.ts'
import { nodeAt, pathAt, placeAfter, placeOf } from '../tree.ts'
import type { Edits } from '../use-edits.ts'
import { placeInWords, type Names } from '../words.ts'
import { PanelFrame } from './panel-frame.tsx'
import { StepPanel } from './step-panel.tsx'
import { TriggerPanel } from './trigger-panel.tsx'

type Props = {
  stop: string
  content: Content
  catalog: Catalog
  names: Names
  problems: readonly Warning[]
  warnings: readonly Warning[]
  canWrite: boolean
  edits: Edits
  change: (change: Partial<Content>, about: string) => void
  close: () => void
  leave: () => void
  wanted: number
}

/** The panel of the selected step or the trigger. */
export function Panel(props: Props) {
  const { stop, content, catalog, names, problems, canWrite, edits, close, leave, wanted } = props
  const around = { catalog, trigger: triggerOf(catalog, content.trigger), problems, canWrite }
  const frame = { close, leave, wanted }
  const node = nodeAt(content.nodes, stop)
  if (stop === TRIGGER)
    return (
      <PanelFrame title="Trigger" {...frame}>
        <TriggerPanel content={content} around={around} set={props.change} />
      </PanelFrame>
    )
  if (!node) return null
  const place = placeInWords(content.nodes, placeOf(stop).list, names)
  return (
    <PanelFrame title={names.title(node)} {...(place && { place })} {...frame}>
      <StepPanel
        key={stop}
        node={node}
        path={stop}
        around={around}
        warnings={props.warnings}
        set={fields => edits.set(stop, fields)}
        acts={{
          can: {
            up: placeOf(stop).at > 0,
            down: nodeAt(content.nodes, pathAt(placeAfter(stop))) !== undefined,
          },
          move: way => edits.move(stop, way),
          duplicate: () => edits.duplicate(stop),
          copy() {
            const text = edits.copy(stop)
            // Over plain http there is no clipboard; within this tab pasting still works.
            if (text !== undefined) void navigator.clipboard?.writeText(text).catch(() => {})
            toast('Step copied. Paste it with any + button.')
          },
          wrap: kind => edits.wrap(stop, kind),
          remove: () => edits.remove(stop),
        }}
      />
    </PanelFrame>
  )
}
