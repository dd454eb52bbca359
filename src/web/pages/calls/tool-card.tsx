import IconCalendarPlus from 'icon:calendar-plus'
import IconPhoneEnd from 'icon:phone-end'
import IconPhoneOutgoing from 'icon:phone-outgoing'
import IconTool from 'icon:tool'
import IconUserSearch from 'icon:user-search'
import type { Icon } from '../../ui/icon.tsx'
import type { Call, CallLine } from '#domains/calls/contract.ts'
import { Dotted } from '../../ui/stage.tsx'
import { exactly } from '../../ui/time.tsx'
import { MeetingLink } from './meeting-link.tsx'
import { argumentName, resultInWords, toolName } from '../../records/calls/words.ts'
import factsClasses from '../../ui/facts.module.css'
import classes from './tool-card.module.css'

type Tool = NonNullable<CallLine['tool']>

/** A tool can have any name, even `constructor`. */
const icons: Record<string, Icon> = {
  __proto__: null as never,
  schedule_meeting: IconCalendarPlus,
  transfer: IconPhoneOutgoing,
  end_call: IconPhoneEnd,
  look_up_lead: IconUserSearch,
}

const states: Record<Tool['status'], { tone: string; label: string }> = {
  asked: { tone: 'blue', label: 'Running' },
  done: { tone: 'green', label: 'Done' },
  failed: { tone: 'red', label: 'Failed' },
}

/** A tool the agent used, with its arguments and result. */
export function ToolCard({ tool, at, call }: { tool: Tool; at: string; call: Call }) {
  const Shape = icons[tool.name] ?? IconTool
  const { tone, label } = states[tool.status]
  const isBooked = tool.name === 'schedule_meeting' && tool.status === 'done'
  const booked = isBooked && call.follow_up?.meeting_id
  const given = Object.entries(tool.arguments).filter(([, value]) => value !== null && value !== '')
  return (
    <div className={classes.card} role="group" aria-label={toolName(tool.name)} title={exactly(at)}>
      <p className={classes.head}>
        <Shape size={16} aria-hidden />
        <b>{toolName(tool.name)}</b>
        <Dotted tone={tone}>{label}</Dotted>
      </p>
      {given.length > 0 && (
        <dl className={`${factsClasses.facts} ${classes.given}`}>
          {given.map(([name, value]) => (
            <div key={name}>
              <dt>{argumentName(name)}</dt>
              <dd dir="auto">{valueInWords(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {tool.result && (
        <p className={classes.result} dir="auto">
          {resultInWords(tool.result)}
        </p>
      )}
      {booked && <MeetingLink id={booked}>Open meeting</MeetingLink>}
    </div>
  )
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/

function valueInWords(value: unknown): string {
  if (typeof value === 'string')
    return INSTANT.test(value) && !Number.isNaN(Date.parse(value)) ? exactly(value) : value
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return typeof value === 'number' ? String(value) : JSON.stringify(value)
}
