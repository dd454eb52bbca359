import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import IconArrowLeft from 'icon:arrow-left'
import IconPhoneOff from 'icon:phone-off'
import { useRef, useState } from 'react'
import type { Call } from '#domains/calls/contract.ts'
import { paths } from '../../paths.ts'
import { isProblem } from '../../problem.ts'
import { useCan } from '../../queries.ts'
import { useCommands } from '../../ui/commands.ts'
import { useKeys } from '../../ui/keys.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Confirm } from '../../ui/seldom-dialogs.tsx'
import { Dotted } from '../../ui/stage.tsx'
import { Bar, Empty, Fault } from '../../ui/states.tsx'
import { useTitle } from '../../ui/title.ts'
import { CallSide } from './call-side.tsx'
import { endCall } from '../../records/calls/call-writes.ts'
import { callQuery } from '../../records/calls/calls-cache.ts'
import { useCallName } from './call-name.tsx'
import { Facts } from './facts.tsx'
import { LineNote } from './line-note.tsx'
import { Transcript } from './transcript.tsx'
import { Whisper } from './whisper.tsx'
import { isLive, isOver, statusWords } from '../../records/calls/words.ts'
import pageClasses from '../../ui/page.module.css'
import classes from './call-page.module.css'

const route = getRouteApi('/calls/$id')

export function CallPage() {
  const { id } = route.useParams()
  const query = useQuery(callQuery(id))
  const call = query.data
  if (isProblem(query.error, 404)) return <NoSuchCall />
  if (query.error && !call) return <Fault whole error={query.error} retry={() => void query.refetch()} />
  if (!call) return <Waiting />
  return <Shown key={id} call={call} />
}

function Shown({ call }: { call: Call }) {
  const navigate = useNavigate()
  const name = useCallName(call)
  const canControl = useCan(call.kind === 'agent' ? 'softphone:control' : 'voice:write')
  const [ending, setEnding] = useState(false)
  const whispering = useRef<HTMLTextAreaElement>(null)
  const notes = useRef<HTMLTextAreaElement>(null)
  const { tone, label } = statusWords[call.status]
  const canEnd = canControl && !isOver(call)
  const canWhisper = canControl && call.kind === 'agent' && isLive(call)
  const verb = call.status === 'SCHEDULED' ? 'Cancel call' : 'End call'
  const back = () => void navigate({ to: paths.calls, search: {} })
  useTitle(`Call with ${name}`)
  useKeys({ u: back, w: () => whispering.current?.focus(), m: () => notes.current?.focus() })
  useCommands(
    canEnd
      ? [
          {
            id: 'end-call',
            group: 'This page',
            label: verb === 'End call' ? 'End this call' : 'Cancel this call',
            words: 'stop hang up cancel',
            run: () => setEnding(true),
          },
        ]
      : [],
  )
  return (
    <>
      <PageHead
        title={name}
        beside={
          <span role="status" className={classes.status}>
            <Dotted tone={tone}>{label}</Dotted>
          </span>
        }
        actions={
          canEnd && (
            <>
              <Button
                color="red"
                leftSection={<IconPhoneOff size={16} />}
                onClick={() => setEnding(true)}
                visibleFrom="sm"
              >
                {verb}
              </Button>
              <ActionIcon
                variant="filled"
                color="red"
                aria-label={verb}
                onClick={() => setEnding(true)}
                hiddenFrom="sm"
              >
                <IconPhoneOff size={16} />
              </ActionIcon>
            </>
          )
        }
      />
      {call.provider === 'simulator' && !isOver(call) && <LineNote />}
      <div className={pageClasses.bar}>
        <LinkButton
          to={paths.calls}
          search={{}}
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<IconArrowLeft size={16} />}
        >
          Calls
        </LinkButton>
        <Facts call={call} />
      </div>
      <div className={classes.columns} data-over={isOver(call) || undefined}>
        <section className={classes.spoken} aria-label="Conversation">
          <Transcript call={call} name={name} />
          {canWhisper && <Whisper call={call} field={whispering} />}
        </section>
        <CallSide call={call} notes={notes} />
      </div>
      {ending && canEnd && (
        <Confirm
          title={verb === 'End call' ? `End the call with ${name}?` : `Cancel the call with ${name}?`}
          verb={verb === 'End call' ? `End the call with ${name}` : `Cancel the call with ${name}`}
          act={() => endCall(call)}
          close={() => setEnding(false)}
        >
          {verb === 'End call'
            ? 'The call is disconnected immediately. The transcript so far is kept.'
            : 'The agent will not call. No one is notified.'}
        </Confirm>
      )}
    </>
  )
}

function Waiting() {
  return (
    <>
      <PageHead title="Call" />
      <div className={classes.columns} role="status" aria-busy aria-label="Loading call">
        <div className={classes.spoken}>
          <Bar width="100%" height={320} />
        </div>
        <div className={classes.side}>
          <Bar width="100%" height={220} />
        </div>
      </div>
    </>
  )
}

function NoSuchCall() {
  useTitle('Call')
  return (
    <Empty
      whole
      title="Call not found"
      action={
        <LinkButton to={paths.calls} search={{}}>
          Back to calls
        </LinkButton>
      }
    >
      It may belong to another team.
    </Empty>
  )
}
