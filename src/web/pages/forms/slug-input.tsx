import { TextInput } from '@mantine/core'
import { useState, type KeyboardEvent } from 'react'
import type { FormWithCounts } from '#domains/forms/contract.ts'
import { inWords } from '../../problem.ts'
import { hostedAddress } from './hosted.ts'
import { forms } from '../../records/forms/store.ts'

const SLUG = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

type Props = { form: FormWithCounts; canWrite: boolean; maxLength: number }

/** The last part of the address. It may be somebody else's already, so it is saved only when one leaves the field. */
export function SlugInput({ form, canWrite, maxLength }: Props) {
  const [typed, setTyped] = useState<string>()
  const [fault, setFault] = useState<string>()
  const slug = typed ?? form.slug

  async function save() {
    if (typed === undefined || typed === form.slug) return setTyped(undefined)
    if (!SLUG.test(typed)) return setFault('Small letters, digits and - between them')
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
      label="Address of the page"
      description={`${hostedAddress(slug)}. Links to the old address stop working.`}
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
