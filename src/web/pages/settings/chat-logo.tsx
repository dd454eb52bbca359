import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { shownColours } from '#domains/chat/colour-values.ts'
import type { ChatWidget } from '#domains/chat/contract.ts'
import { LOGO_BYTES_MAX, LOGO_SIDE_MAX, LOGO_TYPES } from '#domains/chat/values.ts'
import { ApiProblem } from '../../problem.ts'
import { teamQuery } from '../../queries.ts'
import { removeLogo, uploadLogo } from '../../records/chat-widgets/widget-writes.ts'
import { toastFault } from '../../ui/toast.ts'
import { useBusy } from '../../ui/use-submit.ts'
import dropClasses from '../../ui/drop.module.css'
import textClasses from '../../ui/text.module.css'
import classes from './chat-widget.module.css'

/** Uploaded and removed at once: a picture is not typed, so nothing has to be saved later. */
export function ChatLogo({ widget, colour }: { widget: ChatWidget; colour: string }) {
  const { id, logo_url } = widget
  const input = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<string>()
  const { busy, run } = useBusy(error => {
    if (error instanceof ApiProblem && error.status < 500 && error.status > 0) setFault(wordsOf(error))
    else toastFault(error, 'Could not change the logo')
  })

  function act(work: () => Promise<unknown>) {
    setFault(undefined)
    run(work)
  }

  return (
    <div className={classes.logo} role="group" aria-label="Logo">
      <Mark widget={widget} colour={colour} />
      <div className={classes.logoWords}>
        <p className={classes.label}>Logo</p>
        <p className={textClasses.meta}>
          PNG, JPEG or WebP, up to {LOGO_BYTES_MAX / 1024} KB and {LOGO_SIDE_MAX.toLocaleString('en')} pixels
          a side
        </p>
        {fault && (
          <p className={textClasses.bad} role="alert">
            {fault}
          </p>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept={LOGO_TYPES.join(',')}
        className={dropClasses.file}
        aria-label="Logo file"
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file) act(() => uploadLogo(id, file))
          // So that the same file can be chosen again.
          currentTarget.value = ''
        }}
      />
      <div className={classes.logoActs}>
        <Button variant="default" loading={busy} onClick={() => input.current?.click()}>
          {logo_url ? 'Replace' : 'Upload logo'}
        </Button>
        {logo_url && (
          <Button variant="subtle" color="gray" disabled={busy} onClick={() => act(() => removeLogo(id))}>
            Remove
          </Button>
        )}
      </div>
    </div>
  )
}

function wordsOf({ detail, title, errors }: ApiProblem): string {
  return errors?.[0]?.message ?? detail ?? title
}

function Mark({ widget: { logo_url }, colour }: { widget: ChatWidget; colour: string }) {
  const { data: team } = useQuery(teamQuery)
  if (logo_url) return <img className={classes.mark} src={logo_url} alt="Current logo" />
  const { fill, on_fill } = shownColours(colour)
  const [letter = ''] = team?.name.trim() ?? ''
  return (
    <span className={classes.mark} style={{ background: fill, color: on_fill }} aria-hidden>
      {letter.toUpperCase()}
    </span>
  )
}
