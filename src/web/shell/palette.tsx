import { Combobox, Kbd, Loader, Modal, Text, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { api } from '../api.ts'
import { leadName } from '../pages/leads/fields.ts'
import { patterns } from '../paths.ts'
import { close } from './opened.ts'
import { usePaletteCommands } from './palette-commands.ts'
import { offeredCommands, type Command } from './commands.ts'
import classes from './palette.module.css'

const FOUND_MAX = 8
const QUIET_MS = 140

/** Go, create, act, and find a lead: everything from one field. */
export function Palette() {
  const [text, setText] = useState('')
  const [, setDrawn] = useState(false)
  const commands = matching([...offeredCommands(), ...usePaletteCommands()], text)
  const found = useFoundLeads(text)
  const navigate = useNavigate()
  const combobox = useCombobox({ opened: true })

  const results = `${found.leads.map(lead => lead.id).join()} ${commands.map(({ id }) => id).join()}`
  const chooseFirst = useEffectEvent(() => {
    combobox.selectFirstOption()
    // The field learns which list it controls when it is drawn again.
    setDrawn(true)
  })
  useEffect(() => {
    // The first of the new results is chosen, once they are there.
    const frame = requestAnimationFrame(chooseFirst)
    return () => cancelAnimationFrame(frame)
  }, [results])

  function submit(id: string) {
    close()
    const lead = found.leads.find(lead => lead.id === id)
    if (lead) void navigate({ to: patterns.lead, params: { id }, search: {} })
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
                aria-label="Search leads or type a command"
                placeholder="Search leads or type a command"
                value={text}
                maxLength={200}
                ref={focusAtOnce}
                data-autofocus
                // The list would only close itself; there is nothing behind it to go back to.
                onKeyDown={event => event.key === 'Escape' && close()}
                onChange={event => setText(event.currentTarget.value)}
              />
            </Combobox.EventsTarget>
            {found.busy && <Loader size={14} aria-label="Searching" />}
          </div>
          <Combobox.Options className={classes.options} aria-label="Results">
            {found.leads.length > 0 && (
              <Combobox.Group label="Leads">
                {found.leads.map(lead => (
                  <Combobox.Option key={lead.id} value={lead.id} className={classes.option}>
                    <span className={classes.label}>{leadName(lead)}</span>
                    <Text span size="xs" c="dimmed" className={classes.about}>
                      {[lead.company, lead.email].filter(Boolean).join(' · ')}
                    </Text>
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            )}
            {grouped(commands).map(([group, each]) => (
              <Combobox.Group key={group} label={group}>
                {each.map(command => (
                  <Combobox.Option key={command.id} value={command.id} className={classes.option}>
                    <span className={classes.label}>{command.label}</span>
                    {command.keys && <Kbd size="xs">{command.keys}</Kbd>}
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            ))}
            {results === ' ' && (
              <Combobox.Empty>{found.busy ? 'Searching…' : 'Nothing found'}</Combobox.Empty>
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

function useFoundLeads(text: string) {
  const [q] = useDebouncedValue(text.trim(), QUIET_MS)
  const query = useQuery({
    queryKey: ['found', q],
    queryFn: ({ signal }) => api('GET /api/crm/leads', { query: { q, limit: FOUND_MAX }, signal }),
    enabled: q.length > 1,
    placeholderData: keepPreviousData,
  })
  return { leads: text.trim().length > 1 ? (query.data?.data ?? []) : [], busy: query.isFetching }
}

/** Every word that was typed must begin some word of the command. */
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
