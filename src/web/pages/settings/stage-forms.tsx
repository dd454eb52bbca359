import { Button, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { LeadSettings } from '#domains/leads/contract.ts'
import { isProblem } from '../../problem.ts'
import { toast, toastFault } from '../../ui/toast.ts'
import { useOutgoing } from '../../ui/use-outgoing.ts'
import { useSubmit } from '../../ui/use-submit.ts'
import { inPlainWords } from '../../ui/words.ts'
import { renameStage } from './rename-stage.ts'
import classes from './lead-settings.module.css'

const STAGE_LENGTH_MAX = 60

export function AddStage({ taken, add }: { taken: string[]; add: (stage: string) => Promise<boolean> }) {
  const { text, setText, submit } = useOutgoing({ send: add })
  const [fault, setFault] = useState<string>()

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (isTaken(text.trim(), taken)) setFault('A stage with this name already exists')
    else submit()
  }

  return (
    <form className={classes.add} onSubmit={onSubmit}>
      <TextInput
        aria-label="New stage name"
        placeholder="New stage"
        value={text}
        maxLength={STAGE_LENGTH_MAX}
        error={fault}
        onChange={event => {
          setText(event.currentTarget.value)
          setFault(undefined)
        }}
      />
      <Button type="submit" variant="default" flex="none" disabled={!text.trim()}>
        Add stage
      </Button>
    </form>
  )
}

export function RenameStage({
  settings,
  stage,
  close,
}: {
  settings: LeadSettings
  stage: string
  close: () => void
}) {
  const [name, setName] = useState(inPlainWords(stage))
  const { busy, submit } = useSubmit(rename, error =>
    toastFault(error, isProblem(error, 409) ? "Couldn't rename: new leads were added" : "Couldn't rename"),
  )

  async function rename() {
    const next = name.trim()
    if (!next || next === stage || next === inPlainWords(stage)) return close()
    if (
      isTaken(
        next,
        settings.pipeline_stages.filter(each => each !== stage),
      )
    )
      return toast('A stage with this name already exists')
    await renameStage(settings, stage, next)
    toast(`Renamed ${inPlainWords(stage)} to ${next}`)
    close()
  }

  return (
    <form className={classes.rename} onSubmit={submit}>
      <TextInput
        aria-label={`New name for ${inPlainWords(stage)}`}
        value={name}
        maxLength={STAGE_LENGTH_MAX}
        autoFocus
        onChange={event => setName(event.currentTarget.value)}
        onKeyDown={event => event.key === 'Escape' && close()}
      />
      <Button type="submit" size="xs" loading={busy}>
        Rename
      </Button>
      <Button size="xs" variant="subtle" color="gray" onClick={close} disabled={busy}>
        Cancel
      </Button>
    </form>
  )
}

function isTaken(name: string, taken: string[]): boolean {
  return taken.some(stage => stage.toLowerCase() === name.toLowerCase())
}
