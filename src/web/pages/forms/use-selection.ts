import { useEffect, useEffectEvent, useState } from 'react'
import type { DraftContent } from './draft-content.ts'
import { FORM_PART, type FormSearch } from '../../records/forms/search.ts'

/**
 * Which panel is open. The URL has the key of the field; here it is selected by id, so that the panel stays open while
 * its key changes.
 */
export function useSelection(
  content: DraftContent,
  search: FormSearch,
  show: (search: FormSearch) => void,
): { id: string | null; select: (id: string | null) => void } {
  const [id, select] = useState<string | null>(() =>
    search.field === FORM_PART
      ? FORM_PART
      : (content.fields.find(({ key }) => key === search.field)?.id ?? null),
  )
  const field = content.fields.find(each => each.id === id)
  const name = field?.key ?? (id === FORM_PART ? FORM_PART : undefined)
  const tell = useEffectEvent((name: string | undefined) => {
    if (name === search.field) return
    const { field: _, ...rest } = search
    show(name ? { ...rest, field: name } : rest)
  })
  useEffect(() => tell(name), [name])
  return { id: field || id === FORM_PART ? id : null, select }
}
