import { ActionIcon, TextInput } from '@mantine/core'
import IconX from 'icon:x'
import { useRef } from 'react'
import { ALLOWED_SITES_MAX } from '#domains/chat/values.ts'
import { siteIn, type PartProps } from './chat-widget-fields.ts'
import { AddButton } from './hours-editor.tsx'
import textClasses from '../../ui/text.module.css'
import classes from './chat-widget.module.css'

/** Which sites may show it, one to a line. */
export function ChatSites({ fields, set, faultOf, editable }: PartProps) {
  const { sites } = fields
  const list = useRef<HTMLUListElement>(null)
  const put = (next: string[]) => set({ sites: next })
  const focus = (index: number) => setTimeout(() => list.current?.querySelectorAll('input')[index]?.focus())

  function add() {
    put([...sites, ''])
    focus(sites.length)
  }
  function remove(index: number) {
    put(sites.toSpliced(index, 1))
    focus(Math.min(index, sites.length - 2))
  }
  /** A list from elsewhere becomes lines here. */
  function paste(index: number, text: string) {
    const lines = text.split(/[\s,;]+/).filter(Boolean)
    if (lines.length < 2) return false
    put(sites.toSpliced(index, 1, ...lines.map(siteIn)).slice(0, ALLOWED_SITES_MAX))
    return true
  }

  return (
    <div className={classes.sites} role="group" aria-labelledby="chat-sites">
      <h3 id="chat-sites" className={classes.label}>
        Allowed sites
      </h3>
      <p className={textClasses.meta}>
        Like www.example.com, or *.example.com for all below it. Without any, the chat has only its own page.
      </p>
      {sites.length > 0 && (
        <ul ref={list} className={classes.lines}>
          {sites.map((site, index) => (
            // Two lines can be equal while they are edited: only the index tells them apart.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} className={classes.line}>
              <TextInput
                aria-label={`Site ${index + 1}`}
                placeholder="www.example.com"
                value={site}
                error={faultOf(`sites.${index}`)}
                inputMode="url"
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                onChange={({ currentTarget }) => put(sites.with(index, currentTarget.value))}
                onBlur={({ currentTarget: { value } }) => {
                  if (siteIn(value) !== value) put(sites.with(index, siteIn(value)))
                }}
                onPaste={event => {
                  if (paste(index, event.clipboardData.getData('text'))) event.preventDefault()
                }}
              />
              {editable && (
                <ActionIcon
                  aria-label={`Remove site ${index + 1}`}
                  title="Remove"
                  onClick={() => remove(index)}
                >
                  <IconX size={16} aria-hidden />
                </ActionIcon>
              )}
            </li>
          ))}
        </ul>
      )}
      {faultOf('sites', true) && (
        <p className={textClasses.bad} role="alert">
          {faultOf('sites', true)}
        </p>
      )}
      {editable && sites.length < ALLOWED_SITES_MAX && <AddButton add={add}>Add site</AddButton>}
    </div>
  )
}
