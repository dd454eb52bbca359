import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import type { Lead } from '#domains/leads/contract.ts'
import type { CallCheck } from '#domains/softphone/contract.ts'
import { PROMPT_LENGTH_MAX } from '#domains/softphone/values.ts'
import { whereInWords } from '#platform/phone-zones.ts'
import { paths, patterns } from '../../paths.ts'
import { inWords } from '../../problem.ts'
import { DialogEnd } from '../../ui/dialog-end.tsx'
import { FocusBack } from '../../ui/focus-back.ts'
import { DialogFault } from '../../ui/form-dialog.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { PanelWaiting } from '../../ui/panel.tsx'
import { dayAndTime } from '../../ui/time.tsx'
import { toastWithAction } from '../../ui/toast.ts'
import { useBusy } from '../../ui/use-submit.ts'
import { leadName } from '../leads/fields.ts'
import { LeadPicker } from '../leads/lead-picker.tsx'
import { fromLocalInput, toLocalInput } from '../../ui/local-time.ts'
import { setConsent, startCall } from './call-writes.ts'
import { agentChoicesQuery, checkQuery, lineQuery } from './calls-cache.ts'
import { reasonsAgainst, reasonsIn } from './refusals.ts'
import { Refused } from './refused.tsx'
import begin from '../../ui/begin-dialog.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './dialogs.module.css'

const HOUR_MS = 3_600_000

type Props = {
  /** Absent: chosen in the dialog. */
  lead?: Lead
  close: () => void
}

/** Places or schedules a call. If it is refused, says why and what to do about it. */
export function CallDialog({ lead: given, close }: Props) {
  const navigate = useNavigate()
  const agents = useQuery(agentChoicesQuery)
  const line = useQuery(lineQuery).data
  const [lead, setLead] = useState(given)
  const [picking, setPicking] = useState(false)
  const [chosen, setChosen] = useState<string>()
  const [instructions, setInstructions] = useState('')
  const [at, setAt] = useState<string>()
  const [faults, setFaults] = useState<{ lead?: string; at?: string }>({})
  const [refusal, setRefusal] = useState<unknown>()
  const agent = agents.data?.find(({ id }) => id === chosen) ?? agents.data?.[0]
  const check = useQuery(checkQuery(lead?.id, agent?.id))
  const known = reasonsAgainst(check.data, at !== undefined)
  const reasons = known.length > 0 ? known : reasonsIn(refusal)
  /** Undefined: now. Null: not a valid time. */
  const later = at === undefined ? undefined : (fromLocalInput(at) ?? null)
  const { busy, run } = useBusy(async error => {
    setRefusal(error)
    await check.refetch()
  })

  async function call(scheduled_at: string | null | undefined) {
    if (!lead || !agent) return
    const words = instructions.trim()
    setRefusal(undefined)
    const { id, status } = await startCall({
      lead_id: lead.id,
      agent_id: agent.id,
      ...(scheduled_at && { scheduled_at }),
      ...(words && { instructions: words }),
    })
    const open = () => void navigate({ to: patterns.call, params: { id } })
    close()
    if (scheduled_at && status === 'SCHEDULED')
      toastWithAction(`${agent.name} will call ${leadName(lead)} ${dayAndTime(scheduled_at)}`, 'Open', open)
    else open()
  }

  /** Places the call if consent was all that was missing. */
  async function agree(source: string) {
    if (!lead) return
    await setConsent(lead.id, { given: true, source })
    const { data } = await check.refetch()
    if (reasonsAgainst(data, at !== undefined).length === 0) await call(later)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const wrong = {
      ...(!lead && { lead: 'Choose a lead to call' }),
      ...(later === null && { at: 'Enter a date and time' }),
    }
    setFaults(wrong)
    if (Object.keys(wrong).length === 0) run(() => call(later))
  }

  const title = lead && given ? `Call ${leadName(lead)}` : 'Call a lead'
  return (
    <>
      <FocusBack />
      <Modal opened onClose={close} title={title} size={500}>
        {agents.isPending && <PanelWaiting lines={3} />}
        {agents.data?.length === 0 && <NoAgent close={close} />}
        {agents.isError && !agents.data && <Text role="alert">Couldn't load agents.</Text>}
        {agent && (
          <form onSubmit={submit} noValidate>
            <Stack gap="md">
              {!given && (
                <Whom
                  lead={lead}
                  fault={faults.lead}
                  picking={picking}
                  setPicking={setPicking}
                  pick={picked => {
                    setLead(picked)
                    setRefusal(undefined)
                    setFaults({})
                  }}
                />
              )}
              <fieldset className={`${begin.starters} ${classes.agents}`}>
                <legend>Agent</legend>
                {agents.data?.map(each => (
                  <label key={each.id} className={begin.starter}>
                    <input
                      type="radio"
                      name="agent"
                      checked={each.id === agent.id}
                      data-autofocus={(given && each.id === agent.id) || undefined}
                      onChange={() => {
                        setChosen(each.id)
                        setRefusal(undefined)
                      }}
                    />
                    <span>
                      {each.name}
                      {each.description && <span className={textClasses.under}>{each.description}</span>}
                    </span>
                  </label>
                ))}
              </fieldset>
              <Textarea
                label="Extra instructions"
                description="Optional. Added to the agent's instructions for this call only."
                autosize
                minRows={2}
                maxRows={6}
                maxLength={PROMPT_LENGTH_MAX}
                value={instructions}
                onChange={event => setInstructions(event.currentTarget.value)}
              />
              <When at={at} set={setAt} fault={faults.at} where={check.data && whereOf(check.data)} />
              {line?.provider === 'simulator' && line.can_dial && (
                <Text c="dimmed">This call is simulated: no phone rings.</Text>
              )}
              {line && !line.can_dial && <DialogFault>No calls can be placed. {line.note}</DialogFault>}
              {refusal !== undefined && reasons.length === 0 && <DialogFault>{inWords(refusal)}</DialogFault>}
              {reasons.length > 0 && lead && (
                <Refused
                  reasons={reasons}
                  lead={lead}
                  busy={busy}
                  consent={source => run(() => agree(source))}
                  schedule={instant => run(() => call(instant))}
                  close={close}
                />
              )}
              <DialogEnd
                verb={at === undefined ? 'Call now' : 'Schedule call'}
                disabled={line?.can_dial === false || known.length > 0}
                busy={busy}
                close={close}
              />
            </Stack>
          </form>
        )}
      </Modal>
    </>
  )
}

type WhomProps = {
  lead: Lead | undefined
  fault: string | undefined
  picking: boolean
  setPicking: (picking: boolean) => void
  pick: (lead: Lead) => void
}

function Whom({ lead, fault, picking, setPicking, pick }: WhomProps) {
  const button = (
    <Button
      variant="default"
      fullWidth
      justify="flex-start"
      data-autofocus
      aria-haspopup="listbox"
      aria-describedby={fault ? 'whom-fault' : undefined}
      onClick={() => setPicking(true)}
    >
      {lead ? [leadName(lead), lead.company].filter(Boolean).join(' · ') : 'Choose a lead'}
    </Button>
  )
  return (
    <div>
      <p className={classes.label}>Lead</p>
      {picking ? (
        <LeadPicker
          label="Lead to call"
          pick={picked => {
            pick(picked)
            setPicking(false)
          }}
          close={() => setPicking(false)}
        >
          {button}
        </LeadPicker>
      ) : (
        button
      )}
      {lead && <p className={textClasses.dim}>{lead.phone ?? 'No phone number'}</p>}
      {fault && (
        <p className={textClasses.bad} id="whom-fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}

type WhenProps = {
  at: string | undefined
  set: (at: string | undefined) => void
  fault: string | undefined
  /** The lead's time zone in words. */
  where: string | undefined
}

function When({ at, set, fault, where }: WhenProps) {
  const isLater = at !== undefined
  return (
    <div>
      <fieldset className={begin.starters} data-columns="2">
        <legend>When</legend>
        <label className={begin.starter}>
          <input type="radio" name="when" checked={!isLater} onChange={() => set(undefined)} />
          <span>Now</span>
        </label>
        <label className={begin.starter}>
          <input type="radio" name="when" checked={isLater} onChange={() => set(inAnHour())} />
          <span>Later</span>
        </label>
      </fieldset>
      {isLater && (
        <TextInput
          mt={8}
          type="datetime-local"
          label="Date and time"
          description={`In your time zone. The lead's quiet hours still apply${where ? ` (${where})` : ''}.`}
          value={at}
          error={fault}
          onChange={event => set(event.currentTarget.value)}
        />
      )}
    </div>
  )
}

function NoAgent({ close }: { close: () => void }) {
  return (
    <Stack gap="md">
      <Text>No agents yet. Create one to make calls.</Text>
      <Group justify="flex-end">
        <LinkButton to={paths.agents} search={{}} onClick={close}>
          Go to agents
        </LinkButton>
      </Group>
    </Stack>
  )
}

function whereOf({ timezones, timezone_from }: CallCheck): string {
  return whereInWords({ zones: timezones, source: timezone_from })
}

function inAnHour(): string {
  return toLocalInput(new Date(Date.now() + HOUR_MS).toISOString())
}
