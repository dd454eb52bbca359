import { ActionIcon, Button, TextInput } from '@mantine/core'
import IconPlus from 'icon:plus'
import IconX from 'icon:x'
import { useEffect, useRef } from 'react'
import { REDIRECT_URIS_MAX, REDIRECT_URI_LENGTH_MAX } from '#domains/oauth/values.ts'
import type { UriLine } from './app-fields.ts'
import classes from './apps.module.css'

type Props = {
  uris: UriLine[]
  faults: Record<UriLine['key'], string>
  change: (uris: UriLine[]) => void
}

/** One input per URI, since each has its own error. */
export function UriInputs({ uris, faults, change }: Props) {
  const list = useRef<HTMLDivElement>(null)
  /** The input to focus after one was added or removed. */
  const wanted = useRef<number>(undefined)
  useEffect(() => {
    if (wanted.current === undefined) return
    list.current?.querySelectorAll('input')[wanted.current]?.focus()
    wanted.current = undefined
  }, [uris.length])

  function add() {
    change([...uris, { key: Math.max(0, ...uris.map(({ key }) => key)) + 1, text: '' }])
    wanted.current = uris.length
  }

  function remove(at: number) {
    change(uris.filter((_, index) => index !== at))
    wanted.current = Math.max(0, at - 1)
  }

  return (
    <fieldset>
      <legend>Redirect URIs</legend>
      <p className={classes.hint}>
        Where people return to after giving consent. Must match exactly; http only for 127.0.0.1, ::1 and
        localhost, on any port.
      </p>
      <div ref={list} className={classes.uriList}>
        {uris.map((line, at) => (
          <div key={line.key} className={classes.uri}>
            <TextInput
              flex={1}
              miw={0}
              aria-label={`Redirect URI ${at + 1}`}
              placeholder="https://app.example.com/callback"
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={line.text}
              maxLength={REDIRECT_URI_LENGTH_MAX}
              error={faults[line.key]}
              onChange={event =>
                change(uris.map(each => (each === line ? { ...line, text: event.target.value } : each)))
              }
            />
            {uris.length > 1 && (
              <ActionIcon aria-label={`Remove redirect URI ${at + 1}`} onClick={() => remove(at)}>
                <IconX size={16} />
              </ActionIcon>
            )}
          </div>
        ))}
      </div>
      {uris.length < REDIRECT_URIS_MAX && (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          mt={6}
          ml={-9}
          leftSection={<IconPlus size={14} />}
          onClick={add}
        >
          Add another
        </Button>
      )}
    </fieldset>
  )
}
