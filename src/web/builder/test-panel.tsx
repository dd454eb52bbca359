import { ActionIcon, Button, SegmentedControl, Textarea } from '@mantine/core'
import IconPlayerPause from 'icon:player-pause'
import IconPlayerPlay from 'icon:player-play'
import IconPlayerSkipForward from 'icon:player-skip-forward'
import IconPlayerTrackNext from 'icon:player-track-next'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Simulation, TraceEntry } from '#domains/workflows/contract.ts'
import { api } from '../api.ts'
import { LeadSelect } from '../records/record-select.tsx'
import { inWords } from '../problem.ts'
import { Dotted } from '../ui/stage.tsx'
import { useSubmit } from '../ui/use-submit.ts'
import type { Trigger } from './catalog.ts'
import type { WorkflowDraft } from './draft.ts'
import { laterInWords } from './later.ts'
import { PanelFrame } from './panel/panel-frame.tsx'
import { speeds, usePlayback, type Speed } from './playback.ts'
import { TraceList } from './trace-list.tsx'
import { asRecord, type Nodes } from './tree.ts'
import type { Names } from './words.ts'
import textClasses from '../ui/text.module.css'
import panel from './panel/panel.module.css'
import classes from './builder.module.css'

/** The part of a test that the canvas shows. */
export type Shown = { nodes: Nodes; trace: readonly TraceEntry[]; ended: boolean; began: string }

type Props = {
  id: string
  draft: WorkflowDraft
  trigger: Trigger
  names: Names
  selected: string | undefined
  select: (path: string) => void
  show: (shown: Shown | undefined) => void
  close: () => void
  leave: () => void
}

/** Runs the draft on a simulated clock without side effects, and plays back the result. */
export function TestPanel(props: Props) {
  const { id, draft, trigger, show } = props
  const [text, setText] = useState(() => JSON.stringify(trigger.sample, null, 2))
  const [lead, setLead] = useState<string | null>(null)
  const [fault, setFault] = useState<string>()
  const [answer, setAnswer] = useState<{ simulation: Simulation; key: number }>()

  async function run() {
    const event = eventIn(text)
    if (typeof event === 'string') return setFault(event)
    setFault(undefined)
    show(undefined)
    if (!(await draft.save())) return fail("Couldn't test: your changes are not saved.")
    const simulation = await api('POST /api/crm/workflows/:id/test', {
      params: { id },
      body: { event, draft: true, ...(lead && { lead_id: lead }) },
      changesNothing: true,
    })
    setAnswer(before => ({ simulation, key: (before?.key ?? 0) + 1 }))
  }

  function fail(words: string) {
    setAnswer(undefined)
    setFault(words)
  }

  const { busy, submit } = useSubmit(run, error => fail(inWords(error)))

  return (
    <PanelFrame title="Test run" close={props.close} leave={props.leave} wanted={1}>
      <div className={panel.fields}>
        <p className={textClasses.meta}>Nothing is sent or changed. Delays are skipped.</p>
        <Textarea
          label="Event"
          description={`Sample data for ${trigger.label}, as JSON`}
          rows={7}
          value={text}
          error={fault}
          spellCheck={false}
          classNames={{ input: textClasses.mono ?? '' }}
          onChange={event => {
            setText(event.currentTarget.value)
            const found = eventIn(event.currentTarget.value)
            setFault(typeof found === 'string' ? found : undefined)
          }}
        />
        <LeadSelect label="Lead (optional)" value={lead} set={setLead} />
        <Button loading={busy} leftSection={<IconPlayerPlay size={16} />} onClick={submit}>
          {answer ? 'Run again' : 'Run test'}
        </Button>
        {answer && <Answer key={answer.key} simulation={answer.simulation} {...props} />}
      </div>
    </PanelFrame>
  )
}

function Answer({ simulation, ...props }: Props & { simulation: Simulation }) {
  const { names, draft, selected, select, show } = props
  const { trace, began_at, status, error } = simulation
  const playback = usePlayback(trace.length)
  const { shown } = playback
  const isDone = shown === trace.length
  // The nodes as tested: later edits do not change the result.
  const [nodes] = useState(() => draft.state.get().history.now.nodes)
  const began = Date.parse(began_at)
  const tell = useEffectEvent(() => {
    show({ nodes, trace: trace.slice(0, shown), ended: isDone, began: began_at })
    const last = trace[shown - 1]
    if (last) select(last.path)
  })
  useEffect(() => tell(), [shown])
  return (
    <section aria-label="Test results" className={panel.fields}>
      <div className={classes.playback} role="group" aria-label="Playback">
        {playback.isPlaying ? (
          <ActionIcon variant="default" aria-label="Pause" onClick={playback.pause}>
            <IconPlayerPause size={16} />
          </ActionIcon>
        ) : (
          <ActionIcon variant="default" aria-label="Play" onClick={playback.play}>
            <IconPlayerPlay size={16} />
          </ActionIcon>
        )}
        <ActionIcon variant="default" aria-label="Next step" disabled={isDone} onClick={playback.step}>
          <IconPlayerSkipForward size={16} />
        </ActionIcon>
        <ActionIcon variant="default" aria-label="Skip to end" disabled={isDone} onClick={playback.finish}>
          <IconPlayerTrackNext size={16} />
        </ActionIcon>
        <SegmentedControl
          size="xs"
          aria-label="Speed"
          value={String(playback.speed)}
          onChange={speed => playback.setSpeed(Number(speed) as Speed)}
          data={speeds.map(speed => ({ value: String(speed), label: `${speed}×` }))}
        />
        <span className={textClasses.meta}>{`${shown} of ${trace.length}`}</span>
      </div>
      {isDone && (
        <p className={classes.verdict} role="status">
          <Dotted tone={status === 'DONE' ? 'green' : status === 'FAILED' ? 'red' : 'slate'}>
            {verdicts[status]}
          </Dotted>
          {error && <span> {error}</span>}
        </p>
      )}
      <TraceList
        label="Test steps"
        trace={trace.slice(0, shown)}
        nodes={nodes}
        names={names}
        selected={selected}
        select={select}
        timeOf={at => laterInWords(Date.parse(at) - began)}
      />
    </section>
  )
}

const verdicts: Record<Simulation['status'], string> = {
  DONE: 'Run complete',
  FAILED: 'Run failed',
  FILTERED: 'Event does not match the filters',
}

/** The typed event, or why it is invalid. */
function eventIn(text: string): Record<string, unknown> | string {
  if (text.trim() === '') return {}
  try {
    return asRecord(JSON.parse(text)) ?? 'Must be a JSON object, like {"durationSec": 200}.'
  } catch (error) {
    return `Invalid JSON: ${error instanceof Error ? error.message : 'could not be parsed'}`
  }
}
