import { UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconArrowUpRight from 'icon:arrow-up-right'
import type { ReactNode } from 'react'
import type { Conversation } from '#domains/conversations/contract.ts'
import type { Lead } from '#domains/leads/contract.ts'
import { patterns } from '../../paths.ts'
import { leadSettingsQuery } from '../../queries.ts'
import {
  addressOf,
  channelOf,
  conversationName,
  shortDayAndTime,
  stateWords,
} from '../../records/conversations/words.ts'
import { leadName } from '../../records/leads/fields.ts'
import { usePeople } from '../../records/leads/people.ts'
import { leads } from '../../records/leads/store.ts'
import { Avatar, Person } from '../../ui/person.tsx'
import { Dotted, Stage } from '../../ui/stage.tsx'
import { Bar } from '../../ui/states.tsx'
import { useNow } from '../../ui/time.tsx'
import { inPlainWords } from '../../ui/words.ts'
import { ActPicker, type Acting } from './act-picker.tsx'
import { ConversationAgent } from './conversation-agent.tsx'
import { Visit } from './visit.tsx'
import textClasses from '../../ui/text.module.css'
import factsClasses from '../../ui/facts.module.css'
import classes from './rail.module.css'

type Props = { conversation: Conversation } & ({ canWrite: false } | ({ canWrite: boolean } & Acting))

/** The lead, and how the conversation stands. */
export function Rail(props: Props) {
  const { conversation } = props
  return (
    <div className={classes.rail}>
      {conversation.lead_id === null ? (
        <Unknown conversation={conversation} />
      ) : (
        <LeadFacts id={conversation.lead_id} fallback={conversationName(conversation)} />
      )}
      <ConversationFacts {...props} />
      <ConversationAgent conversation={conversation} />
      <Visit conversation={conversation} />
    </div>
  )
}

function LeadFacts({ id, fallback }: { id: string; fallback: string }) {
  const { data: lead, isError } = useQuery({ ...leads.query(id), retry: false })
  const stages = useQuery(leadSettingsQuery).data?.pipeline_stages ?? []
  const owner = usePeople().get(lead?.owner_id ?? '')
  const name = lead ? leadName(lead) : fallback
  if (isError && !lead)
    return <p className={`${classes.group} ${textClasses.dim}`}>{fallback} is in the trash.</p>
  return (
    <section className={classes.group} aria-label="Lead">
      <div className={classes.person}>
        <Avatar name={name} id={id} size={40} />
        <div className={classes.who}>
          <Link
            to={patterns.lead}
            params={{ id }}
            search={{}}
            className={`${textClasses.quiet} ${classes.name}`}
            dir="auto"
          >
            {name}
          </Link>
          {lead && (
            <span className={textClasses.meta}>{[lead.title, lead.company].filter(Boolean).join(', ')}</span>
          )}
        </div>
        <Link
          to={patterns.lead}
          params={{ id }}
          search={{}}
          className={classes.open}
          aria-label={`Open ${name}`}
          title="Open lead"
        >
          <IconArrowUpRight size={18} />
        </Link>
      </div>
      {lead ? (
        <dl className={`${factsClasses.facts} ${classes.facts}`}>
          <Fact name="Stage">
            <Stage stage={lead.pipeline_stage} stages={stages} />
          </Fact>
          <Fact name="Status">{inPlainWords(lead.status)}</Fact>
          <Fact name="Owner">{owner ? <Person member={owner} /> : <None>Nobody</None>}</Fact>
          <Fact name="Email">{lead.email ? <Address text={lead.email} /> : <None>None</None>}</Fact>
          <Fact name="Phone">{lead.phone ?? <None>None</None>}</Fact>
          {lead.timezone && (
            <Fact name="Local time">
              <LocalTime lead={lead} />
            </Fact>
          )}
        </dl>
      ) : (
        <Bar width="100%" height={120} />
      )}
    </section>
  )
}

function Unknown({ conversation }: { conversation: Conversation }) {
  const name = conversation.participants[0]?.name
  const channel = channelOf(addressOf(conversation))
  return (
    <section className={classes.group} aria-label="Sender">
      <dl className={`${factsClasses.facts} ${classes.facts}`}>
        {name && <Fact name="Name">{name}</Fact>}
        {channel !== 'chat' && (
          <Fact name={channel === 'email' ? 'Email' : 'Phone'}>
            <Address text={addressOf(conversation)} />
          </Fact>
        )}
        <Fact name="Lead">
          <None>Not a lead yet</None>
        </Fact>
      </dl>
    </section>
  )
}

function ConversationFacts(props: Props) {
  const { conversation } = props
  const now = useNow()
  const { state, snoozed_until, labels } = conversation
  const assignee = usePeople().get(conversation.assignee_id ?? '')
  const who = assignee ? <Person member={assignee} /> : <None>Nobody</None>
  const chips = labels.length > 0 ? <Labels labels={labels} /> : <None>None</None>
  return (
    <section className={classes.group} aria-label="Conversation">
      <h2 className={classes.heading}>Conversation</h2>
      <dl className={`${factsClasses.facts} ${classes.facts}`}>
        <Fact name="State">
          <Dotted tone={stateWords[state].tone}>{stateWords[state].label}</Dotted>
        </Fact>
        {state === 'SNOOZED' && snoozed_until && (
          <Fact name="Until">{shortDayAndTime(snoozed_until, now)}</Fact>
        )}
        <Fact name="Assignee">
          <Changeable props={props} act="assign" label="Assignee" keys="a">
            {who}
          </Changeable>
        </Fact>
        <Fact name="Labels">
          <Changeable props={props} act="labels" label="Labels" keys="l">
            {chips}
          </Changeable>
        </Fact>
      </dl>
    </section>
  )
}

type ChangeableProps = {
  props: Props
  act: 'assign' | 'labels'
  label: string
  keys: string
  children: ReactNode
}

function Changeable({ props, act, label, keys, children }: ChangeableProps) {
  if (!props.canWrite || !('setAct' in props)) return children
  return (
    <ActPicker {...props} here={[act]}>
      <UnstyledButton
        className={classes.value}
        title={`Change ${label.toLowerCase()} (${keys.toUpperCase()})`}
        aria-keyshortcuts={keys}
        onClick={() => props.setAct(props.act === act ? null : act)}
      >
        <span className={textClasses.hidden}>Change {label.toLowerCase()}: </span>
        {children}
      </UnstyledButton>
    </ActPicker>
  )
}

function Labels({ labels }: { labels: readonly string[] }) {
  return (
    <span className={classes.labels}>
      {labels.map(label => (
        <span key={label} className={textClasses.chip}>
          {label}
        </span>
      ))}
    </span>
  )
}

function LocalTime({ lead: { timezone } }: { lead: Lead }) {
  const now = useNow()
  const words = localTime(now, timezone!)
  return words ? <time>{words}</time> : <None>Unknown</None>
}

function localTime(now: number, timeZone: string): string | undefined {
  try {
    const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone }).format(now)
    return `${time} ${timeZone.split('/').at(-1)!.replaceAll('_', ' ')}`
  } catch {
    // A zone that this browser does not know.
    return undefined
  }
}

/** A long address breaks behind its @. */
function Address({ text }: { text: string }) {
  const at = text.indexOf('@') + 1
  return (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </>
  )
}

function None({ children }: { children: string }) {
  return <span className={textClasses.none}>{children}</span>
}
