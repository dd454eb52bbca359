import { useMemo } from 'react'
import type { Warning } from '#domains/workflows/contract.ts'
import { timeOfDay } from '../ui/time.tsx'
import type { CanvasProps } from './canvas-contract.ts'
import { CanvasLines } from './canvas-lines.tsx'
import { CanvasNode } from './canvas-node.tsx'
import { CanvasPlus } from './canvas-plus.tsx'
import type { Layout, PlusBox } from './layout.ts'
import { emptyStop, nearest, TRIGGER } from './moves.ts'
import { marksOf, reached, type Mark } from './overlay.ts'
import { sentence, stopOf } from './problems.ts'
import { isSamePlace, pathAt, ROOT, type Place } from './tree.ts'
import { kindWords, nodeInWords, placeInWords, summaryOf, titleOf } from './words.ts'

type Props = CanvasProps & {
  layout: Layout
  adding: Place | undefined
  open: (place: Place) => void
  close: () => void
  add: NonNullable<CanvasProps['edits']>['add']
}

/** Everything drawn: the trigger, the nodes, the lines between them and the buttons to add steps. */
export function CanvasSteps(props: Props) {
  const { layout, nodes, names, trigger, selected, problems, warnings, trace, began, edits, adding } = props
  const timeOf = props.timeOf ?? timeOfDay
  const marks = useMemo(
    () => (trace ? marksOf(trace, nodes, props.ended ?? false) : undefined),
    [trace, nodes, props.ended],
  )
  const walked = useMemo(() => (trace ? reached(trace) : undefined), [trace])
  const faults = useMemo(() => byStop(problems), [problems])
  const cautions = useMemo(() => byStop(warnings), [warnings])
  const gaps = useMemo(() => byStop(props.unready), [props.unready])
  const start = useMemo(
    (): Mark | undefined =>
      began === undefined ? undefined : { outcome: 'done', word: 'Triggered', at: began, times: 1 },
    [began],
  )
  const current = nearest(nodes, selected ?? TRIGGER)
  return (
    <>
      <CanvasLines layout={layout} reached={walked} />
      <CanvasNode
        stop={TRIGGER}
        box={layout.trigger}
        kind="trigger"
        icon="trigger"
        label="Trigger"
        title={trigger.label}
        summary={trigger.summary ?? 'Starts the workflow'}
        words={`Trigger, ${trigger.label}`}
        isSelected={selected === TRIGGER}
        isCurrent={current === TRIGGER}
        problem={faults.get(TRIGGER)}
        mark={start}
        timeOf={timeOf}
      />
      {layout.nodes.map(box => {
        const { path, node } = box
        return (
          <CanvasNode
            key={path}
            stop={path}
            box={box}
            kind={node.type}
            icon={node.type === 'action' ? String(node.action) : node.type}
            label={kindWords[node.type] ?? node.type}
            title={titleOf(node, names)}
            summary={summaryOf(node, names)}
            words={nodeInWords(nodes, path, names)}
            isSelected={selected === path}
            isCurrent={current === path}
            problem={faults.get(path)}
            warning={cautions.get(path)}
            unready={gaps.get(path)}
            mark={marks?.get(path)}
            timeOf={timeOf}
          />
        )
      })}
      {edits &&
        layout.pluses.map(box => (
          <CanvasPlus
            key={`${box.place.list} ${box.place.at}`}
            box={box}
            words={plusInWords(props, box)}
            isOpen={adding !== undefined && isSamePlace(box.place, adding)}
            isSelected={box.only && selected === emptyStop(box.place.list)}
            isCurrent={box.only && current === emptyStop(box.place.list)}
            open={props.open}
            offers={edits.offers}
            add={props.add}
            close={props.close}
          />
        ))}
    </>
  )
}

/** The first message of each stop. */
function byStop(told: readonly Warning[] | undefined): Map<string, string> {
  return new Map(told?.toReversed().map(({ path, message }) => [stopOf(path), sentence(message)]))
}

/** "Add step after Send email", "Add first step in the Yes branch of If …". */
function plusInWords({ nodes, names }: CanvasProps, { place, only }: PlusBox): string {
  const inside = placeInWords(nodes, place.list, names)
  const where = inside && ` ${inside.charAt(0).toLowerCase()}${inside.slice(1)}`
  if (only) return `Add first step${where}`
  const before = pathAt({ ...place, at: place.at - 1 })
  if (place.at > 0) return `Add step after ${nodeInWords(nodes, before, names)}`
  return place.list === ROOT ? 'Add step after the trigger' : `Add step at the start${where}`
}
