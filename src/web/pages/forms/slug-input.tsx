import { TextInput } from '@mantine/core'
import { useState, type KeyboardEvent } from 'react'
import type { FormWithCounts } from '#domains/forms/contract.ts'
import { inWords } from '../../problem.ts'
import { hostedAddress } from './hosted.ts'
import { forms } from '../../records/forms/store.ts'

const SLUG = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

type Props = { form: FormWithCounts; canWrite: boolean; maxLength: number }

/** The last part of the URL. It may be taken, so it is saved when the field loses focus. */
export function SlugInput({ form, canWrite, maxLength }: Props) {
  const [typed, setTyped] = useState<string>()
  const [fault, setFault] = useState<string>()
  const slug = typed ?? form.slug

  async function save() {
    if (typed === undefined || typed === form.slug) return setTyped(undefined)
    if (!SLUG.test(typed)) return setFault('Lowercase letters, digits, and hyphens in between')
    try {
      await forms.changeOrThrow(form.id, { slug: typed }, `The page is now at /f/${typed}`)
      setTyped(undefined)
    } catch (error) {
      setFault(inWords(error))
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') void save()
    if (event.key !== 'Escape' || typed === undefined) return
    setTyped(undefined)
    setFault(undefined)
  }

  return (
    <TextInput
      label="Page URL"
      description={`${hostedAddress(slug)}. Links to the old URL stop working.`}
      value={slug}
      maxLength={maxLength}
      error={fault}
      readOnly={!canWrite}
      spellCheck={false}
      autoCapitalize="none"
      onChange={event => {
        setTyped(event.currentTarget.value.toLowerCase())
        setFault(undefined)
      }}
      onBlur={() => void save()}
      onKeyDown={onKeyDown}
    />
  )
}
