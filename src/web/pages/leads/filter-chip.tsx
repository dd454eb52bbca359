import { lazy, Suspense, type ReactElement, type ReactNode } from 'react'
import { Picker } from '../../ui/picker.tsx'
import { Chip } from '../../ui/record-list/chip.tsx'
import type { Span } from '../../ui/record-list/span-filter.tsx'
import { inPlainWords } from '../../ui/words.ts'
import { useAccountName } from '../../records/accounts/account-link.tsx'
import { NOBODY, useField, useOptions } from '../../records/leads/choices.tsx'
import {
  filterInWords,
  filterLabels,
  isChosenElsewhere,
  isSet,
  spans,
  without,
  type FilterName,
} from './filters.ts'
import type { LeadsSearch, ListFilter } from '../../records/leads/search.ts'

const SpanFilter = lazy(() =>
  import('../../ui/record-list/span-filter.tsx').then(({ SpanFilter }) => ({ default: SpanFilter })),
)
const WordsFilter = lazy(() =>
  import('../../ui/record-list/words-filter.tsx').then(({ WordsFilter }) => ({ default: WordsFilter })),
)

type Props = {
  name: FilterName
  search: LeadsSearch
  set: (next: LeadsSearch) => void
  startsOpen: boolean
  closed: () => void
}

export function FilterChip({ name, search, set, startsOpen, closed }: Props) {
  const field = useField(name)
  const options = useOptions()
  const choices = field && options(field)
  const label = filterLabels[name]

  const account = useAccountName(name === 'account_id' ? (search.account_id?.[0] ?? null) : null)

  function valueInWords(value: string): string {
    if (name === 'account_id') return value === search.account_id?.[0] ? (account ?? '…') : 'another'
    if (value === NOBODY && name === 'owner_id') return 'unassigned'
    return choices?.find(choice => choice.value === value)?.label ?? (choices ? inPlainWords(value) : value)
  }

  return (
    <Chip
      label={label}
      words={filterInWords(search, name, valueInWords)}
      remove={isSet(search, name) ? () => set(without(search, name)) : undefined}
      startsOpen={startsOpen}
      closed={closed}
      editor={isChosenElsewhere(name) ? undefined : editor}
    />
  )

  function editor(chip: ReactElement, close: () => void): ReactNode {
    if (name === 'created') {
      return (
        <Suspense fallback={chip}>
          <SpanFilter
            spans={namedSpans}
            now={span(search.created_after, search.created_before)}
            put={({ after, before }) =>
              set({
                ...without(search, 'created'),
                ...(after && { created_after: after }),
                ...(before && { created_before: before }),
              })
            }
            close={close}
          >
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
        pick={value =>
          put(values.includes(value) ? values.filter(each => each !== value) : [...values, value])
        }
        close={close}
      >
        {chip}
      </Picker>
    )
  }
}

const namedSpans = spans.map(([after, label]) => [{ after }, label] as const)

function span(after: string | undefined, before: string | undefined): Span {
  return { ...(after && { after }), ...(before && { before }) }
}

function withValues(search: LeadsSearch, name: ListFilter, values: string[]): LeadsSearch {
  return values.length ? ({ ...search, [name]: values } as LeadsSearch) : without(search, name)
}
