import { Button } from '@mantine/core'
import IconArrowDown from 'icon:arrow-down'
import { memo } from 'react'
import type { Call, CallLine } from '#domains/calls/contract.ts'
import { LINES_MAX } from '#domains/calls/values.ts'
import { exactly } from '../../ui/time.tsx'
import { useAgentName } from './agent-link.tsx'
import { ToolCard } from './tool-card.tsx'
import { useEnd } from './use-end.ts'
import { clockOf, isLive, isOver, speakerWords } from '../../records/calls/words.ts'
import textClasses from '../../ui/text.module.css'
import classes from './transcript.module.css'

/** The transcript, live. */
export function Transcript({ call, name }: { call: Call; name: string }) {
  const { transcript } = call
  const agent = useAgentName(call.agent_id)
  const { box, onScroll, isAway, jump } = useEnd(transcript, !isOver(call))
  const names = { ...speakerWords, agent: agent ?? speakerWords.agent, caller: name }
  const from = Date.parse(call.connected_at ?? call.started_at)
  return (
    <div className={classes.frame}>
      <div
        ref={box}
        className={classes.box}
        role="log"
        aria-label="Transcript"
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={onScroll}
      >
        {transcript.length === 0 && <p className={classes.nothing}>{nothing(call)}</p>}
        {transcript.map((line, at) => (
          <Line
            key={line.id}
            line={line}
            call={call}
            // Consecutive lines name their speaker once.
            name={transcript[at - 1]?.speaker === line.speaker ? null : names[line.speaker]}
            second={Math.max(0, (Date.parse(line.at) - from) / 1_000)}
          />
        ))}
        {transcript.length >= LINES_MAX && (
          <p className={classes.nothing}>The transcript is full. Anything said later is not included.</p>
        )}
        {call.status === 'CONNECTED' && transcript.length > 0 && (
          <p className={classes.going} aria-hidden>
            <i />
            <i />
            <i />
          </p>
        )}
      </div>
      {isAway && isLive(call) && (
        <Button className={classes.jump} size="xs" leftSection={<IconArrowDown size={14} />} onClick={jump}>
          Jump to newest
        </Button>
      )}
    </div>
  )
}

type LineProps = { line: CallLine; call: Call; name: string | null; second: number }

const Line = memo(
  function Line({ line, call, name, second }: LineProps) {
    if (line.tool) return <ToolCard tool={line.tool} at={line.at} call={call} />
    return (
      <div className={classes.line} data-speaker={line.speaker} data-first={name !== null || undefined}>
        {name !== null && <b className={classes.speaker}>{name}</b>}
        {/* Words of strangers: plain text only. */}
        <p className={classes.text} dir="auto">
          {line.text}
        </p>
        <time className={textClasses.meta} dateTime={line.at} title={exactly(line.at)}>
          {clockOf(second)}
        </time>
      </div>
    )
  },
  // A spoken line never changes; a tool card also depends on the call.
  (before, after) =>
    before.line === after.line &&
    before.name === after.name &&
    before.second === after.second &&
    (after.line.tool === null || before.call === after.call),
)

function nothing(call: Call): string {
  if (call.status === 'SCHEDULED') return 'The agent has not called yet.'
  if (call.status === 'DIALING') return 'Ringing. The transcript will appear here.'
  if (call.status === 'CONNECTED') return 'No one has spoken yet.'
  return call.kind === 'agent' ? 'Nothing was said.' : 'No transcript.'
}
