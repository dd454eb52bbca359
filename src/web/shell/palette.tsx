import { Combobox, Kbd, Loader, Modal, Text, useCombobox } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { close } from '../ui/opened.ts'
import { usePaletteCommands } from './palette-commands.ts'
import { hitHeadings, useHits, useOpenHit } from './palette-hits.ts'
import { offeredCommands, type Command } from '../ui/commands.ts'
import textClasses from '../ui/text.module.css'
import classes from './palette.module.css'

/** Navigate, create, run commands and find records from one field. */
export function Palette() {
  const [text, setText] = useState('')
  const [, setDrawn] = useState(false)
  const commands = matching(withoutTwins([...offeredCommands(), ...usePaletteCommands()]), text)
  const found = useHits(text)
  const openHit = useOpenHit()
  const combobox = useCombobox({ opened: true })

  const results = `${found.hits.map(hit => hit.id).join()} ${commands.map(({ id }) => id).join()}`
  const chooseFirst = useEffectEvent(() => {
    combobox.selectFirstOption()
    // The field needs a render to know which list it controls.
    setDrawn(true)
  })
  useEffect(() => {
    // Select the first result once rendered.
    const frame = requestAnimationFrame(chooseFirst)
    return () => cancelAnimationFrame(frame)
  }, [results])

  function submit(id: string) {
    close()
    const hit = found.hits.find(hit => hit.id === id)
    if (hit) openHit(hit)
    else commands.find(command => command.id === id)?.run()
  }

  return (
    <Modal.Root opened onClose={close} size={580} yOffset="12vh">
      <Modal.Overlay />
      <Modal.Content aria-label="Search and commands">
        <Combobox store={combobox} onOptionSubmit={submit}>
          <div className={classes.field}>
            <Combobox.EventsTarget withExpandedAttribute>
              <input
                className={classes.input}
                aria-label="Search or type a command"
                placeholder="Search or type a command"
                value={text}
                maxLength={200}
                ref={focusAtOnce}
                data-autofocus
                // The list would only close itself, leaving an empty dialog.
                onKeyDown={event => event.key === 'Escape' && close()}
                onChange={event => setText(event.currentTarget.value)}
              />
            </Combobox.EventsTarget>
            {found.busy && <Loader size={14} aria-label="Searching" />}
          </div>
          <Combobox.Options className={classes.options} aria-label="Results">
            {[...Map.groupBy(found.hits, ({ kind }) => kind)].map(([kind, hits]) => (
              <Combobox.Group key={kind} label={hitHeadings[kind]}>
                {hits.map(hit => (
                  <Combobox.Option key={hit.id} value={hit.id} className={classes.option}>
                    <span className={`${textClasses.cut} ${classes.label}`}>{hit.title}</span>
                    <Text span size="xs" c="dimmed" className={`${textClasses.cut} ${classes.about}`}>
                      {hit.detail}
                    </Text>
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            ))}
            {grouped(commands).map(([group, each]) => (
              <Combobox.Group key={group} label={group}>
                {each.map(command => (
                  <Combobox.Option key={command.id} value={command.id} className={classes.option}>
                    <span className={`${textClasses.cut} ${classes.label}`}>{command.label}</span>
                    {command.keys && <Kbd size="xs">{command.keys}</Kbd>}
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            ))}
            {results === ' ' && (
              <Combobox.Empty>
                {found.busy ? 'Searching…' : found.failed ? 'Search failed' : 'No matches'}
              </Combobox.Empty>
            )}
          </Combobox.Options>
        </Combobox>
      </Modal.Content>
    </Modal.Root>
  )
}

function focusAtOnce(input: HTMLInputElement | null): void {
  input?.focus()
}

/** A command of the page replaces the global one with the same id. */
function withoutTwins(commands: Command[]): Command[] {
  return commands.filter(({ id }, at) => commands.findIndex(each => each.id === id) === at)
}

/** Every typed word must be the start of a word of the command. */
function matching(commands: Command[], text: string): Command[] {
  const typed = text.toLowerCase().split(/\s+/).filter(Boolean)
  return commands.filter(({ label, words = '' }) => {
    const all = `${label} ${words}`.toLowerCase().split(/\s+/)
    return typed.every(word => all.some(each => each.startsWith(word)))
  })
}

function grouped(commands: Command[]): [string, Command[]][] {
  return [...Map.groupBy(commands, ({ group }) => group)]
}
