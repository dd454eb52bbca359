import { Checkbox, Select, TextInput } from '@mantine/core'
import type { Agent } from '#domains/agents/contract.ts'
import { ATTEMPTS_MAX, DEFAULT_OUTBOUND } from '#domains/agents/values.ts'
import { Section } from '../../ui/page-head.tsx'
import { rulesInWords, waitInWords } from './calling-words.ts'
import type { AgentDraft } from './use-agent-draft.ts'
import fieldsClasses from '../../ui/fields.module.css'
import noticeClasses from '../../ui/notice.module.css'
import classes from './agent-page.module.css'

const WAITS_MIN = [15, 30, 60, 120, 240, 480, 1440, 2880, 10_080]
const counts = Array.from({ length: ATTEMPTS_MAX }, (_, at) => at + 1)

/** Who it may call, when and how often. Suppressed numbers are never called. */
export function CallingPart({ draft: { fields, set, fault } }: { draft: AgentDraft }) {
  const { outbound } = fields
  const { consent, quiet_hours, attempts_max, retry_after_min } = outbound
  const put = (change: Partial<Agent['outbound']>) => set({ outbound: { ...outbound, ...change } })
  const waits = [...new Set([...WAITS_MIN, retry_after_min])].toSorted((a, b) => a - b)
  return (
    <Section
      title="Outbound calls"
      about="Applies to every call this agent makes. Suppressed numbers are never called."
    >
      <div className={classes.narrow}>
        <p className={noticeClasses.box} data-tone="plain" role="status">
          {rulesInWords(outbound)}
        </p>
        <Checkbox
          label="Require consent"
          description="Recorded on the lead's page. Required by law in many countries."
          checked={consent === 'required'}
          onChange={event => put({ consent: event.currentTarget.checked ? 'required' : 'not_required' })}
        />
        <div className={classes.group}>
          <Checkbox
            label="Respect quiet hours"
            description="In the lead's local time. Calls due then wait until quiet hours end."
            checked={quiet_hours !== null}
            onChange={event =>
              put({ quiet_hours: event.currentTarget.checked ? DEFAULT_OUTBOUND.quiet_hours : null })
            }
          />
          {quiet_hours && (
            <div className={fieldsClasses.two}>
              <TextInput
                type="time"
                label="Quiet from"
                value={quiet_hours.from}
                error={fault('quiet_hours')}
                onChange={event => put({ quiet_hours: { ...quiet_hours, from: event.currentTarget.value } })}
              />
              <TextInput
                type="time"
                label="Quiet until"
                value={quiet_hours.until}
                onChange={event => put({ quiet_hours: { ...quiet_hours, until: event.currentTarget.value } })}
              />
            </div>
          )}
        </div>
        <div className={fieldsClasses.two}>
          <Select
            label="Maximum attempts"
            data={counts.map(String)}
            value={String(attempts_max)}
            allowDeselect={false}
            onChange={value => value && put({ attempts_max: Number(value) })}
          />
          <Select
            label="Wait between attempts"
            data={waits.map(wait => ({ value: String(wait), label: waitInWords(wait) }))}
            value={String(retry_after_min)}
            allowDeselect={false}
            disabled={attempts_max === 1}
            onChange={value => value && put({ retry_after_min: Number(value) })}
          />
        </div>
      </div>
    </Section>
  )
}
