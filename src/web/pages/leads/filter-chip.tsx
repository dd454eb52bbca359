import { UnstyledButton } from '@mantine/core'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { lazy, Suspense, useState } from 'react'
import { Picker } from '../../ui/picker.tsx'
import { inPlainWords } from '../../ui/words.ts'
import { NOBODY, useField, useOptions } from './choices.tsx'
import { filterInWords, filterLabels, isSet, without, type FilterName } from './filters.ts'
import type { LeadsSearch, ListFilter } from './search.ts'
import classes from './filter-bar.module.css'

const SpanFilter = lazy(() => import('./span-filter.tsx').then(({ SpanFilter }) => ({ default: SpanFilter })))
const WordsFilter = lazy(() =>
  import('./words-filter.tsx').then(({ WordsFilter }) => ({ default: WordsFilter })),
)

type Props = {
  name: FilterName
  search: LeadsSearch
  set: (next: LeadsSearch) => void
  startsOpen: boolean
  closed: () => void
}

/** One filter in words: "Stage is New or Won". A click changes it, the cross takes it away. */
export function FilterChip({ name, search, set, startsOpen, closed }: Props) {
  const [open, setOpen] = useState(startsOpen)
  const field = useField(name)
  const options = useOptions()
  const choices = field && options(field)
  const label = filterLabels[name]

  function valueInWords(value: string): string {
    if (value === NOBODY && name === 'owner_id') return 'nobody'
    return choices?.find(choice => choice.value === value)?.label ?? (choices ? inPlainWords(value) : value)
  }

  function close() {
    setOpen(false)
    closed()
  }

  const words = filterInWords(search, name, valueInWords)
  const chip = (
    <div className={classes.chip} role="group" aria-label={`${label} ${words}`}>
      <UnstyledButton
        className={classes.words}
        title={`${label} ${words}`}
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <b>{label}</b> {words}
      </UnstyledButton>
      {isSet(search, name) && (
        <UnstyledButton
          className={classes.remove}
          aria-label={`Remove the filter ${label}`}
          onClick={() => set(without(search, name))}
        >
          <IconX size={13} />
        </UnstyledButton>
      )}
    </div>
  )
  if (!open) return chip
  if (name === 'created') {
    return (
      <Suspense fallback={chip}>
        <SpanFilter search={search} set={set} close={close}>
          {chip}
        </SpanFilter>
      </Suspense>
    )
  }
  const values: string[] = search[name] ?? []
  const put = (next: string[]) => set(withValues(search, name, next))
  if (!choices) {
    return (
      <Suspense fallback={chip}>
        <WordsFilter label={label} values={values} set={put} close={close}>
          {chip}
        </WordsFilter>
      </Suspense>
    )
  }
  return (
    <Picker
      label={`${label} is any of`}
      options={choices}
      chosen={values}
      pick={value => put(values.includes(value) ? values.filter(each => each !== value) : [...values, value])}
      close={close}
    >
      {chip}
    </Picker>
  )
}

function withValues(search: LeadsSearch, name: ListFilter, values: string[]): LeadsSearch {
  return values.length ? ({ ...search, [name]: values } as LeadsSearch) : without(search, name)
}
