import { ActionIcon } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconFileText from 'icon:file-text'
import { useRef, useState } from 'react'
import { api } from '../api.ts'
import { paths } from '../paths.ts'
import { inWords } from '../problem.ts'
import { useCan } from '../queries.ts'
import { templatesQuery } from '../records/templates/templates-cache.ts'
import { Picker } from '../ui/picker.tsx'
import textClasses from '../ui/text.module.css'

const QUIET_MS = 160

type Props = {
  lead_id: string
  disabled: boolean
  insert: (template: { subject: string; text: string }) => void
  /** What the person should know of it. */
  tell: (notice: string | undefined) => void
}

/** The email templates, filled in for this lead. What is inserted is what is sent. */
export function TemplatesButton({ lead_id, disabled, ...given }: Props) {
  const canRead = useCan('outreach:write')
  // The text may be another one by the time the template is there.
  const latest = useRef(given)
  latest.current = given
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), QUIET_MS)
  const found = useInfiniteQuery({
    ...templatesQuery(q ? { q } : {}),
    placeholderData: keepPreviousData,
    enabled: canRead && open,
  })
  if (!canRead) return null
  const templates = found.data?.pages[0]?.data ?? []
  const button = (
    <ActionIcon
      aria-label="Templates"
      title="Templates"
      loading={busy}
      disabled={disabled}
      onClick={() => setOpen(!open)}
    >
      <IconFileText size={18} />
    </ActionIcon>
  )
  if (!open) return button
  async function pick(id: string) {
    setOpen(false)
    const template = templates.find(each => each.id === id)
    if (!template) return
    setBusy(true)
    try {
      const { subject, body, format } = template
      const rendered = await api('POST /api/outreach/templates/preview', {
        body: { subject, body, format, lead_id, bare: true },
        changesNothing: true,
      })
      latest.current.insert(rendered)
      latest.current.tell(noticeOf(rendered.missing))
    } catch (error) {
      latest.current.tell(inWords(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Picker
      label="Find a template"
      options={templates.map(({ id, name }) => ({ value: id, label: name }))}
      chosen={[]}
      pick={id => void pick(id)}
      search={setText}
      close={() => setOpen(false)}
      width={280}
      footer={
        <Link to={paths.templates} search={{}} className={textClasses.quiet}>
          Manage templates
        </Link>
      }
    >
      {button}
    </Picker>
  )
}

function noticeOf(missing: readonly string[]): string | undefined {
  if (missing.length === 0) return undefined
  return `No value for ${missing.join(', ')}. Check the text before you send it.`
}
